/** Settings in JSON, with or without comments, edited as text. */
import { isDeepStrictEqual } from 'node:util';
import { createScanner, getNodeValue, type Node, type ParseError, parseTree } from 'jsonc-parser';
import { appendItem, indentUnit } from '../../config/append-item.ts';
import { syntaxTrouble } from '../../config/syntax-trouble.ts';
import { type Change, type Format, Unusable, type Value } from './change.ts';

const MARK = '\ufeff';
const EMPTY = '{}\n';

export const jsonFormat: Format = {
  apply(text, changes) {
    return onBody(text ?? '', (body) => changes.reduce(apply, isBlank(body) ? EMPTY : body));
  },
  withdraw(text, changes, before) {
    if (isBlank(text)) return text;
    const old = before === undefined || isBlank(before) ? EMPTY : withoutMark(before);
    const rest = onBody(text, (body) => changes.reduce((all, change) => withdraw(all, change, old), body));
    const isGone = before === undefined && rest !== text && /^\ufeff?\s*\{\s*\}\s*$/.test(rest);
    return isGone ? undefined : rest;
  },
};

function onBody(text: string, edit: (body: string) => string): string {
  const body = withoutMark(text);
  return (body === text ? '' : MARK) + edit(body);
}

function withoutMark(text: string): string {
  return text.startsWith(MARK) ? text.slice(MARK.length) : text;
}

function isBlank(text: string): boolean {
  return withoutMark(text).trim() === '';
}

function apply(text: string, change: Change): string {
  const found = nodeAt(rootOf(text), change.at);
  if (found === undefined) return insert(text, change.at, 'value' in change ? change.value : change.items);
  if ('value' in change) {
    if (isDeepStrictEqual(getNodeValue(found), change.value)) return text;
    const indented = written(change.value, text).replaceAll('\n', lineBreakAt(text, found.offset));
    return replace(text, found, indented);
  }
  const list = itemsOf(found, change.at);
  return change.items
    .filter((item) => !list.includes(item))
    .reduce((all, item) => appendItem(all, nodeAt(rootOf(all), change.at)!, JSON.stringify(item)), text);
}

function replace(text: string, { offset, length }: Node, source: string): string {
  return text.slice(0, offset) + source + text.slice(offset + length);
}

/** Puts a value where nothing is yet, with the objects around it. */
function insert(text: string, at: readonly string[], value: Value): string {
  const root = rootOf(text);
  const depth = at.findIndex((_, index) => nodeAt(root, at.slice(0, index + 1)) === undefined);
  const nested = at.slice(depth + 1).reduceRight<Value>((inner, name) => ({ [name]: inner }), value);
  const item = `${JSON.stringify(at[depth])}: ${written(nested, text)}`;
  return appendItem(text, nodeAt(root, at.slice(0, depth))!, item);
}

function withdraw(text: string, change: Change, before: string): string {
  const found = nodeAt(rootOf(text), change.at);
  if (found === undefined) return text;
  const old = nodeAt(rootOf(before), change.at);
  if ('items' in change) {
    const kept = old === undefined ? [] : itemsOf(old, change.at);
    const gone = change.items.filter((item) => !kept.includes(item));
    const without = gone.reduce((all, item) => removeItem(all, change.at, item), text);
    return prune(without, change.at, before);
  }
  const value: unknown = getNodeValue(found);
  if (typeof change.value !== 'object' && value !== change.value) return text;
  if (old !== undefined) return replace(text, found, before.slice(old.offset, old.offset + old.length));
  return prune(removeChild(text, found.parent!), change.at.slice(0, -1), before);
}

function removeItem(text: string, at: readonly string[], item: string): string {
  const child = nodeAt(rootOf(text), at)!.children!.find(({ value }) => value === item);
  return child === undefined ? text : removeChild(text, child);
}

/** Takes away what became empty, up to the first that is not, or that was there before. */
function prune(text: string, at: readonly string[], before: string): string {
  const found = nodeAt(rootOf(text), at);
  if (at.length === 0 || found?.children?.length !== 0 || nodeAt(rootOf(before), at) !== undefined)
    return text;
  return prune(removeChild(text, found.parent!), at.slice(0, -1), before);
}

/** Takes an item of a list, or a name with its value, out of a text, with its comma and its line; comments stay. */
function removeChild(text: string, child: Node): string {
  const siblings = child.parent!.children!;
  const previous = siblings[siblings.indexOf(child) - 1];
  const end = child.offset + child.length;
  const behind = commaIn(text, end, child.parent!.offset + child.parent!.length - 1);
  const comma = behind ?? (previous && commaIn(text, previous.offset + previous.length, child.offset));
  const start = child.offset - /(?:\r?\n)?[ \t]*$/.exec(text.slice(0, child.offset))![0].length;
  const cuts = [[start, end], ...(comma === undefined ? [] : [[comma, comma + 1]])] as [number, number][];
  const rest = cuts
    .sort(([one], [other]) => other - one)
    .reduce((all, [from, to]) => all.slice(0, from) + all.slice(to), text);
  return siblings.length > 1 ? rest : collapse(rest, child.parent!.offset);
}

/** An object or a list that holds blanks only holds nothing. */
function collapse(text: string, offset: number): string {
  const inner = /^\s*(?=[}\]])/.exec(text.slice(offset + 1));
  return inner === null ? text : text.slice(0, offset + 1) + text.slice(offset + 1 + inner[0].length);
}

/** Where the next comma is, comments aside; undefined where something else comes first. */
function commaIn(text: string, from: number, to: number): number | undefined {
  const scanner = createScanner(text.slice(from, to), true);
  scanner.scan();
  const next = from + scanner.getTokenOffset();
  return next < to && text[next] === ',' ? next : undefined;
}

function itemsOf(list: Node, at: readonly string[]): unknown[] {
  if (list.type !== 'array') throw new Unusable(`${JSON.stringify(at.join('.'))} is not a list`);
  return list.children!.map(({ value }): unknown => value);
}

/** The value at a place; undefined where there is none. Of a name that stands there twice, the last one counts. */
function nodeAt(root: Node, at: readonly string[]): Node | undefined {
  let node: Node | undefined = root;
  for (const [depth, name] of at.entries()) {
    if (node.type !== 'object')
      throw new Unusable(`${JSON.stringify(at.slice(0, depth).join('.'))} is not an object`);
    node = node.children!.findLast(({ children }) => children![0]!.value === name)?.children![1];
    if (node === undefined) return undefined;
  }
  return node;
}

function rootOf(text: string): Node {
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { allowTrailingComma: true });
  const [first] = errors;
  if (first !== undefined) {
    const line = text.slice(0, first.offset).split('\n').length;
    throw new Unusable(`line ${line}: ${syntaxTrouble(first)}`);
  }
  if (root?.type !== 'object') throw new Unusable('it is not an object');
  return root;
}

function written(value: Value, text: string): string {
  return JSON.stringify(value, undefined, indentUnit(text));
}

function lineBreakAt(text: string, offset: number): string {
  const line = text.slice(text.lastIndexOf('\n', offset - 1) + 1, offset);
  return (text.includes('\r\n') ? '\r\n' : '\n') + /^[ \t]*/.exec(line)![0];
}
