/** The keys of the console: one listener, and groups of keys that come and go with what is shown. */
import { useLayoutEffect, useRef } from 'react';

export interface Key {
  /** As the browser names it (`j`, `Enter`, `?`), or two after each other (`g l`). */
  readonly key: string;
  /** What it does, for the list of keys. */
  readonly does: string;
  readonly run: () => void;
}

export interface KeyGroup {
  readonly title: string;
  readonly keys: readonly Key[];
}

const groups = new Set<{ readonly current: KeyGroup }>();
let before = '';

/** Listens for keys from when it is seen, while it is shown; of two groups with the same key the later one counts. */
export function useKeys(title: string, keys: readonly Key[]): void {
  const group = useRef<KeyGroup>({ title, keys });
  useLayoutEffect(() => {
    group.current = { title, keys };
  });
  useLayoutEffect(() => {
    groups.add(group);
    return () => void groups.delete(group);
  }, []);
}

/** The groups that count now, oldest first. */
export function keyGroups(): KeyGroup[] {
  return [...groups].map(({ current }) => current).filter(({ keys }) => keys.length > 0);
}

/** Starts listening, until the returned function is called. */
export function listenForKeys(): () => void {
  document.addEventListener('keydown', onKey);
  return () => document.removeEventListener('keydown', onKey);
}

function onKey(event: KeyboardEvent): void {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isTaken(event)) return;
  const sequence = before === '' ? event.key : `${before} ${event.key}`;
  const found = find(sequence) ?? (before === '' ? undefined : find(event.key));
  const begins = keyGroups().some(({ keys }) => keys.some(({ key }) => key.startsWith(`${event.key} `)));
  before = found === undefined && begins ? event.key : '';
  if (found === undefined) return;
  event.preventDefault();
  found.run();
}

function find(wanted: string): Key | undefined {
  const all = keyGroups().flatMap(({ keys }) => keys);
  return all.findLast(({ key }) => key === wanted);
}

/** Who writes, or has a control under the finger, or a dialog before the eyes, means that. */
function isTaken({ target, key }: KeyboardEvent): boolean {
  if (!(target instanceof Element)) return false;
  if (document.querySelector('dialog[open]') !== null) return true;
  const isWriting =
    target.closest('input:not([type="checkbox"]), textarea, select, [contenteditable]') !== null;
  if (isWriting) return key !== 'Escape';
  return (key === 'Enter' || key === ' ') && target.closest('a, button, summary, input') !== null;
}
