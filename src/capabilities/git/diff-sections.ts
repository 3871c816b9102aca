/** A diff as git writes it, cut into its files: their names decide whether they may be shown. */
import { readQuoted } from '../quoted-name.ts';

export interface DiffSection {
  readonly path: string;
  /** The old name of a rename or copy. */
  readonly from?: string;
  readonly change: 'added' | 'modified' | 'deleted' | 'renamed' | 'copied' | 'unmerged';
  readonly additions: number;
  readonly deletions: number;
  readonly isBinary: boolean;
  readonly text: string;
}

/** What a line begins with where a file does; lines of contents always begin with another character. */
const STARTS = ['diff --git ', 'diff --cc ', 'diff --combined ', '* Unmerged path '];

/** The files of a diff, in its order. */
export function diffSections(diff: string): DiffSection[] {
  const starts: number[] = [];
  for (let at = 0; at < diff.length && at !== -1; at = nextLine(diff, at))
    if (STARTS.some((start) => diff.startsWith(start, at))) starts.push(at);
  return starts.map((start, index) => toSection(diff.slice(start, starts[index + 1] ?? diff.length)));
}

function nextLine(text: string, at: number): number {
  const end = text.indexOf('\n', at);
  return end === -1 ? -1 : end + 1;
}

function toSection(text: string): DiffSection {
  const lines = text.split('\n');
  const hunk = lines.findIndex((line) => line.startsWith('@@'));
  const header = hunk === -1 ? lines : lines.slice(0, hunk);
  const first = header[0]!;
  const start = STARTS.find((start) => first.startsWith(start))!;
  const said = (words: string): string | undefined =>
    header.find((line) => line.startsWith(words))?.slice(words.length);
  const counts = hunk === -1 ? { additions: 0, deletions: 0 } : count(lines.slice(hunk));
  const isBinary = header.some((line) => line.startsWith('Binary files ') || line === 'GIT binary patch');
  const part = { ...counts, isBinary, text };
  if (start !== 'diff --git ')
    return {
      ...part,
      path: nameOf(first.slice(start.length)),
      change: start.startsWith('*') ? 'unmerged' : 'modified',
    };
  for (const [kind, change] of [
    ['rename', 'renamed'],
    ['copy', 'copied'],
  ] as const) {
    const [from, path] = [said(`${kind} from `), said(`${kind} to `)];
    if (from !== undefined && path !== undefined)
      return { ...part, path: nameOf(path), from: nameOf(from), change };
  }
  const path = bothNames(first.slice(start.length));
  if (said('new file mode') !== undefined) return { ...part, path, change: 'added' };
  if (said('deleted file mode') !== undefined) return { ...part, path, change: 'deleted' };
  return { ...part, path, change: 'modified' };
}

/** The name in `a/NAME b/NAME`, which are the same. */
function bothNames(written: string): string {
  if (written.startsWith('"')) return nameOf(written).slice(2);
  return written.slice(2, (written.length - 1) / 2);
}

function nameOf(written: string): string {
  if (!written.startsWith('"')) return written;
  const read = readQuoted(written);
  return 'wrong' in read ? written : Buffer.from(read.bytes).toString();
}

/** Where several versions were merged, each has a column of marks. */
function count(lines: readonly string[]): { additions: number; deletions: number } {
  let [additions, deletions, columns] = [0, 0, 1];
  for (const line of lines) {
    const marks = /^@@+/.exec(line)?.[0];
    if (marks !== undefined) columns = marks.length - 1;
    else if (line.slice(0, columns).includes('+')) additions++;
    else if (line.slice(0, columns).includes('-')) deletions++;
  }
  return { additions, deletions };
}
