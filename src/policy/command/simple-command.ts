/** One simple command: wrappers are taken off, what is inside runs on its own, and the rest is looked up. */
import type { CommandPart, CommandPlace, OnlyReads } from './command-analysis.ts';
import { changeDirectory } from './change-directory.ts';
import {
  climb,
  enter,
  isInside,
  isSure,
  startOf,
  staying,
  workspaceDirectory,
  type Directories,
  type Flow,
} from './directories.ts';
import type { Findings, UsedFile } from './findings.ts';
import { knowledgeOf } from './knowledge.ts';
import type { Knowledge } from './program-knowledge.ts';
import { unwrapShell } from './shells.ts';
import { isHarmlessVariable } from './variables.ts';
import { unwrap, type Inner, type Unwrapped } from './wrappers.ts';
import { isLiteral, type ShellWord } from './words.ts';

/** What a command runs with. */
export interface Running {
  readonly findings: Findings;
  readonly place: CommandPlace;
  readonly directories: Directories;
  readonly assignments: readonly string[];
  /** How many wrappers and scripts it is in. */
  readonly depth: number;
  readonly runText: (text: string, directories: Directories, assignments: readonly string[]) => Flow;
}

const MAX_DEPTH = 12;

/** Runs words as a shell would, and tells where that leaves the shell. */
export function runWords(words: readonly ShellWord[], running: Running): Flow {
  const [program, ...args] = words;
  if (program === undefined) return staying(running.directories);
  if (running.depth > MAX_DEPTH) {
    running.findings.note('It is nested too deeply to tell what it does.');
    return staying(undefined);
  }
  if (!isLiteral(program)) return runUnknown(words, running);
  const name = program.value.slice(program.value.lastIndexOf('/') + 1);
  const isNamed = !program.value.includes('/');
  const isSystem = isNamed || /^\/(?:usr\/)?s?bin\/[^/]+$/.test(program.value);
  const unwrapped = unwrapShell(name, args) ?? unwrap(name, args);
  if (unwrapped !== undefined) return runUnwrapped(words, unwrapped, isSystem, running);
  if (name.startsWith('-')) addPart(words, { unclear: 'It starts with an option.' }, running);
  else addKnown(words, knowledgeOf(name, args), isSystem, running);
  return isNamed ? changeDirectory(name, args, running.directories) : staying(running.directories);
}

/** The program is in a variable or a glob. Where that may be nothing at all, the next word is the program. */
function runUnknown(words: readonly ShellWord[], running: Running): Flow {
  const [program, ...args] = words;
  const unknown = [{ ...program!, value: undefined }, ...args];
  addPart(unknown, { unclear: 'Only a shell could tell which program it runs.' }, running);
  if (words[0]?.splits === true) runWords(words.slice(1), { ...running, depth: running.depth + 1 });
  return staying(undefined);
}

function runUnwrapped(
  words: readonly ShellWord[],
  unwrapped: Unwrapped,
  isSystem: boolean,
  running: Running,
): Flow {
  const { inner, isTransparent, unclear, files = [] } = unwrapped;
  const isWrapper = isTransparent && isSystem && unclear === undefined;
  const knowledge: Knowledge = {
    onlyReads: isWrapper ? 'always' : false,
    files,
    ...(unclear !== undefined && { unclear }),
  };
  addKnown(words, knowledge, isSystem, running, isWrapper);
  let flow = staying(unclear === undefined ? running.directories : undefined);
  for (const one of inner) {
    const after = runInner(one, running);
    if (one.runsInShell === true) flow = after;
  }
  return flow;
}

function runInner({ words, script, assignments = [], directory }: Inner, running: Running): Flow {
  const directories =
    directory === undefined
      ? running.directories
      : directory === 'unknown'
        ? undefined
        : directoryOf(directory, running);
  const all = [...running.assignments, ...assignments];
  if (script !== undefined) return running.runText(script, directories, all);
  return runWords(words ?? [], { ...running, directories, assignments: all, depth: running.depth + 1 });
}

/** Where a program goes by itself: unlike a shell it follows links, so that `..` out of one leads elsewhere. */
function directoryOf(word: ShellWord, { directories, place }: Running): Directories {
  if (!isLiteral(word)) return undefined;
  const climbed = directories?.map((directory) => climb(directory, word.value)) ?? [];
  return climbed.every((one) => isSure(one, startOf(place))) ? enter(directories, word.value) : undefined;
}

function addKnown(
  words: readonly ShellWord[],
  known: Knowledge,
  isSystem: boolean,
  running: Running,
  isWrapper = false,
): void {
  const directories =
    known.directory === undefined ? running.directories : directoryOf(known.directory, running);
  const within = { ...running, directories };
  const used = addFiles(known.files, within);
  const unclear = known.unclear ?? used.unclear;
  const sets = running.assignments.some((name) => !isHarmlessVariable(name));
  const isReader = isSystem && !sets && unclear === undefined;
  const isBlind = isReader && known.onlyReads !== false && used.isSome;
  const onlyReads = isBlind ? 'sandboxed' : isReader ? known.onlyReads : false;
  addPart(words, { ...known, onlyReads, unclear, isBlind, isWrapper: isWrapper && isReader }, within);
  for (const inner of known.inner ?? []) runInner(inner, within);
}

interface AddedFiles {
  /** Some file was used that only the shell knows. */
  readonly isSome: boolean;
  readonly unclear?: string;
}

function addFiles(files: readonly UsedFile[], { findings, directories }: Running): AddedFiles {
  let isSome = false;
  let unclear: string | undefined;
  for (const file of files) {
    const knowledge = findings.addFile(file, directories);
    isSome ||= knowledge === 'some-file';
    if (knowledge === 'unsure') unclear = `It can't be told where ${file.word.text} leads.`;
  }
  return { isSome, ...(unclear !== undefined && { unclear }) };
}

interface Judged {
  readonly onlyReads?: OnlyReads;
  readonly unclear?: string | undefined;
  readonly gitWrite?: string | undefined;
  readonly isWrapper?: boolean;
  readonly isBlind?: boolean;
}

function addPart(
  words: readonly ShellWord[],
  judged: Judged,
  { findings, place, assignments, directories }: Running,
): void {
  const { onlyReads = false, isWrapper = false, isBlind = false, gitWrite } = judged;
  const obeyed = assignments.find((name) => !isHarmlessVariable(name));
  const unclear =
    judged.unclear ??
    (obeyed === undefined ? undefined : `It sets ${obeyed}, which the program may obey.`) ??
    (onlyReads === false && !isInside(directories, place.root)
      ? 'It runs outside the workspace, or nobody can tell where.'
      : undefined);
  const part: CommandPart = {
    words: words.map(({ value }) => value),
    text: textOf(words),
    assignments,
    directory: workspaceDirectory(directories, place.root),
    onlyReads,
    ...(isWrapper && { isWrapper: true as const }),
    ...(isBlind && { isBlind: true as const }),
    ...(unclear !== undefined && { unclear }),
    ...(gitWrite !== undefined && { gitWrite }),
  };
  findings.addPart(part);
}

/** The words as one text. A program whose name looks like an assignment is quoted, or it would become one. */
function textOf(words: readonly ShellWord[]): string {
  const text = words.map((word) => word.text).join(' ');
  const [program] = words;
  const looksAssigned = program?.value !== undefined && /^\w+\+?=/.test(program.text);
  return looksAssigned ? `'${program.value}'${text.slice(program.text.length)}` : text;
}
