/** Puts an item into JSON text by hand: comments and everything else stay as they are, where they are. */
import type { Node } from 'jsonc-parser';

/**
 * Puts an item on a line of its own behind the last one of an array or an object, behind its comments too. Where the
 * item has several lines, they are indented as the place asks for.
 */
export function appendItem(text: string, list: Node, item: string): string {
  const last = list.children?.at(-1);
  const behindLast = last === undefined ? list.offset + 1 : last.offset + last.length;
  const closing = list.offset + list.length - 1;
  const between = text.slice(behindLast, closing);
  const end = between.trimEnd().length;
  const hasComma = hasCommaIn(between);
  const lineEnd = text.includes('\r\n') ? '\r\n' : '\n';
  const outer = indentAt(text, list.offset);
  const isOnOwnLine = last !== undefined && /^[ \t]*$/.test(lineUpTo(text, last.offset));
  const indent = isOnOwnLine ? indentAt(text, last.offset) : outer + indentUnit(text);
  return [
    text.slice(0, behindLast),
    last === undefined || hasComma ? '' : ',',
    between.slice(0, end),
    lineEnd + indent,
    item.replaceAll('\n', lineEnd + indent),
    hasComma ? ',' : '',
    between.slice(end).includes('\n') ? between.slice(end) : lineEnd + outer,
    text.slice(closing),
  ].join('');
}

/** What one step of indentation is in this text: as in its first indented line. */
export function indentUnit(text: string): string {
  const [, indent = '  '] = /^([ \t]+)["[{]/m.exec(text) ?? [];
  return indent.startsWith('\t') ? '\t' : indent;
}

/** Between two items, or behind the last one, there are blanks, comments and commas, and nothing else. */
function hasCommaIn(between: string): boolean {
  return between.replaceAll(/\/\/.*|\/\*[^]*?\*\//g, '').includes(',');
}

function indentAt(text: string, offset: number): string {
  return /^[ \t]*/.exec(lineUpTo(text, offset))![0];
}

function lineUpTo(text: string, offset: number): string {
  return text.slice(text.lastIndexOf('\n', offset - 1) + 1, offset);
}
