/** What an agent shows, as text: behind a bar, where it can't pass for words of ours. */
import { shownLines } from '../policy/describe-request.ts';
import { shown } from '../shown.ts';
import type { DisplayMessage } from './people.ts';

/** The whole message. */
export function describeMessage({ content, level, title, thought, evidence = [] }: DisplayMessage): string {
  return [
    `The agent says (${level})${title === undefined ? '' : `: ${shown(title)}`}`,
    ...shownLines(content),
    ...(thought === undefined ? [] : ['  Why:', ...shownLines(thought)]),
    ...(evidence.length === 0 ? [] : ['  It rests on:', ...evidence.flatMap(shownLines)]),
  ].join('\n');
}

/** Its start, on one line. */
export function previewMessage({ content, title }: DisplayMessage, length: number): string {
  const whole = [title, content].filter((part) => part !== undefined).join(': ');
  const line = shown(whole.replaceAll(/\s+/g, ' ').trim());
  return line.length <= length ? line : `${line.slice(0, length - 1).toWellFormed()}…`;
}
