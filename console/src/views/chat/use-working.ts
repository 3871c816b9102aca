/** In which conversations a turn has begun or ended since they were listed. */
import { useCallback, useState } from 'react';
import type { AgentEvent } from '../../../../src/agent/conversation.ts';
import type { FeedEvent } from '../../server/feed.ts';
import { useEvents } from '../../server/use-live.ts';

export function useWorking(): ReadonlyMap<string, boolean> {
  const [working, setWorking] = useState<ReadonlyMap<string, boolean>>(new Map());
  const listener = useCallback((event: FeedEvent) => {
    if (event.type === 'missed') setWorking(new Map());
    if (event.type !== 'agent' || event.event === undefined) return;
    const { conversation } = event;
    const { type, depth } = event.event as AgentEvent;
    if (depth === 0 && (type === 'turn-started' || type === 'turn-ended'))
      setWorking((before) => new Map(before).set(conversation, type === 'turn-started'));
  }, []);
  useEvents(listener);
  return working;
}
