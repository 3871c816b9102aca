/** Unified diffs, judged by the programs that apply them. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { unifiedDiff } from '../../../src/capabilities/fs/unified-diff.ts';
import { scaled } from '../../support/scale.ts';

const PROGRAMS = {
  'git apply': ['git', 'apply', '--whitespace=nowarn', '-'],
  patch: ['patch', '-p1', '--silent', '--binary'],
} as const;
type Program = keyof typeof PROGRAMS;
const programs = Object.keys(PROGRAMS) as Program[];

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'unified-diff-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** The file after a program applied the diff to what was there before. */
function applied(program: Program, before: string | undefined, diff: string): string {
  const file = join(folder, 'f.txt');
  rmSync(file, { force: true });
  if (before !== undefined) writeFileSync(file, before);
  const [command, ...args] = PROGRAMS[program];
  execFileSync(command, args, { cwd: folder, input: diff, stdio: ['pipe', 'pipe', 'pipe'] });
  return readFileSync(file, 'utf8');
}

const LINE = /[^\n]*\n|[^\n]+$/g;
const HUNK = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@\n$/;

/** Applies a diff by its line numbers alone; programs look around for a place that fits. */
function appliedExactly(before: string, diff: string): string {
  const old = before.match(LINE) ?? [];
  const made: string[] = [];
  let taken = 0;
  for (const { head, body } of hunksOf(diff)) {
    const [, oldStart, oldCount = '1', newStart, newCount = '1'] = HUNK.exec(head) ?? [];
    // A side without lines names the line before it.
    const from = Number(oldStart) - (oldCount === '0' ? 0 : 1);
    made.push(...old.slice(taken, from));
    expect(made.length).toBe(Number(newStart) - (newCount === '0' ? 0 : 1));
    taken = from + Number(oldCount);
    expect(side(body, '+')).toEqual(old.slice(from, taken));
    expect(side(body, '-').length).toBe(Number(newCount));
    made.push(...side(body, '-'));
  }
  return [...made, ...old.slice(taken)].join('');
}

function hunksOf(diff: string): { head: string; body: string[] }[] {
  const hunks: { head: string; body: string[] }[] = [];
  const [, , ...lines] = diff.match(LINE) ?? [];
  for (const line of lines) {
    const body = hunks.at(-1)?.body ?? [];
    if (line.startsWith('@@')) hunks.push({ head: line, body: [] });
    else if (line.startsWith('\\')) body.push((body.pop() ?? '').slice(0, -1));
    else body.push(line);
  }
  return hunks;
}

/** The lines of one side: all but those of the other. */
function side(body: readonly string[], other: '+' | '-'): string[] {
  return body.filter((line) => !line.startsWith(other)).map((line) => line.slice(1));
}

/** Lines that look like parts of a diff, and lines that meet each other often. */
const line = fc.oneof(
  fc.constantFrom(
    'a',
    'b',
    'c',
    '',
    ' a',
    '+a',
    '-a',
    '--- a/f.txt',
    '+++ b/f.txt',
    '@@ -1 +1 @@',
    'ä',
    '\t',
  ),
  fc.constantFrom('\\ No newline at end of file', 'diff --git a/f.txt b/f.txt', 'a\rb', 'trailing '),
  fc.string({ maxLength: 5 }).map((text) => text.replace(/[\n\r\0]/g, '')),
);

const text = fc
  .record({
    lines: fc.array(line, { maxLength: 30 }),
    ending: fc.constantFrom('\n', '\r\n'),
    isEnded: fc.boolean(),
  })
  .map(({ lines, ending, isEnded }) => lines.join(ending) + (isEnded && lines.length > 0 ? ending : ''));

/** Mostly small changes of one text, so that hunks have context and come in several. */
const change = fc.oneof(
  fc.record({ before: fc.option(text, { nil: undefined }), after: text }),
  fc
    .record({
      lines: fc.array(line, { minLength: 1, maxLength: 60 }),
      edits: fc.array(
        fc.record({ at: fc.nat(60), removes: fc.nat(2), adds: fc.array(line, { maxLength: 2 }) }),
        {
          maxLength: 4,
        },
      ),
      wasEnded: fc.boolean(),
      isEnded: fc.boolean(),
    })
    .map(({ lines, edits, wasEnded, isEnded }) => {
      const edited = [...lines];
      for (const { at, removes, adds } of edits) edited.splice(at, removes, ...adds);
      return { before: ended(lines, wasEnded), after: ended(edited, isEnded) };
    }),
);

function ended(lines: readonly string[], isEnded: boolean): string {
  return lines.join('\n') + (isEnded && lines.length > 0 ? '\n' : '');
}

function countLines(content: string | undefined): number {
  return (content ?? '').match(LINE)?.length ?? 0;
}

describe('unifiedDiff', () => {
  it.each(programs)('makes what %s turns the one text into the other with', (program) => {
    fc.assert(
      fc.property(change, ({ before, after }) => {
        // No unified diff can say that an empty file appears.
        fc.pre(before !== undefined || after !== '');
        const { diff } = unifiedDiff('f.txt', before, after);
        expect(diff === '').toBe(before === after);
        expect(diff === '' ? before : applied(program, before, diff)).toBe(after);
      }),
      { numRuns: scaled(150) },
    );
  });

  it('numbers its lines exactly', () => {
    fc.assert(
      fc.property(change, ({ before = '', after }) => {
        expect(appliedExactly(before, unifiedDiff('f.txt', before, after).diff)).toBe(after);
      }),
    );
  });

  it('counts what it adds and deletes', () => {
    fc.assert(
      fc.property(change, ({ before, after }) => {
        const { diff, additions, deletions } = unifiedDiff('f.txt', before, after);
        const [, , ...body] = diff.split('\n');
        expect({ additions, deletions }).toEqual({
          additions: body.filter((line) => line.startsWith('+')).length,
          deletions: body.filter((line) => line.startsWith('-')).length,
        });
        expect(additions - deletions).toBe(countLines(after) - countLines(before));
      }),
    );
  });

  it('writes the headers of new, changed and removed files', () => {
    expect(unifiedDiff('a/b.txt', undefined, 'x\n').diff).toBe(
      '--- /dev/null\n+++ b/a/b.txt\n@@ -0,0 +1 @@\n+x\n',
    );
    expect(unifiedDiff('a/b.txt', 'x\n', 'y\n').diff).toBe(
      '--- a/a/b.txt\n+++ b/a/b.txt\n@@ -1 +1 @@\n-x\n+y\n',
    );
    expect(unifiedDiff('a/b.txt', 'x\n', undefined).diff).toBe(
      '--- a/a/b.txt\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n',
    );
  });

  it('says nothing about equal texts', () => {
    expect(unifiedDiff('f.txt', 'x\n', 'x\n')).toEqual({ diff: '', additions: 0, deletions: 0 });
    expect(unifiedDiff('f.txt', undefined, undefined)).toEqual({ diff: '', additions: 0, deletions: 0 });
  });

  it('shows three lines around a change', () => {
    const before = 'abcdefghi'.split('').join('\n');
    const { diff } = unifiedDiff('f.txt', before, before.replace('e', 'E'));
    expect(diff.split('\n').slice(2)).toEqual([
      '@@ -2,7 +2,7 @@',
      ' b',
      ' c',
      ' d',
      '-e',
      '+E',
      ' f',
      ' g',
      ' h',
      '',
    ]);
  });
});

/** More changed lines than a smallest diff is searched for. */
const many = fc.record({
  old: fc.integer({ min: 600, max: 900 }).map((count) => numbered('old', count)),
  now: fc.integer({ min: 600, max: 900 }).map((count) => numbered('now', count)),
  wasEnded: fc.boolean(),
  isEnded: fc.boolean(),
});

function numbered(word: string, count: number): string[] {
  return Array.from({ length: count }, (_, index) => `${word} ${index}`);
}

describe('unifiedDiff of more than a thousand changed lines', () => {
  it.each(programs)('makes what %s replaces a whole text with', (program) => {
    fc.assert(
      fc.property(many, ({ old, now, wasEnded, isEnded }) => {
        const [before, after] = [ended(old, wasEnded), ended(now, isEnded)];
        const { diff, additions, deletions } = unifiedDiff('f.txt', before, after);
        expect(applied(program, before, diff)).toBe(after);
        expect({ additions, deletions }).toEqual({ additions: now.length, deletions: old.length });
      }),
      { numRuns: 20 },
    );
  });

  it('makes what patch replaces the middle of a text with', () => {
    const around = fc.array(fc.constantFrom('same', 'other', ''), { maxLength: 8 });
    fc.assert(
      fc.property(many, around, around, ({ old, now, wasEnded, isEnded }, head, tail) => {
        const before = ended([...head, ...old, ...tail], wasEnded);
        const after = ended([...head, ...now, ...tail], isEnded);
        const { diff } = unifiedDiff('f.txt', before, after);
        expect(applied('patch', before, diff)).toBe(after);
        expect(appliedExactly(before, diff)).toBe(after);
      }),
      { numRuns: 40 },
    );
  });

  it('makes what patch turns many equal lines into more or fewer with', () => {
    const [few, lots] = ['same\n'.repeat(700), 'same\n'.repeat(2_000)];
    for (const [before, after] of [
      [few, lots],
      [lots, few],
    ] as const) {
      const { diff, additions, deletions } = unifiedDiff('f.txt', before, after);
      expect(applied('patch', before, diff)).toBe(after);
      expect(appliedExactly(before, diff)).toBe(after);
      expect(Math.max(additions, deletions)).toBe(1_300);
    }
  });

  it.each(programs)('makes what %s creates, fills and shortens files with', (program) => {
    const long = ended(numbered('line', 1_500), true);
    expect(applied(program, undefined, unifiedDiff('f.txt', undefined, long).diff)).toBe(long);
    expect(applied(program, '', unifiedDiff('f.txt', '', long).diff)).toBe(long);
    expect(applied(program, long, unifiedDiff('f.txt', long, 'one\n').diff)).toBe('one\n');
  });
});
