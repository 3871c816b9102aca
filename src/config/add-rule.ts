/** Adds a rule to a config file's text; comments and everything else stay as they are, where they are. */
import { type Node, parseTree } from 'jsonc-parser';
import type { Rule } from '../policy/rule.ts';

/** The text of a usable file, with the rule as the last one, on a line of its own. */
export function addRule(text: string, rule: Rule): string {
  const mark = text.startsWith('\ufeff') ? '\ufeff' : '';
  const body = text.slice(mark.length);
  const settings = parseTree(body, [], { allowTrailingComma: true })!;
  // Of a name that stands there twice, the last one counts.
  const rules = settings.children?.findLast(({ children }) => children?.[0]?.value === 'rules');
  if (rules !== undefined) return mark + append(body, rules.children![1]!, JSON.stringify(rule));
  const added = append(body, settings, '"rules": []');
  return addRule(mark + added, rule);
}

/** Puts an item behind the last one of an array or an object, behind its comments too. */
function append(text: string, list: Node, item: string): string {
  const last = list.children?.at(-1);
  const behindLast = last === undefined ? list.offset + 1 : last.offset + last.length;
  const closing = list.offset + list.length - 1;
  const between = text.slice(behindLast, closing);
  const end = between.trimEnd().length;
  const hasComma = hasCommaIn(between);
  const lineEnd = text.includes('\r\n') ? '\r\n' : '\n';
  const outer = indentAt(text, list.offset);
  const isOnOwnLine = last !== undefined && /^[ \t]*$/.test(lineUpTo(text, last.offset));
  return [
    text.slice(0, behindLast),
    last === undefined || hasComma ? '' : ',',
    between.slice(0, end),
    lineEnd + (isOnOwnLine ? indentAt(text, last.offset) : `${outer}  `),
    item,
    hasComma ? ',' : '',
    between.slice(end).includes('\n') ? between.slice(end) : lineEnd + outer,
    text.slice(closing),
  ].join('');
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
