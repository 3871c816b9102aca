/** What a terminal in raw mode sends, as keys. Pasted text comes in brackets and is never taken for keys. */

export type Key = { readonly name: 'text' | 'paste'; readonly text: string } | { readonly name: KeyName };

export type KeyName =
  | 'enter'
  | 'line-break'
  | 'tab'
  | 'escape'
  | 'backspace'
  | 'delete'
  | 'left'
  | 'right'
  | 'up'
  | 'down'
  | 'home'
  | 'end'
  | 'word-left'
  | 'word-right'
  | 'erase-word'
  | 'erase-before'
  | 'erase-after'
  | 'interrupt'
  | 'end-of-input'
  | 'redraw';

const PASTE_START = '\u001b[200~';
const PASTE_END = '\u001b[201~';

const CONTROLS: Readonly<Record<string, KeyName>> = {
  '\r': 'enter',
  '\n': 'line-break',
  '\t': 'tab',
  '\u007f': 'backspace',
  '\b': 'backspace',
  '\u0001': 'home',
  '\u0002': 'left',
  '\u0003': 'interrupt',
  '\u0004': 'end-of-input',
  '\u0005': 'end',
  '\u0006': 'right',
  '\u000b': 'erase-after',
  '\u000c': 'redraw',
  '\u000e': 'down',
  '\u0010': 'up',
  '\u0015': 'erase-before',
  '\u0017': 'erase-word',
};

/** After an escape: what the terminals in use send. */
const SEQUENCES: Readonly<Record<string, KeyName>> = {
  '[A': 'up',
  '[B': 'down',
  '[C': 'right',
  '[D': 'left',
  OA: 'up',
  OB: 'down',
  OC: 'right',
  OD: 'left',
  '[H': 'home',
  '[F': 'end',
  OH: 'home',
  OF: 'end',
  '[1~': 'home',
  '[4~': 'end',
  '[7~': 'home',
  '[8~': 'end',
  '[3~': 'delete',
  '[1;3C': 'word-right',
  '[1;5C': 'word-right',
  '[1;3D': 'word-left',
  '[1;5D': 'word-left',
  '[13;2u': 'line-break',
  '[13;3u': 'line-break',
  '[27;2;13~': 'line-break',
  b: 'word-left',
  f: 'word-right',
  '\r': 'line-break',
  '\n': 'line-break',
  '\u007f': 'erase-word',
};

/** A sequence as terminals build them, or the one key that Alt goes with. */
const SEQUENCE = /^\u001b((?:\[[\x20-\x3f]*[\x40-\x7e])|(?:O[A-Za-z])|[^[O\u001b])/;
const UNFINISHED = /^\u001b(?:\[[\x20-\x3f]*|O)?$/;
/** What can stand in a text; everything else is a control character that no key has. */
const TEXT = /^[^\p{Cc}]+/u;

/** The keys in what came in, and what has to wait for more. */
export function decodeKeys(input: string): { keys: Key[]; rest: string } {
  const keys: Key[] = [];
  let rest = input;
  while (rest !== '') {
    if (rest.startsWith(PASTE_START)) {
      const end = rest.indexOf(PASTE_END);
      if (end === -1) break;
      keys.push({ name: 'paste', text: rest.slice(PASTE_START.length, end) });
      rest = rest.slice(end + PASTE_END.length);
    } else if (rest.startsWith('\u001b')) {
      if (UNFINISHED.test(rest)) break;
      const [whole, sequence] = SEQUENCE.exec(rest) ?? ['\u001b', undefined];
      const name = sequence === undefined ? 'escape' : SEQUENCES[sequence];
      if (name !== undefined) keys.push({ name });
      rest = rest.slice(whole.length);
    } else {
      const text = TEXT.exec(rest)?.[0];
      const name = CONTROLS[rest[0]!];
      if (text !== undefined) keys.push({ name: 'text', text });
      else if (name !== undefined) keys.push({ name });
      rest = rest.slice(text?.length ?? 1);
    }
  }
  return { keys, rest };
}

/** What waited and got no more: an escape that stands alone is a key. */
export function settleKeys(rest: string): Key[] {
  return rest === '\u001b' ? [{ name: 'escape' }] : [];
}
