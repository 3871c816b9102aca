/** Hunks: where they belong, although numbers, counts, marks or context are wrong; and where that is not certain. */
import { describe, expect, it } from 'vitest';
import { applyHunks, type ApplyOptions } from '../../../src/capabilities/patch/apply-hunks.ts';
import { parsePatch } from '../../../src/capabilities/patch/parse-patch.ts';
import { Failure } from '../../../src/failure.ts';

const REFUSE: ApplyOptions = { alreadyApplied: 'failure' };

function apply(file: string, hunks: string, options = REFUSE): ReturnType<typeof applyHunks> {
  return applyHunks('f', file, parsePatch(`--- a/f\n+++ b/f\n${hunks}`)[0]!.hunks, options);
}

function failureOf(file: string, hunks: string): Failure {
  try {
    apply(file, hunks);
  } catch (error) {
    if (error instanceof Failure) return error;
    throw error;
  }
  throw new Error('The patch was applied.');
}

const LINES = 'one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\n';
const REPEATED = 'a\nx\nb\na\nx\nb\na\nx\nb\n';

interface Row {
  readonly title: string;
  readonly file: string;
  readonly hunks: string;
  readonly result: string;
  readonly differences?: readonly string[];
}

const SLOPPY: readonly Row[] = [
  {
    title: 'a wrong line number',
    file: LINES,
    hunks: '@@ -70,3 +70,3 @@\n two\n-three\n+3\n four\n',
    result: LINES.replace('three', '3'),
  },
  {
    title: 'wrong counts, too small',
    file: LINES,
    hunks: '@@ -2,1 +2,1 @@\n two\n-three\n+3\n four\n',
    result: LINES.replace('three', '3'),
  },
  {
    title: 'wrong counts, too large',
    file: LINES,
    hunks: '@@ -2,9 +2,9 @@\n two\n-three\n+3\n four\n',
    result: LINES.replace('three', '3'),
  },
  {
    title: 'a bare header',
    file: LINES,
    hunks: '@@\n two\n-three\n+3\n',
    result: LINES.replace('three', '3'),
  },
  {
    title: 'no header at all',
    file: LINES,
    hunks: ' two\n-three\n+3\n',
    result: LINES.replace('three', '3'),
  },
  {
    title: 'a blank line without its mark',
    file: 'a\n\nb\n',
    hunks: '@@ -1,3 +1,3 @@\n a\n\n-b\n+c\n',
    result: 'a\n\nc\n',
  },
  {
    title: 'context without marks',
    file: 'if\n  a\nb\n',
    hunks: '@@\nif\n  a\n-b\n+c\n',
    result: 'if\n  a\nc\n',
  },
  {
    title: 'blanks at line ends',
    file: 'a\nb  \nc\n',
    hunks: '@@\n a \n b\n-c\n+d \n',
    result: 'a\nb  \nd\n',
    differences: ['trailing blanks'],
  },
  {
    title: 'other indentation',
    file: '\tif\n\t\ta\n',
    hunks: '@@\n   if\n-    a\n+    b\n+      c\n',
    result: '\tif\n\t\tb\n\t\t\tc\n',
    differences: ['indentation'],
  },
  {
    title: 'curly quotes',
    file: "f('a');\ng();\n",
    hunks: '@@\n f(‘a’);\n-g();\n+h(‘b’);\n',
    result: "f('a');\nh('b');\n",
    differences: ['typography'],
  },
  {
    title: 'LF for CRLF',
    file: 'a\r\nb\r\n',
    hunks: '@@ -1,2 +1,3 @@\n a\n-b\n+c\n+d\n',
    result: 'a\r\nc\r\nd\r\n',
    differences: ['line endings'],
  },
  {
    title: 'a patch in CRLF',
    file: 'a\nb\n',
    hunks: '@@ -1,2 +1,2 @@\r\n a\r\n-b\r\n+c\r\n',
    result: 'a\nc\n',
    differences: ['line endings'],
  },
  {
    title: 'nothing about a missing newline',
    file: 'a\nb',
    hunks: '@@ -1,2 +1,2 @@\n a\n-b\n+c\n',
    result: 'a\nc',
    differences: ['line endings'],
  },
  {
    title: 'lines behind one without a newline',
    file: 'a\nb',
    hunks: '@@ -1,2 +1,3 @@\n a\n b\n+c\n',
    result: 'a\nb\nc',
    differences: ['line endings'],
  },
  {
    title: 'nothing about a byte order mark',
    file: '\ufeffa\nb\n',
    hunks: '@@ -1,2 +1,2 @@\n-a\n+x\n b\n',
    result: '\ufeffx\nb\n',
  },
  {
    title: 'context twice at the start',
    file: LINES,
    hunks: '@@\n one\n one\n two\n-three\n+3\n four\n',
    result: LINES.replace('three', '3'),
    differences: ['context at the edges'],
  },
  {
    title: 'context twice at the end',
    file: LINES,
    hunks: '@@\n two\n-three\n+3\n four\n five\n five\n',
    result: LINES.replace('three', '3'),
    differences: ['context at the edges'],
  },
  {
    title: 'a wrong line of context at an edge',
    file: LINES,
    hunks: '@@\n 1\n two\n three\n+3\n four\n five\n 6\n',
    result: LINES.replace('four', '3\nfour'),
    differences: ['context at the edges'],
  },
  {
    title: 'hunks whose context overlaps',
    file: LINES,
    hunks: '@@\n one\n-two\n+2\n three\n four\n@@\n three\n four\n-five\n+5\n six\n',
    result: LINES.replace('two', '2').replace('five', '5'),
  },
  {
    title: 'hunks that only their order tells apart',
    file: REPEATED,
    hunks: '@@\n a\n-x\n+1\n b\n@@\n a\n-x\n+2\n b\n@@\n a\n-x\n+3\n b\n',
    result: 'a\n1\nb\na\n2\nb\na\n3\nb\n',
  },
  {
    title: 'the line number where everything else repeats',
    file: REPEATED,
    hunks: '@@ -4,3 +4,3 @@\n a\n-x\n+2\n b\n',
    result: 'a\nx\nb\na\n2\nb\na\nx\nb\n',
  },
  {
    title: 'a drift of all line numbers',
    file: `new\nfirst\n${REPEATED}`,
    hunks: '@@ -1,2 +1,2 @@\n-first\n+1st\n a\n@@ -5,3 +5,3 @@\n a\n-x\n+2\n b\n',
    result: 'new\n1st\na\nx\nb\na\n2\nb\na\nx\nb\n',
  },
  {
    title: 'a heading',
    file: 'def f():\n  x\n  y\ndef g():\n  x\n  y\n',
    hunks: '@@ def g():\n   x\n-  y\n+  z\n',
    result: 'def f():\n  x\n  y\ndef g():\n  x\n  z\n',
  },
];

const REFUSED: readonly { title: string; file: string; hunks: string; says: string }[] = [
  {
    title: 'a hunk that is nowhere',
    file: LINES,
    hunks: '@@ -2,3 +2,3 @@\n two\n-tree\n+3\n four\n',
    says: '-tree\n+three',
  },
  {
    title: 'a hunk that fits twice',
    file: REPEATED,
    hunks: '@@\n a\n-x\n+1\n b\n',
    says: 'several places: lines 2, 5 and 8',
  },
  {
    title: 'a hunk that fits twice, away from the line it names',
    file: REPEATED,
    hunks: '@@ -2,3 +2,3 @@\n a\n-x\n+1\n b\n',
    says: 'several places',
  },
  {
    title: 'a number whose header can not count',
    file: REPEATED,
    hunks: '@@ -4,7 +4,7 @@\n a\n-x\n+1\n b\n',
    says: 'several places',
  },
  {
    title: 'a number among numbers that do not agree',
    file: REPEATED,
    hunks: '@@ -4,3 +14,3 @@\n a\n-x\n+1\n b\n',
    says: 'several places',
  },
  {
    title: 'a tolerant hunk at the line it names, when it fits elsewhere too',
    file: REPEATED.replaceAll('x', 'x '),
    hunks: '@@ -4,3 +4,3 @@\n a\n-x\n+1\n b\n',
    says: 'several places',
  },
  {
    title: 'one line at the line it names, when it is elsewhere too',
    file: REPEATED,
    hunks: '@@ -5 +5 @@\n-x\n+1\n',
    says: 'several places',
  },
  {
    title: 'wrong context, when the rest fits twice',
    file: REPEATED,
    hunks: '@@\n q\n a\n-x\n+1\n b\n',
    says: 'does not fit',
  },
  {
    title: 'wrong context on the side where lines only come',
    file: LINES,
    hunks: '@@\n two\n three\n+3\n 4\n',
    says: 'does not fit',
  },
  {
    title: 'more wrong context than right',
    file: LINES,
    hunks: '@@\n 0\n 1\n 2\n-three\n+3\n 4\n 5\n 6\n',
    says: 'does not fit',
  },
  {
    title: 'lines left out between',
    file: LINES,
    hunks: '@@\n-one\n-three\n+3\n four\n five\n',
    says: 'does not fit',
  },
  {
    title: 'lines without any context',
    file: LINES,
    hunks: '@@ -3,0 +4 @@\n+new\n',
    says: 'its place is not known',
  },
  {
    title: 'hunks in the wrong order',
    file: LINES,
    hunks: '@@\n-five\n+5\n six\n@@\n-two\n+2\n three\n',
    says: 'before or in what another hunk changes',
  },
  {
    title: 'the same hunk twice',
    file: LINES,
    hunks: '@@\n one\n-two\n+2\n@@\n one\n-two\n+2\n',
    says: 'before or in what another hunk changes',
  },
  {
    title: 'a hunk that is in place already',
    file: LINES.replace('two', '2'),
    hunks: '@@ -1,3 +1,3 @@\n one\n-two\n+2\n three\n',
    says: 'is in place already, at line 1',
  },
  {
    title: 'indentation nobody can know',
    file: 'a\nb\n',
    hunks: '@@\n     a\n+  c\n     b\n',
    says: 'does not fit',
  },
];

describe('applyHunks', () => {
  it.each(SLOPPY)('sees what is meant: $title', ({ file, hunks, result, differences = [] }) => {
    const applied = apply(file, hunks);
    expect({
      text: applied.text,
      differences: [...new Set(applied.hunks.flatMap((hunk) => hunk.differences))],
    }).toEqual({
      text: result,
      differences,
    });
  });

  it.each(REFUSED)('refuses $title', ({ file, hunks, says }) => {
    const failure = failureOf(file, hunks);
    expect({ code: failure.code, message: failure.message }).toEqual({
      code: 'E_PATCH',
      message: expect.stringContaining(says),
    });
  });

  it('names the hunk, the file and the line of the patch', () => {
    const { message } = failureOf(LINES, '@@\n one\n-two\n+2\n@@\n six\n-seventh\n+7\n');
    expect(message).toMatch(
      /^Hunk 2 of "f" \(line 7 of the patch\) does not fit\. The closest place is line 6/,
    );
  });

  it('says which line each hunk changed, as the file is now', () => {
    const { hunks } = apply(LINES, '@@\n one\n+1.1\n+1.2\n two\n@@\n six\n-seven\n+7\n');
    expect(hunks.map(({ line }) => line)).toEqual([2, 9]);
  });

  it('takes what is in place already for applied where that is wanted, and says so', () => {
    const file = LINES.replace('two', '2');
    const applied = apply(file, '@@\n one\n-two\n+2\n three\n@@\n six\n-seven\n+7\n', {
      alreadyApplied: 'applied',
    });
    expect(applied.text).toBe(file.replace('seven', '7'));
    expect(applied.hunks.map(({ already }) => already)).toEqual([true, false]);
  });
});
