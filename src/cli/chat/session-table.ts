/** Earlier conversations as people look them over. */
import type { ConversationSummary } from '../../agent/conversation.ts';
import { table } from '../print.ts';

/** Newest first; the one that goes on is marked. */
export function sessionTable(known: readonly ConversationSummary[], current?: string): string {
  const rows = known.map(({ id, title, at, turns }) => [
    new Date(at).toISOString().slice(0, 16).replace('T', ' '),
    id,
    String(turns),
    `${id === current ? '(this one) ' : ''}${title}`,
  ]);
  return table(['TIME', 'SESSION', 'TURNS', 'ABOUT'], rows);
}
