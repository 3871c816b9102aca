/** Calls, however many, and the one that is looked at beside them; below them on a phone. */
import { type ReactNode, useCallback, useMemo, useSyncExternalStore } from 'react';
import { useKeys } from '../keys/keys.ts';
import { Pages } from '../lists/pages.ts';
import { VirtualList } from '../lists/virtual-list.tsx';
import { Trouble } from '../parts/empty-state.tsx';
import type { FeedEvent } from '../server/feed.ts';
import { useServer } from '../server/server.tsx';
import { useEvents } from '../server/use-live.ts';
import { goTo, useAddress } from '../shell/address.ts';
import { useNarrow } from '../shell/use-narrow.ts';
import type { Call, Wanted } from './call.ts';
import { CallDetail } from './call-detail.tsx';
import { CallHeads, CallRow, ROW_HEIGHT } from './call-row.tsx';
import './call-list.css';

export interface CallListProps {
  /** The view it stands in. */
  readonly view: string;
  readonly label: string;
  /** Which calls; the same object for as long as they are the same. */
  readonly wanted: Wanted;
  /** In place of the list, where there is no call. */
  readonly empty: ReactNode;
  /** How many at once, of older ones. */
  readonly pageSize?: number;
}

/** As many as come between two looks, with room to spare. */
const NEWEST = 100;

export function CallList({ view, label, wanted, empty, pageSize = 200 }: CallListProps): ReactNode {
  const { client } = useServer();
  const { part: current } = useAddress();
  const isNarrow = useNarrow();
  const pages = useMemo(
    () =>
      new Pages<Call>({
        keyOf: idOf,
        load: async (before, signal) => {
          const limit = before === undefined ? NEWEST : pageSize;
          const { calls, next } = await client.listCalls({ ...wanted, before, limit }, { signal });
          return { items: calls, next };
        },
      }),
    [client, wanted, pageSize],
  );
  const { items, isLoaded, failure } = useSyncExternalStore(pages.subscribe, pages.snapshot);
  useEvents(
    useCallback(
      (event: FeedEvent) => {
        const isMeant = event.type === 'changed' && event.sections.includes('calls');
        if (isMeant || event.type === 'missed') void pages.refresh();
        // It may be further down than what is looked at again.
        if (event.type === 'call-ended')
          pages.update(event.callId, (call) => ({ ...call, outcome: event.outcome }));
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
            onCurrent={({ id }) => goTo(view, id)}
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

function idOf({ id }: Call): string {
  return id;
}
