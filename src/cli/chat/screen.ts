/**
 * The terminal: finished lines scroll away above, and below them a few rows are drawn again whenever something changes.
 * Each update is one write, so that nothing flickers and nothing comes between.
 */
import type { WriteStream } from 'node:tty';
import { cut, type Line, lineWidth, paint } from './spans.ts';

/** The rows that stay at the bottom, and where the cursor is in them; without one it is hidden. */
export interface LivePart {
  readonly rows: readonly Line[];
  readonly cursor?: { readonly row: number; readonly column: number } | undefined;
}

const BEGIN = '\u001b[?2026h\u001b[?25l';
const END = '\u001b[?2026l';
const ERASE_TO_END = '\u001b[K';
const ERASE_BELOW = '\u001b[J';
const SHOW_CURSOR = '\u001b[?25h';
const PASTE_IN_BRACKETS = '\u001b[?2004h';
const PASTE_PLAIN = '\u001b[?2004l';
const CLEAR = '\u001b[2J\u001b[H';

export class Screen {
  readonly #output: WriteStream;
  readonly #hasColor: boolean;
  #live: LivePart = { rows: [] };
  #drawn = '';
  #isClosed = false;

  constructor(output: WriteStream, hasColor: boolean) {
    this.#output = output;
    this.#hasColor = hasColor;
    output.write(PASTE_IN_BRACKETS);
  }

  /** A terminal that does not say is taken for a usual one. */
  get width(): number {
    return Math.max(this.#output.columns || 80, 8);
  }

  get height(): number {
    return this.#output.rows || 24;
  }

  /** Prints lines for good, and draws the live part below them. */
  update(printed: readonly Line[], live: LivePart): void {
    const fitting = this.#fit(live);
    const drawn = this.#draw(fitting);
    if (this.#isClosed || (printed.length === 0 && drawn === this.#drawn)) return;
    const above = printed.map((line) => `${paint(line, this.#hasColor)}${ERASE_TO_END}\r\n`).join('');
    this.#output.write(`${BEGIN}${this.#toTop()}${above}${drawn}${END}`);
    this.#live = fitting;
    this.#drawn = drawn;
  }

  /** Draws on an empty screen; what was printed is still in the terminal's memory. */
  redraw(): void {
    this.#output.write(`${BEGIN}${CLEAR}${this.#drawn}${END}`);
  }

  /** Leaves the terminal as it was found, below what was printed. */
  close(): void {
    this.#output.write(`${this.#toTop()}${ERASE_BELOW}${SHOW_CURSOR}${PASTE_PLAIN}`);
    this.#isClosed = true;
  }

  /** As many rows as there are, the last ones where they are too many; none wider than the terminal. */
  #fit({ rows, cursor }: LivePart): LivePart {
    const dropped = Math.max(0, rows.length - (this.height - 1));
    return {
      rows: rows.slice(dropped).map((row) => cut(row, this.width)),
      cursor: cursor === undefined ? undefined : { ...cursor, row: Math.max(0, cursor.row - dropped) },
    };
  }

  #draw({ rows, cursor }: LivePart): string {
    const lines = rows.map((row) => `${paint(row, this.#hasColor)}${ERASE_TO_END}`).join('\r\n');
    if (cursor === undefined) return `${lines}${ERASE_BELOW}`;
    const up = rows.length - 1 - cursor.row;
    const column = Math.min(cursor.column, this.width - 1);
    return `${lines}${ERASE_BELOW}\r${moved(up, 'A')}${moved(column, 'C')}${SHOW_CURSOR}`;
  }

  /** To the first row of what is live; a terminal that became narrower has broken rows in two. */
  #toTop(): string {
    const { rows, cursor } = this.#live;
    const last = cursor?.row ?? Math.max(0, rows.length - 1);
    const broken = (line: Line): number => Math.max(1, Math.ceil(lineWidth(line) / this.width));
    const above = rows.slice(0, last).reduce((sum, row) => sum + broken(row), 0);
    const within =
      cursor === undefined
        ? broken(rows[last] ?? []) - 1
        : Math.floor(Math.min(cursor.column, lineWidth(rows[last] ?? [])) / this.width);
    return `\r${moved(above + within, 'A')}`;
  }
}

function moved(times: number, direction: 'A' | 'C'): string {
  return times <= 0 ? '' : `\u001b[${times}${direction}`;
}
