/** A conversation as it is kept, and after it what happens in the turn that is under way. */
import { useCallback, useMemo, useState } from 'react';
import type { AgentEvent } from '../../../../src/agent/conversation.ts';
import type { OutputOf } from '../../../../src/client/index.ts';
import type { FeedEvent } from '../../server/feed.ts';
import { useEvents } from '../../server/use-live.ts';
import { keptPieces, type Piece, type SaidCall } from './piece.ts';

export interface Shown {
  readonly pieces: readonly Piece[];
  readonly isWorking: boolean;
}

interface Turn {
  readonly id: string;
  readonly pieces: readonly Piece[];
  /** With what was kept by then, which may lack its end; and what went wrong, which is never kept. */
  readonly ended?: { readonly kept: Kept | undefined; readonly trouble: readonly Piece[] };
}

type Kept = OutputOf<'showConversation'>;

const NONE: Turn = { id: '', pieces: [] };

export function useTurn(id: string, kept: Kept | undefined, onEnded: () => void): Shown {
  const [turn, setTurn] = useState<Turn>();
  const listener = useCallback(
    (event: FeedEvent) => {
      // It may have ended meanwhile.
      if (event.type === 'missed') setTurn(undefined);
      if (event.type !== 'agent' || event.conversation !== id || event.event === undefined) return;
      const happened = event.event as AgentEvent;
      setTurn((before = NONE) => after(before, happened, kept));
      if (happened.type === 'turn-ended' && happened.depth === 0) onEnded();
    },
    [id, kept, onEnded],
  );
  useEvents(listener);
  return useMemo(() => {
    const { entries = [], isWorking = false } = kept ?? {};
    if (turn === undefined) return { pieces: keptPieces(entries), isWorking };
    const { ended } = turn;
    const isKept = ended !== undefined && ended.kept !== kept;
    const before = isKept ? entries : entries.filter(({ by, turn: of }) => of !== turn.id || by === 'user');
    const since = [...(isKept ? [] : turn.pieces), ...(ended?.trouble ?? [])];
    return { pieces: [...keptPieces(before), ...since], isWorking: ended === undefined };
  }, [kept, turn]);
}

function after(turn: Turn, event: AgentEvent, kept: Kept | undefined): Turn {
  if (event.depth === 0 && event.type === 'turn-started') return { id: event.turn, pieces: [] };
  if (event.depth === 0 && event.type === 'turn-ended')
    return { ...turn, ended: { kept, trouble: troubleOf(event) } };
  return { ...turn, pieces: withEvent(turn.pieces, event) };
}

function troubleOf({ trouble }: Extract<AgentEvent, { type: 'turn-ended' }>): Piece[] {
  if (trouble === undefined) return [];
  return [{ kind: 'note', text: [trouble.message, trouble.hint].join(' ').trim() }];
}

function withEvent(pieces: readonly Piece[], event: AgentEvent): readonly Piece[] {
  const last = pieces.at(-1);
  if (event.type === 'text-added') {
    if (event.depth > 0) return pieces;
    const isMore = last?.kind === 'said' && last.by === 'assistant';
    const text = isMore ? last.text + event.text : event.text;
    return [...(isMore ? pieces.slice(0, -1) : pieces), { kind: 'said', by: 'assistant', text }];
  }
  if (event.type === 'tool-called') {
    const { callId, tool, args } = event;
    return [...pieces, { kind: 'call', call: { id: callId, callId, tool, args, ...RUNNING } }];
  }
  if (event.type === 'tool-output')
    return withCall(pieces, event.callId, (call) => ({ ...call, output: call.output + event.text }));
  if (event.type === 'tool-ended') {
    const { callId, outcome, reply } = event;
    return withCall(pieces, callId, (call) => ({ ...call, outcome, isRunning: false, answer: reply }));
  }
  const note = noteOf(event);
  return note === undefined ? pieces : [...pieces, { kind: 'note', text: note }];
}

const RUNNING = { outcome: undefined, isRunning: true, output: '', answer: undefined } as const;

function withCall(pieces: readonly Piece[], id: string, change: (call: SaidCall) => SaidCall): Piece[] {
  return pieces.map((piece) =>
    piece.kind === 'call' && piece.call.id === id ? { ...piece, call: change(piece.call) } : piece,
  );
}

function noteOf(event: AgentEvent): string | undefined {
  if (event.type === 'noticed') return event.text;
  if (event.type === 'skill-loaded') return `The skill ${event.name} was loaded.`;
  if (event.type === 'agent-started') return `${event.agent}: ${event.objective}`;
  if (event.type === 'retrying') return `${event.reason}; trying again.`;
  if (event.type === 'verify-ended') return `${event.command}: ${event.verdict}`;
  return undefined;
}
