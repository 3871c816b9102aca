/** `handrail chat -p`: one turn for a script, its answer on stdout. */
import type { AgentEvent, Conversation } from '../../agent/conversation.ts';
import { maskTokensIn } from '../../journal/redact.ts';
import type { Runtime } from '../../runtime-types.ts';
import { DENIED, FAILED, FINE } from '../exit-code.ts';
import { note, print, printJson } from '../print.ts';
import { safeLine, safeLines } from './spans.ts';

export type Output = 'text' | 'json' | 'stream-json';

type End = Extract<AgentEvent, { type: 'turn-ended' }>;

/** Says it, prints what comes of it, and returns the exit code. */
export async function answerOnce(
  prompt: string,
  runtime: Runtime,
  conversation: Conversation,
  {
    output,
    signal,
    isTerminal,
  }: { readonly output: Output; readonly signal: AbortSignal; readonly isTerminal: boolean },
): Promise<number> {
  let turn = '';
  let wasDenied = false;
  let end: End | undefined;
  for await (const event of conversation.say(prompt, { signal })) {
    if (event.type === 'turn-started' && event.depth === 0) ({ turn } = event);
    if (event.type === 'tool-ended' && event.outcome === 'denied') wasDenied = true;
    if (event.type === 'turn-ended' && event.depth === 0) end = event;
    if (output === 'stream-json') printJson(maskTokensIn(event), false);
  }
  if (end === undefined) throw new Error('A turn ended without saying so.');
  if (output === 'json') printJson(maskTokensIn(await summary(end, turn, runtime, conversation)), isTerminal);
  if (output === 'text') for (const line of safeLines(end.text.trimEnd())) print(line);
  if (end.trouble !== undefined)
    note(
      `handrail: ${safeLine(end.trouble.message)}${end.trouble.hint === undefined ? '' : `\n  ${safeLine(end.trouble.hint)}`}`,
    );
  if (end.reason !== 'done') return FAILED;
  return wasDenied ? DENIED : FINE;
}

async function summary(
  end: End,
  turn: string,
  runtime: Runtime,
  conversation: Conversation,
): Promise<object> {
  const { text, reason, usage, trouble } = end;
  const entries = await runtime.turnEntries(turn);
  return {
    text,
    reason,
    session: conversation.session.id,
    turn,
    model: conversation.model,
    usage,
    changed: entries.map(({ path, before, after, movedFrom }) => ({
      path,
      change: before === 'missing' ? 'created' : after === 'missing' ? 'deleted' : 'updated',
      ...(movedFrom === undefined ? {} : { moved_from: movedFrom }),
    })),
    ...(trouble === undefined ? {} : { trouble }),
  };
}
