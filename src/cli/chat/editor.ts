/** The line that is being written, of one row or several: a value, and what each key makes of it. */
import type { Key } from './keys.ts';
import { shown } from '../../shown.ts';
import { type Line, span, symbolsOf, widthOf } from './spans.ts';

export interface Editor {
  readonly text: string;
  /** Where the next character goes. */
  readonly cursor: number;
  /** What was sent before, oldest first. */
  readonly history: readonly string[];
  /** Which of them is shown; undefined for what is being written. */
  readonly at?: number | undefined;
  /** What was being written when an earlier one was called up. */
  readonly draft: string;
}

export function newEditor(history: readonly string[]): Editor {
  return { text: '', cursor: 0, history, draft: '' };
}

/** What was written is gone, and remembered. */
export function sent(editor: Editor): Editor {
  const history = editor.history.at(-1) === editor.text ? editor.history : [...editor.history, editor.text];
  return newEditor(history);
}

/** The editor with another text, the cursor behind it. */
export function withText(editor: Editor, text: string, cursor = text.length): Editor {
  return { ...editor, text, cursor };
}

/** Whether Enter goes on in another row: after a backslash. */
export function wantsMore({ text, cursor }: Editor): boolean {
  return cursor === text.length && text.endsWith('\\');
}

/** What a key makes of it; keys that mean something else leave it as it is. */
export function press(editor: Editor, key: Key): Editor {
  const { text, cursor } = editor;
  switch (key.name) {
    case 'text':
      return insert(editor, key.text);
    case 'paste':
      return insert(editor, key.text.replace(/\r\n?/g, '\n'));
    case 'line-break':
      return insert(editor, '\n');
    case 'enter':
      return wantsMore(editor) ? withText(editor, `${text.slice(0, -1)}\n`) : editor;
    case 'backspace':
      return erase(editor, before(text, cursor), cursor);
    case 'delete':
    case 'end-of-input':
      return erase(editor, cursor, after(text, cursor));
    case 'erase-word':
      return erase(editor, wordBefore(text, cursor), cursor);
    case 'erase-before':
      return erase(editor, rowStart(text, cursor), cursor);
    case 'erase-after':
      return erase(editor, cursor, rowEnd(text, cursor));
    case 'left':
      return { ...editor, cursor: before(text, cursor) };
    case 'right':
      return { ...editor, cursor: after(text, cursor) };
    case 'word-left':
      return { ...editor, cursor: wordBefore(text, cursor) };
    case 'word-right':
      return { ...editor, cursor: cursor + (/^\s*\S*/.exec(text.slice(cursor))?.[0].length ?? 0) };
    case 'home':
      return { ...editor, cursor: rowStart(text, cursor) };
    case 'end':
      return { ...editor, cursor: rowEnd(text, cursor) };
    case 'up':
      return rowStart(text, cursor) > 0 ? { ...editor, cursor: rowAbove(text, cursor) } : recall(editor, -1);
    case 'down':
      return rowEnd(text, cursor) < text.length
        ? { ...editor, cursor: rowBelow(text, cursor) }
        : recall(editor, 1);
    default:
      return editor;
  }
}

function insert(editor: Editor, text: string): Editor {
  const { text: old, cursor } = editor;
  return withText(editor, `${old.slice(0, cursor)}${text}${old.slice(cursor)}`, cursor + text.length);
}

function erase(editor: Editor, from: number, to: number): Editor {
  return withText(editor, `${editor.text.slice(0, from)}${editor.text.slice(to)}`, from);
}

function before(text: string, cursor: number): number {
  return cursor - (symbolsOf(text.slice(0, cursor)).at(-1)?.length ?? 0);
}

function after(text: string, cursor: number): number {
  return cursor + (symbolsOf(text.slice(cursor))[0]?.length ?? 0);
}

function wordBefore(text: string, cursor: number): number {
  return text.slice(0, cursor).replace(/\S*\s*$/, '').length;
}

function rowStart(text: string, cursor: number): number {
  return text.lastIndexOf('\n', cursor - 1) + 1;
}

function rowEnd(text: string, cursor: number): number {
  const end = text.indexOf('\n', cursor);
  return end === -1 ? text.length : end;
}

function rowAbove(text: string, cursor: number): number {
  const start = rowStart(text, cursor);
  const above = rowStart(text, start - 1);
  return Math.min(above + cursor - start, start - 1);
}

function rowBelow(text: string, cursor: number): number {
  const below = rowEnd(text, cursor) + 1;
  return Math.min(below + cursor - rowStart(text, cursor), rowEnd(text, below));
}

function recall(editor: Editor, step: 1 | -1): Editor {
  const { history, at = history.length, text, draft } = editor;
  const next = at + step;
  if (next < 0 || next > history.length) return editor;
  const kept = at === history.length ? text : draft;
  const recalled = next === history.length ? kept : history[next]!;
  return { ...withText(editor, recalled), at: next === history.length ? undefined : next, draft: kept };
}

/** The editor as rows of a terminal, and where its cursor is in them. */
export function editorRows(
  { text, cursor }: Editor,
  prompt: string,
  width: number,
): { rows: Line[]; row: number; column: number } {
  const margin = widthOf(prompt);
  const rows: string[] = [''];
  let position = { row: 0, column: 0 };
  let column = 0;
  let offset = 0;
  const room = Math.max(width - margin - 1, 2);
  for (const symbol of symbolsOf(text)) {
    if (offset === cursor) position = { row: rows.length - 1, column };
    offset += symbol.length;
    const written = symbol === '\n' ? '' : symbol === '\t' ? '    ' : shown(symbol);
    if (symbol === '\n' || column + widthOf(written) > room) {
      rows.push('');
      column = 0;
    }
    rows[rows.length - 1] += written;
    column += widthOf(written);
  }
  if (offset === cursor) position = { row: rows.length - 1, column };
  return {
    rows: rows.map((row, index) => [
      index === 0 ? span(prompt, 'bold', 'cyan') : span(' '.repeat(margin)),
      span(row),
    ]),
    row: position.row,
    column: position.column + margin,
  };
}
