/** Files that a message names with `@`: read by the session's own tool, so that the policy decides, and put below it. */
import type { Conversation } from '../../agent/conversation.ts';
import type { Runtime } from '../../runtime-types.ts';
import { callOperation } from './session-tools.ts';
import type { Line } from './spans.ts';
import { endedLines } from './tool-lines.ts';

const MENTION = /(?<=^|\s)@([^\s@]+)/g;
const MOST = 20;

/** The names, each once. What people end a sentence with is not part of one. */
export function mentionsIn(text: string): string[] {
  const names = [...text.matchAll(MENTION)].map(([, name]) => name!.replace(/[.,;:!?)]+$/, ''));
  return [...new Set(names)].filter((name) => name !== '').slice(0, MOST);
}

/** The message with the files it names, and a line for each that was looked at. */
export async function withMentions(
  text: string,
  runtime: Runtime,
  conversation: Conversation,
  { width, signal }: { readonly width: number; readonly signal: AbortSignal },
): Promise<{ message: string; lines: Line[] }> {
  const parts = [text];
  const lines: Line[] = [];
  for (const name of mentionsIn(text)) {
    const read = await callOperation(runtime, conversation, 'fs.read', name, signal);
    if (read === undefined) break;
    // An `@` before something that is no file is only a word.
    if (read.result.error?.code === 'E_NOT_FOUND') continue;
    const { outcome, reply, effects, tool, callId } = read;
    const durationMs = read.result.duration_ms;
    const ended = {
      type: 'tool-ended',
      depth: 0,
      callId,
      tool,
      outcome,
      reply,
      effects,
      durationMs,
    } as const;
    lines.push(...endedLines(ended, name, width));
    const { content } = (read.result.payload ?? {}) as { readonly content?: string };
    if (content !== undefined) parts.push(`The file ${name}:\n\`\`\`\n${content}\n\`\`\``);
  }
  return { message: parts.join('\n\n'), lines };
}
