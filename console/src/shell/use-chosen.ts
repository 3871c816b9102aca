/** Which one of a list is looked at: the address says so. It stays the same while others come; when it goes away, it is the one that took its place. */
import { useEffect, useRef } from 'react';
import { lookAt, useAddress } from './address.ts';

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
  const before = useRef({ id: part, at: 0 });
  const indexOf = (wanted: string | undefined): number => items.findIndex(({ id }) => id === wanted);
  const places = [indexOf(part), indexOf(before.current.id), Math.min(before.current.at, items.length - 1)];
  const at = places.find((place) => place !== -1) ?? -1;
  const id = items[at]?.id;
  useEffect(() => {
    if (id !== undefined) before.current = { id, at };
  }, [id, at]);
  const choose = (wanted: string): void => lookAt(view, wanted);
  return {
    chosen: items[at],
    choose,
    move: (by) => {
      const next = items[Math.max(0, Math.min(items.length - 1, at + by))];
      if (next !== undefined) choose(next.id);
    },
  };
}
