/** What a turn changed, as diffs; bounded unless all of it was asked for. */
import type { TurnEntry } from '../../journal/turn-entries.ts';
import type { Runtime } from '../../runtime-types.ts';
import { counted } from './amounts.ts';
import { diffLines, lineCounts } from './diff-lines.ts';
import { cut, type Line, safeLine, span } from './spans.ts';

export interface Bounds {
  readonly width: number;
  readonly linesPerFile: number;
  readonly files: number;
}

/** Short enough to go on reading. */
export const GLANCE = { linesPerFile: 24, files: 4 };
export const WHOLE = { linesPerFile: 5_000, files: 500 };

/** The lines for a turn; none where it changed nothing. */
export async function turnChanges(runtime: Runtime, turn: string, bounds: Bounds): Promise<Line[]> {
  const entries = await runtime.turnEntries(turn);
  const shown = await Promise.all(
    entries.slice(0, bounds.files).map((entry) => entryLines(runtime, turn, entry, bounds)),
  );
  const left = entries.length - shown.length;
  const more: Line[] = left === 0 ? [] : [[span(`… ${counted(left, 'more file')}: /diff shows all`, 'dim')]];
  return [...shown.flatMap((lines, index) => (index === 0 ? lines : [[], ...lines])), ...more];
}

async function entryLines(runtime: Runtime, turn: string, entry: TurnEntry, bounds: Bounds): Promise<Line[]> {
  const { diff = '', note } = (await runtime.entryDiff(turn, entry.path)) ?? {};
  // The heading names the file already.
  const body = diff.replace(/^(?:(?:---|\+\+\+|diff|index|={3,})[^\n]*\n)+/, '');
  const { lines, more } = diffLines(body, bounds.width - 2, bounds.linesPerFile);
  const counts = diff === '' ? '' : ` ${lineCounts(diff)}`;
  const heading = [span(`${changeOf(entry)} ${nameOf(entry)}`, 'bold'), span(counts, 'dim')];
  return [
    cut(heading, bounds.width),
    ...(note === undefined ? [] : [[span(`  ${safeLine(note)}`, 'dim')]]),
    ...(body === '' ? [] : lines.map((line): Line => [span('  '), ...line])),
    ...(more === 0 ? [] : [[span(`  … ${counted(more, 'more line')}: /diff shows all`, 'dim')]]),
  ];
}

function changeOf({ before, after, movedFrom }: TurnEntry): string {
  if (movedFrom !== undefined) return 'moved';
  if (before === 'missing') return 'created';
  return after === 'missing' ? 'deleted' : 'changed';
}

function nameOf({ path, movedFrom }: TurnEntry): string {
  return movedFrom === undefined ? safeLine(path) : `${safeLine(movedFrom)} → ${safeLine(path)}`;
}
