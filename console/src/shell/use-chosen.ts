/** Which one of a list is looked at: the address says so. When it goes away, the one that took its place. */
import { useEffect, useRef } from 'react';
import { useAddress } from './address.ts';

export interface Chosen<Item> {
  readonly chosen: Item | undefined;
  readonly choose: (id: string) => void;
  /** To the one so many below. */
  readonly move: (by: number) => void;
}

export function useChosen<Item extends { readonly id: string }>(
  view: string,
  items: readonly Item[],
): Chosen<Item> {
  const { part } = useAddress();
  const place = useRef(0);
  const found = items.findIndex(({ id }) => id === part);
  const at = found === -1 ? Math.min(place.current, items.length - 1) : found;
  useEffect(() => {
    place.current = Math.max(0, at);
  }, [at]);
  const choose = (id: string): void =>
    history.replaceState(undefined, '', `#/${view}/${encodeURIComponent(id)}`);
  const go = (id: string): void => {
    choose(id);
    dispatchEvent(new HashChangeEvent('hashchange'));
  };
  return {
    chosen: items[at],
    choose: go,
    move: (by) => {
      const next = items[Math.max(0, Math.min(items.length - 1, at + by))];
      if (next !== undefined) go(next.id);
    },
  };
}
