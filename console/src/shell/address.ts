/** What the address says is looked at: `#/view/part`. Going there is following a link. */
import { useSyncExternalStore } from 'react';

export interface Address {
  readonly view: string;
  /** The one thing of the view that is looked at, where there is one. */
  readonly part: string | undefined;
}

/** The address, as it changes. */
export function useAddress(): Address {
  const hash = useSyncExternalStore(subscribe, () => location.hash);
  const [view = '', part] = hash.replace(/^#\/?/, '').split('/').map(decodeURIComponent);
  return { view, part };
}

function subscribe(onChange: () => void): () => void {
  addEventListener('hashchange', onChange);
  return () => removeEventListener('hashchange', onChange);
}

/** Leads to another address; within a view the one before is not one to go back to. */
export function goTo(view: string, part?: string): void {
  const isWithin = location.hash.startsWith(`#/${view}/`) && part !== undefined;
  lead(isWithin ? 'replaceState' : 'pushState', view, part);
}

/** Looking through a list is no way to come back. */
export function lookAt(view: string, part: string): void {
  lead('replaceState', view, part);
}

function lead(how: 'pushState' | 'replaceState', view: string, part?: string): void {
  const address = part === undefined ? `#/${view}` : `#/${view}/${encodeURIComponent(part)}`;
  if (address === location.hash) return;
  history[how](undefined, '', address);
  // Said at once: what the browser says of an address comes after the next key.
  dispatchEvent(new HashChangeEvent('hashchange'));
}
