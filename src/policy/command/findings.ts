/** What an analysis has found so far, within its limits. */
import type { CommandAnalysis, CommandPart, CommandPlace, FileUse } from './command-analysis.ts';
import { climb, isSure, startOf, type Directories } from './directories.ts';
import { isLiteral, type ShellWord } from './words.ts';

const MAX_PARTS = 500;
const MAX_FILES = 2_000;

/** How much is known about a file that is used: all, only that it is some file, or not even where it is. */
export type FileKnowledge = 'known' | 'some-file' | 'unsure';

export interface UsedFile {
  readonly use: 'read' | 'write';
  readonly word: ShellWord;
  readonly isTree: boolean;
}

const NO_FILES = /^\/dev\/(?:null|zero|full|random|urandom|tty|stdin|stdout|stderr|fd\/\d+)$/;

export class Findings {
  readonly parts: CommandPart[] = [];
  readonly #files = new Map<string, FileUse>();
  readonly #hosts = new Set<string>();
  readonly #unclear = new Set<string>();
  readonly #start: string;

  constructor(place: CommandPlace) {
    this.#start = startOf(place);
  }

  /** Why the whole can't be told. */
  note(reason: string): void {
    this.#unclear.add(reason);
  }

  addPart(part: CommandPart): void {
    if (this.isFull()) this.note('It has too many parts to tell what it does.');
    else this.parts.push(part);
  }

  isFull(): boolean {
    return this.parts.length >= MAX_PARTS || this.#files.size >= MAX_FILES;
  }

  addHost(host: string): void {
    this.#hosts.add(host);
  }

  /** Adds the file a word names, in every directory it may be in. */
  addFile({ use, word, isTree }: UsedFile, directories: Directories): FileKnowledge {
    if (word.isGlob) {
      const folder = word.prefix.slice(0, word.prefix.lastIndexOf('/') + 1) || '.';
      const knowledge = this.#addPath(use, folder, true, directories);
      // A `..` behind a wildcard leads out of whatever the wildcard fits.
      return /[*?[].*\/\.\.(?:\/|$)/s.test(word.text.replaceAll(/["'\\]/g, '')) ? 'unsure' : knowledge;
    }
    if (!isLiteral(word)) return 'some-file';
    return this.#addPath(use, word.value, isTree, directories);
  }

  #addPath(use: 'read' | 'write', path: string, isTree: boolean, directories: Directories): FileKnowledge {
    if (path === '') return 'known';
    const from = path.startsWith('/') ? ['/'] : directories;
    if (from === undefined || from.length === 0) return 'unsure';
    let knowledge: FileKnowledge = 'known';
    for (const directory of from) {
      const climbed = climb(directory, path);
      if (NO_FILES.test(climbed.path)) continue;
      if (!isSure(climbed, this.#start)) knowledge = 'unsure';
      this.#files.set(`${use} ${isTree} ${climbed.path}`, { use, path: climbed.path, isTree });
    }
    return knowledge;
  }

  toAnalysis(): CommandAnalysis {
    return {
      parts: this.parts,
      files: [...this.#files.values()],
      hosts: [...this.#hosts],
      unclear: [...this.#unclear],
    };
  }
}
