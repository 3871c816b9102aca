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
  const denied = new Set<string>();
  let end: End | undefined;
  for await (const event of conversation.say(prompt, { signal })) {
    if (event.type === 'turn-started' && event.depth === 0) ({ turn } = event);
    if (event.type === 'tool-ended' && event.outcome === 'denied') denied.add(event.tool);
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
  if (denied.size > 0)
    note(
      `handrail: what it wanted of ${safeLine([...denied].join(', '))} was denied.\n  \`handrail audit list\` has the rule; --yes answers its questions with yes.`,
    );
  if (end.reason !== 'done') return FAILED;
  return denied.size > 0 ? DENIED : FINE;
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
