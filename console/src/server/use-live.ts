/** What the server keeps, as it changes. */
import { useEffect, useMemo, useSyncExternalStore } from 'react';
import type { Client } from '../../../src/client/index.ts';
import type { Section } from '../../../src/store/section.ts';
import type { FeedEvent, FeedState } from './feed.ts';
import { type Loaded, Resource } from './resource.ts';
import { useServer } from './server.tsx';

export interface Live<Value> extends Loaded<Value> {
  readonly reload: () => void;
}

/**
 * Loads something by the client, and again when one of the sections has changed. What has the same name is the same
 * thing: who comes back to it sees at once what was there.
 */
export function useLive<Value>(
  name: string,
  load: (client: Client, signal: AbortSignal) => Promise<Value>,
  sections: readonly Section[],
  /** How long it rests between two loads, where they cost the server something. */
  restMs?: number,
): Live<Value> {
  const { client, feed, resources } = useServer();
  const resource = useMemo(() => {
    const known = resources.get(name) as Resource<Value> | undefined;
    const found = known ?? new Resource<Value>((signal) => load(client, signal), restMs);
    resources.set(name, found);
    return found;
  }, [client, name, resources]);
  useEffect(() => {
    resource.load = (signal) => load(client, signal);
  });
  const wanted = sections.join(' ');
  useEffect(
    () =>
      feed.subscribe((event) => {
        const isMeant =
          event.type === 'changed' && event.sections.some((section) => wanted.split(' ').includes(section));
        if (isMeant || event.type === 'missed') resource.reload();
      }),
    [feed, resource, wanted],
  );
  const loaded = useSyncExternalStore(resource.subscribe, resource.snapshot);
  return useMemo(() => ({ ...loaded, reload: resource.reload }), [loaded, resource]);
}

/** Tells of every event while it is shown. */
export function useEvents(listener: (event: FeedEvent) => void): void {
  const { feed } = useServer();
  useEffect(() => feed.subscribe(listener), [feed, listener]);
}

/** How the stream from the server is. */
export function useFeedState(): FeedState {
  const { feed } = useServer();
  return useSyncExternalStore(feed.onState, () => feed.state);
}
