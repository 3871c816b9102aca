/** Real changes: the history of this repository, and files of installed packages that are versions of each other. */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { structuredPatch } from 'diff';
import type { Random } from './random.ts';

/** One hunk of a change, and the file without and with it. */
export interface Change {
  readonly before: string;
  readonly after: string;
  /** The first line of the old side, counted from 1. */
  readonly line: number;
  /** Marked with a blank, `-` or `+`. */
  readonly lines: readonly string[];
}

const MAX_FILE_BYTES = 200_000;
const MAX_HUNKS_A_PAIR = 6;

/** So many changes, half of them from each source where there are as many. */
export function corpus(root: string, wanted: number, random: Random): Change[] {
  const history = random.shuffled(changesOf(historyPairs(root), random));
  const packages = random.shuffled(changesOf(packagePairs(join(root, 'node_modules')), random));
  const half = Math.max(Math.floor(wanted / 2), wanted - packages.length);
  return [...history.slice(0, half), ...packages.slice(0, wanted - Math.min(half, history.length))];
}

interface Pair {
  readonly before: string;
  readonly after: string;
}

/** Every text file that a commit changed, before and after. */
function historyPairs(root: string): Pair[] {
  const git = (...args: string[]): string =>
    execFileSync('git', args, {
      cwd: root,
      encoding: 'utf8',
      maxBuffer: 1 << 28,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
  const log = git(
    'log',
    '--no-merges',
    '--no-renames',
    '--diff-filter=M',
    '--raw',
    '--abbrev=40',
    '--format=',
  );
  return [...log.matchAll(/^:\d+ \d+ ([0-9a-f]{40}) ([0-9a-f]{40}) M\t(.+)$/gm)]
    .filter(([, , , path = '']) => !path.endsWith('package-lock.json'))
    .map(([, old = '', now = '']) => ({
      before: git('cat-file', 'blob', old),
      after: git('cat-file', 'blob', now),
    }));
}

/** Files of the same name in different folders of a package, which are often the same module twice. */
function packagePairs(folder: string): Pair[] {
  const byName = new Map<string, string[]>();
  for (const path of sourceFiles(folder)) {
    const key = `${packageOf(path)}/${basename(path).replace(/\.[cm]?([jt]s)$/, '.$1')}`;
    byName.set(key, [...(byName.get(key) ?? []), path]);
  }
  return [...byName.values()].flatMap((paths) => {
    const [one, ...others] = paths.sort();
    return others
      .slice(0, 2)
      .map((other) => ({ before: readFileSync(one!, 'utf8'), after: readFileSync(other, 'utf8') }));
  });
}

function sourceFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.([cm]?[jt]s|json|md)$/.test(name))
    .map((name) => join(folder, name))
    .filter((path) => {
      const stat = statSync(path);
      return stat.isFile() && stat.size > 200 && stat.size < MAX_FILE_BYTES;
    });
}

function packageOf(path: string): string {
  const parts = dirname(path).split('/node_modules/');
  return parts.at(-1)!.split('/').slice(0, 2).join('/');
}

function changesOf(pairs: readonly Pair[], random: Random): Change[] {
  return pairs.flatMap(({ before, after }) => {
    if (before.includes('\0') || after.includes('\0')) return [];
    const patch = structuredPatch('f', 'f', before, after, '', '', { context: 3, maxEditLength: 600 });
    const hunks = patch?.hunks ?? [];
    // Pairs with nothing in common are no change but two files.
    if (hunks.length === 0 || (hunks.length === 1 && hunks[0]!.lines.every((line) => !line.startsWith(' '))))
      return [];
    return random
      .shuffled(hunks)
      .slice(0, MAX_HUNKS_A_PAIR)
      .flatMap(({ oldStart, lines }) => {
        // Without the marker of a missing newline: it is not what is measured here.
        if (lines.some((line) => line.startsWith('\\')) || lines.length > 200) return [];
        return [{ before, after: withHunk(before, oldStart, lines), line: oldStart, lines }];
      });
  });
}

/** The text with one hunk applied where it says. */
export function withHunk(before: string, line: number, lines: readonly string[]): string {
  const all = before.split('\n');
  const old = lines.filter((text) => !text.startsWith('+')).length;
  const now = lines.filter((text) => !text.startsWith('-')).map((text) => text.slice(1));
  return [...all.slice(0, line - 1), ...now, ...all.slice(line - 1 + old)].join('\n');
}
