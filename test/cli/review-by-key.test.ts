/** The review by key, without a terminal: what each key does, what is shown, and what comes out in the end. */
import { describe, expect, it } from 'vitest';
import {
  commentOn,
  pressKey,
  type Review,
  reviewAnswer,
  reviewLines,
  reviewPrompt,
  type ReviewQuestion,
  startReview,
} from '../../src/cli/review-by-key.ts';

const QUESTION: ReviewQuestion = {
  kind: 'review',
  id: 'que_1',
  hash: 'a'.repeat(64),
  callId: 'call_1',
  session: 'ses_1',
  dialect: 'codelab',
  tool: 'apply_patch_review',
  message: 'Fine?',
  chunks: Array.from({ length: 60 }, (_, index) => ({
    number: index + 1,
    path: `f${index + 1}.txt`,
    text: `--- a/f\n+++ b/f\n@@ -1 +1 @@\n-old\n+new \u202e\u001b[2J ${index + 1}\n`,
  })),
};

function after(keys: string, review: Review = startReview(QUESTION)): Review {
  return keys.split('').reduce(pressKey, review);
}

function taken(review: Review): unknown {
  return reviewAnswer(review, 'me');
}

const ALL = Array.from({ length: 60 }, (_, index) => index + 1);

describe('pressKey', () => {
  it.each<[keys: string, action: string, numbers: number[]]>([
    ['a', 'apply', ALL],
    ['d', 'cancel', []],
    ['yyd', 'apply', [1, 2]],
    ['nna', 'apply', ALL.slice(2)],
    ['yNYd', 'apply', [1, 3]],
    ['ybnd', 'cancel', []],
    ['nbbya', 'apply', ALL],
    ['yyyq', 'cancel', []],
    [`${'y'.repeat(59)}n`, 'apply', ALL.slice(0, 59)],
    ['yx1 \u001bnd', 'apply', [1]],
    ['y?nd', 'apply', [1]],
  ])('takes what %j says', (keys, action, numbers) => {
    expect(taken(after(keys))).toEqual({ kind: 'review', action, taken: numbers, comments: [], by: 'me' });
  });

  it.each(['', 'y', 'ynyn', 'y'.repeat(59), '?', 'c'])('is not done after %j', (keys) => {
    expect(taken(after(keys))).toBeUndefined();
  });

  it('keeps comments on chunks, the last of each', () => {
    const said = (review: Review, text: string): Review => commentOn(pressKey(review, 'c'), text);
    let review = said(startReview(QUESTION), 'first');
    review = said(review, ' better ');
    review = said(after('n', review), 'gone');
    review = said(review, '');
    expect(taken(after('ya', review))).toMatchObject({ comments: [{ chunk: 1, text: 'better' }] });
  });
});

describe('reviewLines', () => {
  it('shows the chunk as a diff, with control and direction characters as escapes', () => {
    expect(reviewLines(after('y'))).toEqual([
      '  | --- a/f',
      '  | +++ b/f',
      '  | @@ -1 +1 @@',
      '  | -old',
      String.raw`  | +new \u202e\u001b[2J 2`,
    ]);
    expect(reviewPrompt(after('y'))).toBe('Chunk 2 of 60, f2.txt: take it [y,n,a,d,c,b,q,?]? ');
  });

  it('shows what every key does on ?, and the chunk again after any other', () => {
    expect(reviewLines(after('?'))).toHaveLength(8);
    expect(reviewLines(after('?')).join('\n')).toContain('a  take it and all of the rest');
    expect(reviewLines(after('?b'))).toEqual(reviewLines(startReview(QUESTION)));
  });
});
