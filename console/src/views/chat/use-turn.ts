/** What happens in the turn that is under way: it is not in the history yet. */
import { useCallback, useEffect, useState } from 'react';
import type { AgentEvent } from '../../../../src/agent/conversation.ts';
import type { FeedEvent } from '../../server/feed.ts';
import { useEvents } from '../../server/use-live.ts';

export type Piece =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'note'; readonly text: string }
  | {
      readonly kind: 'call';
      readonly id: string;
      readonly text: string;
      readonly outcome: string | undefined;
    };

export interface UnderWay {
  readonly pieces: readonly Piece[];
  readonly isWorking: boolean;
}

interface Shown {
  readonly isWorking: boolean;
}

export function useTurn(id: string, shown: Shown | undefined, onEnded: () => void): UnderWay {
  const [pieces, setPieces] = useState<readonly Piece[]>([]);
  const [isWorking, setIsWorking] = useState(false);
  const wasWorking = shown?.isWorking;
  useEffect(() => {
    if (wasWorking !== undefined) setIsWorking(wasWorking);
  }, [wasWorking]);
  const listener = useCallback(
    (event: FeedEvent) => {
      if (event.type !== 'agent' || event.conversation !== id || event.event === undefined) return;
      const happened = event.event as AgentEvent;
      if (happened.type === 'turn-started' && happened.depth === 0) {
        setIsWorking(true);
        setPieces([]);
      }
      if (happened.type === 'turn-ended' && happened.depth === 0) {
        setIsWorking(false);
        setPieces(troubleOf(happened));
        onEnded();
      } else setPieces((before) => withEvent(before, happened));
    },
    [id, onEnded],
  );
  useEvents(listener);
  return { pieces, isWorking };
}

/** The history has the rest of it by now. */
function troubleOf({ trouble }: Extract<AgentEvent, { type: 'turn-ended' }>): Piece[] {
  if (trouble === undefined) return [];
  return [{ kind: 'note', text: [trouble.message, trouble.hint].join(' ').trim() }];
}

function withEvent(pieces: readonly Piece[], event: AgentEvent): readonly Piece[] {
  const last = pieces.at(-1);
  if (event.type === 'text-added' && event.depth === 0) {
    if (last?.kind !== 'text') return [...pieces, { kind: 'text', text: event.text }];
    return [...pieces.slice(0, -1), { kind: 'text', text: last.text + event.text }];
  }
  if (event.type === 'tool-called')
    return [...pieces, { kind: 'call', id: event.callId, text: event.tool, outcome: undefined }];
  if (event.type === 'tool-ended')
    return pieces.map((piece) =>
      piece.kind === 'call' && piece.id === event.callId ? { ...piece, outcome: event.outcome } : piece,
    );
  const note = noteOf(event);
  return note === undefined ? pieces : [...pieces, { kind: 'note', text: note }];
}

function noteOf(event: AgentEvent): string | undefined {
  if (event.type === 'noticed') return event.text;
  if (event.type === 'skill-loaded') return `The skill ${event.name} was loaded.`;
  if (event.type === 'agent-started') return `${event.agent}: ${event.objective}`;
  if (event.type === 'retrying') return `${event.reason}; trying again.`;
  if (event.type === 'verify-ended') return `${event.command}: ${event.verdict}`;
  return undefined;
}
