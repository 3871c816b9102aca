/** What a conversation is made of, as it is shown: words, calls, and notes between them. */
import type { OutputOf } from '../../../../src/client/index.ts';

export interface SaidCall {
  readonly id: string;
  readonly tool: string;
  readonly args: unknown;
  /** Where it stands in the audit. */
  readonly callId: string | undefined;
  /** Undefined where it runs, or where nobody knows. */
  readonly outcome: string | undefined;
  readonly isRunning: boolean;
  /** What it printed so far, while it runs. */
  readonly output: string;
  readonly answer: unknown;
}

export type Piece =
  | { readonly kind: 'said'; readonly by: 'user' | 'assistant'; readonly text: string }
  | { readonly kind: 'note'; readonly text: string }
  | { readonly kind: 'call'; readonly call: SaidCall };

type Entry = OutputOf<'showConversation'>['entries'][number];

/** The pieces of what is kept: each call with its result, wherever that stands. */
export function keptPieces(entries: readonly Entry[]): Piece[] {
  const results = new Map(entries.flatMap((entry) => entry.results.map((result) => [result.id, result])));
  return entries.flatMap(({ by, text, calls }): Piece[] => {
    const said: Piece[] =
      text === '' ? [] : [by === 'tool' ? { kind: 'note', text } : { kind: 'said', by, text }];
    const made = calls.map(({ id, tool, args }): Piece => {
      const { callId, outcome, text: answer } = results.get(id) ?? {};
      return {
        kind: 'call',
        call: { id, tool, args, callId, outcome, isRunning: false, output: '', answer },
      };
    });
    return [...said, ...made];
  });
}
