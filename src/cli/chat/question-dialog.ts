/** What the agent asks its user, answered at the chat: a choice by its number, a text, or a patch chunk by chunk. */
import { describeQuestion } from '../../runtime/any-question.ts';
import type { UserAnswer, UserQuestion } from '../../runtime/people.ts';
import {
  commentOn,
  pressKey,
  type Review,
  reviewAnswer,
  reviewLines,
  reviewPrompt,
  type ReviewQuestion,
  startReview,
} from '../review-by-key.ts';
import { describedLines } from './described-lines.ts';
import type { Dialog } from './dialogs.ts';
import { type Editor, editorRows, newEditor, press } from './editor.ts';
import type { LivePart } from './screen.ts';
import { type Line, span, wrap } from './spans.ts';

/** Asks the user; `by` is who answers. */
export function questionDialog(question: UserQuestion, by: string): Dialog<UserAnswer> {
  return question.kind === 'review' ? reviewDialog(question, by) : wordsDialog(question, by);
}

/** A number for a choice, any words where there is none; nothing at all is no answer. */
function wordsDialog(question: Exclude<UserQuestion, ReviewQuestion>, by: string): Dialog<UserAnswer> {
  let editor = newEditor([]);
  let isPrinted = false;
  const prompt = question.kind === 'text' ? 'Your answer: ' : `A number up to ${question.choices.length}: `;
  return {
    print(width) {
      if (isPrinted) return [];
      isPrinted = true;
      return [[], ...textLines(describeQuestion(question), width)];
    },
    live: (width) => written(editor, prompt, width, 'Enter alone gives no answer.'),
    press(key) {
      // One key is enough where no number goes on.
      if (question.kind === 'choice' && question.choices.length < 10 && key.name === 'text') {
        const choice = question.choices[Number(key.text) - 1];
        return choice === undefined ? undefined : { kind: 'choice', choice, by };
      }
      if (key.name !== 'enter') {
        editor = press(editor, key);
        return undefined;
      }
      const text = editor.text.trim();
      if (text === '') return { kind: 'declined', by };
      if (question.kind === 'text') return { kind: 'text', text, by };
      const choice = question.choices[Number(text) - 1];
      editor = newEditor([]);
      return choice === undefined ? undefined : { kind: 'choice', choice, by };
    },
  };
}

/** Each chunk is printed when it is come to, however long it is; a key decides about it. */
function reviewDialog(question: ReviewQuestion, by: string): Dialog<UserAnswer> {
  let review = startReview(question);
  let printed: Review | undefined;
  let editor: Editor | undefined;
  return {
    print(width) {
      if (printed === review) return [];
      const { chunks: _chunks, ...asked } = question;
      const intro =
        printed === undefined ? ['', ...describeQuestion({ ...asked, chunks: [] }).split('\n')] : [''];
      printed = review;
      return [...intro, ...reviewLines(review)].flatMap((line) => textLines(line, width));
    },
    live(width) {
      if (editor !== undefined) return written(editor, 'Your comment: ', width);
      return { rows: wrap([span(reviewPrompt(review), 'bold')], width) };
    },
    press(key) {
      if (editor !== undefined) {
        if (key.name !== 'enter') editor = press(editor, key);
        else {
          review = commentOn(review, editor.text);
          editor = undefined;
        }
        return undefined;
      }
      if (key.name !== 'text') return undefined;
      const next = pressKey(review, key.text);
      const answer = reviewAnswer(next, by);
      if (answer !== undefined) return answer;
      if (next.aside === 'comment') editor = newEditor([]);
      else review = next;
      return undefined;
    },
  };
}

function textLines(text: string, width: number): Line[] {
  return text.split('\n').flatMap((line) => describedLines(line, width, 'bold'));
}

function written(editor: Editor, prompt: string, width: number, hint?: string): LivePart {
  const { rows, row, column } = editorRows(editor, prompt, width);
  const hints: Line[] = hint === undefined ? [] : [[span(`  ${hint}`, 'dim')]];
  return { rows: [...rows, ...hints], cursor: { row, column } };
}
