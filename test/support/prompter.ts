/** Prompters that answer at once and remember what they were asked. */
import type { Prompter, UserAnswer, UserQuestion } from '../../src/index.ts';

export type RecordingPrompter = Prompter & { readonly asked: UserQuestion[] };

/** Gives the same answer to every question, or one made from it. */
export function prompter(answer: UserAnswer | ((question: UserQuestion) => UserAnswer)): RecordingPrompter {
  const asked: UserQuestion[] = [];
  const prompt: Prompter = async (question) => {
    asked.push(question);
    return typeof answer === 'function' ? answer(question) : answer;
  };
  return Object.assign(prompt, { asked });
}

/** Takes those chunks of every patch. */
export function taking(...taken: number[]): RecordingPrompter {
  return prompter({ kind: 'review', action: 'apply', taken });
}
