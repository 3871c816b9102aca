/** What models do to changes they write down from memory. */
import type { Change } from './corpus.ts';
import type { Random } from './random.ts';

/** A change as it was written down. */
export interface Written {
  /** The line its header names; undefined where the header has no numbers. */
  readonly line: number | undefined;
  /** How wrong the counts of its header are. */
  readonly miscount: number;
  readonly lines: readonly string[];
  /** Whether lines end with CRLF on the way. */
  readonly isCrlf: boolean;
}

export interface Damage {
  readonly name: string;
  /** Only patches have it. */
  readonly isOfPatches?: true;
  /** Undefined where the change can't be damaged this way. */
  readonly damage: (written: Written, random: Random) => Written | undefined;
}

/** A change as it is. */
export function undamaged({ line, lines }: Change): Written {
  return { line, miscount: 0, lines, isCrlf: false };
}

export const DAMAGES: readonly Damage[] = [
  { name: 'none', damage: (written) => written },
  {
    name: 'wrong line numbers',
    isOfPatches: true,
    damage: misnumbered,
  },
  {
    name: 'wrong counts',
    isOfPatches: true,
    damage: (written, random) => ({ ...written, miscount: 1 + random.below(3) }),
  },
  { name: 'no numbers', isOfPatches: true, damage: (written) => ({ ...written, line: undefined }) },
  {
    name: 'unmarked blank lines',
    isOfPatches: true,
    damage: (written) => changed(written, (line) => (line === ' ' ? '' : line)),
  },
  {
    name: 'blanks added at line ends',
    damage: (written, random) => changed(written, (line) => line + ' '.repeat(random.below(3))),
  },
  {
    name: 'blanks lost at line ends',
    damage: (written) => changed(written, (line) => line[0]! + line.slice(1).trimEnd()),
  },
  {
    name: 'tabs for blanks',
    damage: (written) => changed(written, (line) => line[0]! + tabbed(line.slice(1))),
  },
  {
    name: 'blanks for tabs',
    damage: (written) => changed(written, (line) => line[0]! + untabbed(line.slice(1))),
  },
  {
    name: 'indented further',
    damage: (written) =>
      changed(written, (line) => (line.length > 1 ? `${line[0]}  ${line.slice(1)}` : line)),
  },
  { name: 'indented less', damage: (written) => dedented(written) },
  { name: 'typographic quotes', damage: (written) => changed(written, curled) },
  {
    name: 'context missing at one side',
    damage: (written, random) =>
      withoutContext(written, random.below(2) === 0 ? { front: 9, back: 0 } : { front: 0, back: 9 }),
  },
  { name: 'context of one line', damage: (written) => shortContext(written) },
  {
    name: 'the same, and wrong line numbers',
    isOfPatches: true,
    damage(written, random) {
      const short = shortContext(written);
      return short && misnumbered(short, random);
    },
  },
  { name: 'no context', damage: (written) => withoutContext(written, { front: 9, back: 9 }) },
  {
    name: 'first line of context twice',
    damage: (written) =>
      written.lines[0]!.startsWith(' ')
        ? { ...written, lines: [written.lines[0]!, ...written.lines] }
        : undefined,
  },
  {
    name: 'last line of context twice',
    damage: (written) =>
      written.lines.at(-1)!.startsWith(' ')
        ? { ...written, lines: [...written.lines, written.lines.at(-1)!] }
        : undefined,
  },
  {
    name: 'several of these',
    damage(written, random) {
      const shifted = changed(written, (line) =>
        line.length > 1 ? `${line[0]}  ${curled(line.slice(1))} ` : line,
      );
      return (
        shifted && {
          ...shifted,
          line: Math.max(1, shifted.line! + random.below(20)),
          isCrlf: random.below(2) === 0,
        }
      );
    },
  },
  { name: 'CRLF', damage: (written) => ({ ...written, isCrlf: true }) },
];

function misnumbered(written: Written, random: Random): Written {
  const shift = (random.below(2) === 0 ? -1 : 1) * (1 + random.below(40));
  return { ...written, line: Math.max(1, written.line! + shift) };
}

function changed(written: Written, change: (line: string) => string): Written | undefined {
  const lines = written.lines.map(change);
  return lines.every((line, index) => line === written.lines[index]) ? undefined : { ...written, lines };
}

function tabbed(text: string): string {
  const blanks = /^ */.exec(text)![0].length;
  return '\t'.repeat(Math.floor(blanks / 2)) + text.slice(Math.floor(blanks / 2) * 2);
}

function untabbed(text: string): string {
  const tabs = /^\t*/.exec(text)![0].length;
  return ' '.repeat(tabs * 4) + text.slice(tabs);
}

function dedented(written: Written): Written | undefined {
  const widths = written.lines
    .filter((line) => line.slice(1).trim() !== '')
    .map((line) => /^[ \t]*/.exec(line.slice(1))![0].length);
  const least = Math.min(...widths);
  return least === 0 ? undefined : changed(written, (line) => line[0]! + line.slice(1 + least));
}

function curled(line: string): string {
  let isOpen = false;
  return line.replaceAll(/["']/g, (quote) => {
    if (quote === "'") return '\u2019';
    isOpen = !isOpen;
    return isOpen ? '\u201c' : '\u201d';
  });
}

function withoutContext(
  written: Written,
  { front, back }: { front: number; back: number },
): Written | undefined {
  const first = written.lines.findIndex((line) => !line.startsWith(' '));
  const last = written.lines.findLastIndex((line) => !line.startsWith(' '));
  const start = Math.min(first, front);
  const end = Math.max(last + 1, written.lines.length - back);
  const lines = written.lines.slice(start, end);
  if (lines.length === written.lines.length || lines.every((line) => line.startsWith('+'))) return undefined;
  return { ...written, line: written.line! + start, lines };
}

function shortContext(written: Written): Written | undefined {
  const first = written.lines.findIndex((line) => !line.startsWith(' '));
  const last = written.lines.findLastIndex((line) => !line.startsWith(' '));
  return withoutContext(written, {
    front: Math.max(0, first - 1),
    back: Math.max(0, written.lines.length - last - 2),
  });
}
