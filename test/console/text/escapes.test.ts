import { describe, expect, it } from 'vitest';
import { shown } from '../../../src/shown.ts';
import { escapes, visibleJson } from '../../../console/src/text/escapes.ts';

describe('escapes', () => {
  it('shows what would not be seen, and keeps all the rest', () => {
    expect(escapes('a\u202eb\tc\r<i>')).toEqual([
      { kind: 'plain', text: 'a' },
      { kind: 'escape', text: '\\u202e' },
      { kind: 'plain', text: 'b' },
      { kind: 'tab', text: '→\t' },
      { kind: 'plain', text: 'c' },
      { kind: 'escape', text: '\\u000d' },
      { kind: 'plain', text: '<i>' },
    ]);
    expect(escapes('')).toEqual([]);
  });

  it('shows the same as the terminal does, for every character but the tab', () => {
    const others = Array.from({ length: 0x11_0000 }, (_, code) => String.fromCodePoint(code)).filter(
      (character) => character !== '\t',
    );
    const differing = others.filter(
      (character) =>
        escapes(character)
          .map(({ text }) => text)
          .join('') !== shown(character),
    );
    expect(differing).toEqual([]);
  });
});

describe('visibleJson', () => {
  it('is the same value, with nothing in it that could not be seen', () => {
    const value = { text: 'a\u202e\t\n"\u{e0041}é', list: [1] };
    const written = visibleJson(value);
    expect(written).toBe('{\n  "text": "a\\u202e\\t\\n\\"\\udb40\\udc41é",\n  "list": [\n    1\n  ]\n}');
    expect(JSON.parse(written)).toEqual(value);
  });
});
