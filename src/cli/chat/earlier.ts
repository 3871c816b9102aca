/** What was said in an earlier conversation, shown again. */
import type { Said } from '../../agent/conversation.ts';
import { counted } from './amounts.ts';
import { markdownLines } from './markdown.ts';
import { type Line, safeLines, span } from './spans.ts';

/** Enough to know where one was. */
const MOST = 20;

export function saidLines(said: readonly Said[], width: number): Line[] {
  // What tools said is for the model to know.
  const words = said.filter(({ by }) => by !== 'tool');
  const left = Math.max(0, words.length - MOST);
  const more: Line[] = left === 0 ? [] : [[span(`… ${counted(left, 'message')} before`, 'dim')], []];
  return [...more, ...words.slice(left).flatMap((message) => [...messageLines(message, width), []])];
}

function messageLines({ by, text }: Said, width: number): Line[] {
  return by === 'assistant' ? markdownLines(text, width) : userLines(text);
}

/** What the person said, as it stands above the answer. */
export function userLines(text: string): Line[] {
  return safeLines(text).map((line, index) => [span(index === 0 ? '› ' : '  ', 'cyan'), span(line, 'bold')]);
}
