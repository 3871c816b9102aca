/** A conversation as it is kept, for showing it: who said what in which turn, with the calls and their results. */
import type { ConversationEntry } from '../store/conversations.ts';
import type { KeptEntry } from './conversation.ts';
import { type Entry, textOf } from './history.ts';

/** What Handrail told the model in the user's place is left out. */
export function keptHistory(entries: readonly ConversationEntry[]): KeptEntry[] {
  return entries.flatMap(({ turn, body }) => {
    const { by, message, ended } = JSON.parse(body) as Entry;
    if (by === 'handrail' || message.role === 'system') return [];
    const parts = typeof message.content === 'string' ? [] : message.content;
    return {
      by,
      turn,
      text: message.role === 'tool' ? '' : textOf(message),
      calls: parts.flatMap((part) =>
        part.type === 'tool-call' ? { id: part.toolCallId, tool: part.toolName, args: part.input } : [],
      ),
      results: parts.flatMap((part) =>
        part.type === 'tool-result'
          ? {
              id: part.toolCallId,
              tool: part.toolName,
              text: resultText(part.output),
              ...ended?.[part.toolCallId],
            }
          : [],
      ),
    };
  });
}

function resultText(output: { readonly type: string; readonly value?: unknown }): string {
  return typeof output.value === 'string' ? output.value : JSON.stringify(output.value ?? null);
}
