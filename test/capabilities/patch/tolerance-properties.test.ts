/** Tolerance in general: whatever is off, a change arrives where it fits in one place, and nowhere when it fits in two. */
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { applyHunks } from '../../../src/capabilities/patch/apply-hunks.ts';
import { parsePatch } from '../../../src/capabilities/patch/parse-patch.ts';
import { replaceText } from '../../../src/capabilities/patch/replace-text.ts';
import { Failure } from '../../../src/failure.ts';

/** A way to write the same lines differently. */
interface Style {
  readonly indent: string;
  readonly blanks: string;
  readonly quote: string;
}

const style = fc.record<Style>({
  indent: fc.constantFrom('', '  ', '    ', '      ', '\t', '\t\t'),
  blanks: fc.constantFrom('', ' ', '\t '),
  quote: fc.constantFrom("'", '\u2019', '\u2018'),
});

const block = fc.uniqueArray(fc.stringMatching(/^[a-z]{1,6}$/), { minLength: 2, maxLength: 6 });
const around = fc.array(fc.constantFrom('OTHER', 'LINES', '', '}'), { maxLength: 8 });

function written(words: readonly string[], { indent, blanks, quote }: Style): string[] {
  return words.map((word) => `${indent}f(${quote}${word}${quote});${blanks}`);
}

/** Makes the change of the second line, as an edit and as a patch without numbers. */
function changes(
  words: readonly string[],
  how: Style,
): { readonly name: string; readonly apply: (file: string) => string }[] {
  const old = written(words, how);
  const now = written([words[0]!, 'NEW', ...words.slice(2)], how);
  const hunk = [` ${old[0]}`, `-${old[1]}`, `+${now[1]}`, ...old.slice(2).map((line) => ` ${line}`)];
  return [
    {
      name: 'edit',
      apply: (file) =>
        replaceText('f', file, { oldText: old.join('\n'), newText: now.join('\n'), all: false }).text,
    },
    {
      name: 'patch',
      apply: (file) =>
        applyHunks('f', file, parsePatch(`--- a/f\n+++ b/f\n@@\n${hunk.join('\n')}\n`)[0]!.hunks, {
          alreadyApplied: 'failure',
        }).text,
    },
  ];
}

function codeOf(work: () => string): string {
  try {
    return `applied: ${work()}`;
  } catch (error) {
    if (error instanceof Failure) return error.code;
    throw error;
  }
}

describe('a change in another style', () => {
  it('arrives in the style of the file where it fits once', () => {
    fc.assert(
      fc.property(block, style, style, around, around, (words, ofFile, ofChange, before, after) => {
        const fileOf = (inner: readonly string[]): string =>
          [...before, ...written(inner, ofFile), ...after, ''].join('\n');
        const expected = fileOf([words[0]!, 'NEW', ...words.slice(2)]);
        for (const { name, apply } of changes(words, ofChange))
          expect({ name, text: apply(fileOf(words)) }).toEqual({ name, text: expected });
      }),
      { numRuns: 500 },
    );
  });

  it('is refused where it fits twice', () => {
    fc.assert(
      fc.property(block, style, style, style, around, (words, first, second, ofChange, between) => {
        const same = (one: Style): boolean => JSON.stringify(one) === JSON.stringify(ofChange);
        fc.pre(!same(first) && !same(second));
        const places = [written(words, first), written(words, second)];
        // Where one place needs less tolerance than the other, that one is meant.
        fc.pre(neededFor(first, ofChange) === neededFor(second, ofChange));
        const file = [...places[0]!, ...between, ...places[1]!, ''].join('\n');
        for (const { name, apply } of changes(words, ofChange))
          expect({ name, code: codeOf(() => apply(file)) }).toEqual({
            name,
            code: expect.toBeOneOf(['E_NOT_UNIQUE', 'E_PATCH']),
          });
      }),
      { numRuns: 500 },
    );
  });
});

/** The step of tolerance at which two styles are the same. */
function neededFor(one: Style, other: Style): number {
  const isIndented = one.indent !== other.indent;
  const hasBlanks = one.blanks !== other.blanks;
  const isQuoted = one.quote !== other.quote;
  if (isIndented) return isQuoted ? 6 : 5;
  if (isQuoted) return hasBlanks ? 4 : 3;
  return hasBlanks ? 2 : 0;
}
