/** What the address says is looked at: `#/view/part`. Going there is following a link. */
import { useSyncExternalStore } from 'react';

export interface Address {
  readonly view: string;
  /** The one thing of the view that is looked at, where there is one. */
  readonly part: string | undefined;
}

/** Browsers refuse hundreds of changes in a few seconds, as holding a key down makes them: they are told when it pauses. */
const PAUSE_MS = 150;

/** Where moving has led already, and the browser does not know yet. */
let ahead: string | undefined;
let timer: ReturnType<typeof setTimeout> | undefined;
const listeners = new Set<() => void>();

/** The address, as it changes. */
export function useAddress(): Address {
  const hash = useSyncExternalStore(subscribe, addressNow);
  const [view = '', part] = hash.replace(/^#\/?/, '').split('/').map(decodeURIComponent);
  return { view, part };
}

/** Leads to another address; within a view the one before is not one to go back to. */
export function goTo(view: string, part?: string): void {
  if (part !== undefined && addressNow().startsWith(`#/${view}/`)) return lookAt(view, part);
  const address = addressOf(view, part);
  if (address === addressNow()) return;
  settle();
  history.pushState(undefined, '', address);
  tell();
}

/** Looking through a list is no way to come back. */
export function lookAt(view: string, part: string): void {
  const address = addressOf(view, part);
  if (address === addressNow()) return;
  ahead = address;
  clearTimeout(timer);
  timer = setTimeout(settle, PAUSE_MS);
  tell();
}

function addressOf(view: string, part: string | undefined): string {
  return part === undefined ? `#/${view}` : `#/${view}/${encodeURIComponent(part)}`;
}

function addressNow(): string {
  return ahead ?? location.hash;
}

function settle(): void {
  if (ahead !== undefined) history.replaceState(undefined, '', ahead);
  forget();
}

function forget(): void {
  clearTimeout(timer);
  ahead = undefined;
}

function subscribe(listener: () => void): () => void {
  if (listeners.size === 0) addEventListener('hashchange', followBrowser);
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) removeEventListener('hashchange', followBrowser);
  };
}

/** A link was followed, or the way back. */
function followBrowser(): void {
  forget();
  tell();
}

function tell(): void {
  for (const listener of listeners) listener();
}
