/** Puts the agent's questions to the person at the terminal: a key chooses, a line answers, a patch is gone through chunk by chunk. */
import { describeQuestion } from '../runtime/any-question.ts';
import type { Prompter, UserAnswer, UserQuestion } from '../runtime/people.ts';
import {
  commentOn,
  pressKey,
  type Review,
  reviewAnswer,
  reviewLines,
  reviewPrompt,
  type ReviewQuestion,
  startReview,
} from './review-by-key.ts';
import { type Keys, openKeys, openTerminal } from './terminal.ts';

/** A prompter in this terminal; the end of input is no answer. */
export function terminalPrompter(by: string): Prompter {
  return async (question, signal) =>
    (await promptInTerminal(question, signal, by)) ?? { kind: 'declined', by };
}

/** Asks in this terminal; undefined where the input ended, or the answer is no longer wanted. */
export async function promptInTerminal(
  question: UserQuestion,
  signal: AbortSignal,
  by: string,
): Promise<UserAnswer | undefined> {
  if (question.kind === 'review') return review(question, signal, by);
  const text = `\n${describeQuestion(question)}\n`;
  if (question.kind === 'choice' && question.choices.length < 10)
    return choose(text, question.choices, signal, by);
  return write(text, question, signal, by);
}

/** One of several by its number, which is one key. */
async function choose(
  text: string,
  choices: readonly string[],
  signal: AbortSignal,
  by: string,
): Promise<UserAnswer | undefined> {
  const prompt = `Press ${choices.length === 1 ? '1' : `1 to ${choices.length}`}, or q to give no answer: `;
  using keys = await openKeys(text + prompt);
  for (;;) {
    const key = await keys.next(signal);
    if (key === undefined) return undefined;
    const choice = /^[1-9]$/.test(key) ? choices[Number(key) - 1] : undefined;
    if (choice === undefined && key.toLowerCase() !== 'q') continue;
    keys.say(`${key}\n`);
    return choice === undefined ? { kind: 'declined', by } : { kind: 'choice', choice, by };
  }
}

/** A text, or the number of one of very many. */
async function write(
  text: string,
  question: Exclude<UserQuestion, ReviewQuestion>,
  signal: AbortSignal,
  by: string,
): Promise<UserAnswer | undefined> {
  const terminal = await openTerminal(text);
  try {
    const prompt = question.kind === 'text' ? 'Your answer' : `A number up to ${question.choices.length}`;
    for (;;) {
      const written = await terminal.question(`${prompt} (nothing: no answer): `, { signal });
      if (written.trim() === '') return { kind: 'declined', by };
      if (question.kind === 'text') return { kind: 'text', text: written, by };
      const choice = /^\d+$/.test(written.trim()) ? question.choices[Number(written) - 1] : undefined;
      if (choice !== undefined) return { kind: 'choice', choice, by };
    }
  } catch {
    return undefined;
  } finally {
    terminal.close();
  }
}

async function review(
  question: ReviewQuestion,
  signal: AbortSignal,
  by: string,
): Promise<UserAnswer | undefined> {
  const { chunks: _chunks, ...asked } = question;
  let state = startReview(question);
  let intro = `\n${describeQuestion({ ...asked, chunks: [] })}\n`;
  for (;;) {
    using keys = await openKeys(intro + page(state));
    const next = await goThrough(state, keys, signal);
    if (next === undefined) return undefined;
    const answer = reviewAnswer(next, by);
    if (answer !== undefined) return answer;
    keys[Symbol.dispose]();
    const comment = await readComment(signal);
    if (comment === undefined) return undefined;
    state = commentOn(next, comment);
    intro = '';
  }
}

/** Until it is done, or the person wants to write. */
async function goThrough(from: Review, keys: Keys, signal: AbortSignal): Promise<Review | undefined> {
  for (let state = from; ;) {
    const key = await keys.next(signal);
    if (key === undefined) return undefined;
    const next = pressKey(state, key);
    if (next === state) continue;
    state = next;
    keys.say(`${key}\n`);
    if (state.aside === 'comment' || state.at === state.question.chunks.length) return state;
    keys.say(page(state));
  }
}

function page(review: Review): string {
  return [...reviewLines(review), reviewPrompt(review)].join('\n');
}

async function readComment(signal: AbortSignal): Promise<string | undefined> {
  const terminal = await openTerminal('');
  try {
    return await terminal.question('Your comment, for the agent to read: ', { signal });
  } catch {
    return undefined;
  } finally {
    terminal.close();
  }
}
