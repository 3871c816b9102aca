/** Calls, however many, and the one that is looked at beside them; below them on a phone. */
import { type ReactNode, useCallback, useMemo, useSyncExternalStore } from 'react';
import type { Client } from '../../../src/client/index.ts';
import { useKeys } from '../keys/keys.ts';
import { Pages } from '../lists/pages.ts';
import { VirtualList } from '../lists/virtual-list.tsx';
import { Trouble } from '../parts/empty-state.tsx';
import type { FeedEvent } from '../server/feed.ts';
import { useServer } from '../server/server.tsx';
import { useEvents } from '../server/use-live.ts';
import { goTo, useAddress } from '../shell/address.ts';
import { useNarrow } from '../shell/use-narrow.ts';
import type { Call } from './call.ts';
import { CallDetail } from './call-detail.tsx';
import { CallHeads, CallRow, ROW_HEIGHT } from './call-row.tsx';
import './call-list.css';

/** Reads a page of calls; the one after `before`, or the newest. */
export type LoadCalls = (
  client: Client,
  page: { before?: string; limit: number },
  signal: AbortSignal,
) => Promise<{ calls: readonly Call[]; next: string | null }>;

export interface CallListProps {
  /** The view it stands in. */
  readonly view: string;
  readonly label: string;
  readonly load: LoadCalls;
  /** In place of the list, where there is no call. */
  readonly empty: ReactNode;
  /** How many at once, of older ones. */
  readonly pageSize?: number;
}

/** As many as come between two looks, with room to spare. */
const NEWEST = 100;

export function CallList({ view, label, load, empty, pageSize = 200 }: CallListProps): ReactNode {
  const { client } = useServer();
  const { part: current } = useAddress();
  const isNarrow = useNarrow();
  const pages = useMemo(
    () =>
      new Pages<Call>({
        keyOf: idOf,
        load: async (before, signal) => {
          const limit = before === undefined ? NEWEST : pageSize;
          const { calls, next } = await load(
            client,
            before === undefined ? { limit } : { before, limit },
            signal,
          );
          return { items: calls, next };
        },
      }),
    [client, load, pageSize],
  );
  const { items, isLoaded, failure } = useSyncExternalStore(pages.subscribe, pages.snapshot);
  useEvents(
    useCallback(
      (event: FeedEvent) => {
        const isMeant = event.type === 'changed' && event.sections.includes('calls');
        if (isMeant || event.type === 'missed') void pages.refresh();
        // It may be further down than what is looked at again.
        if (event.type === 'call-ended') pages.update(ended(event));
      },
      [pages],
    ),
  );
  const close = useCallback(() => goTo(view), [view]);
  useKeys('Calls', [{ key: 'Escape', does: 'Close the call', run: close }]);
  return (
    <div className={current === undefined ? 'call-view' : 'call-view opened'}>
      <div className="call-list">
        <CallHeads />
        {failure !== undefined && <Trouble failure={failure} />}
        {isLoaded && items.length === 0 ? (
          empty
        ) : (
          <VirtualList
            label={label}
            items={items}
            keyOf={idOf}
            rowHeight={isNarrow ? ROW_HEIGHT.narrow : ROW_HEIGHT.wide}
            current={current}
            onCurrent={({ call_id }) => goTo(view, call_id)}
            onEnd={pages.more}
          >
            {(call) => <CallRow call={call} />}
          </VirtualList>
        )}
      </div>
      {current !== undefined && <CallDetail key={current} id={current} onClose={close} />}
    </div>
  );
}

function idOf({ call_id }: Call): string {
  return call_id;
}

function ended({ callId, outcome }: FeedEvent & { type: 'call-ended' }): (call: Call) => Call {
  return (call) => (call.call_id === callId ? { ...call, outcome } : call);
}
