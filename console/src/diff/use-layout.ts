/** How diffs are looked at: in one column, or the old beside the new. The choice is kept; a narrow page has one column. */
import { useSyncExternalStore } from 'react';
import type { DiffLayout } from './diff-rows.ts';

const KEPT = 'handrail-diff-layout';
const WIDE = matchMedia('(min-width: 56rem)');
const listeners = new Set<() => void>();

export interface Layout {
  readonly layout: DiffLayout;
  /** Whether there is room for two columns. */
  readonly isWide: boolean;
  readonly toggle: () => void;
}

export function useLayout(): Layout {
  const wanted = useSyncExternalStore(subscribe, wantedLayout);
  const isWide = useSyncExternalStore(subscribe, () => WIDE.matches);
  return { layout: isWide ? wanted : 'unified', isWide, toggle };
}

function wantedLayout(): DiffLayout {
  return localStorage.getItem(KEPT) === 'split' ? 'split' : 'unified';
}

function toggle(): void {
  localStorage.setItem(KEPT, wantedLayout() === 'split' ? 'unified' : 'split');
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  WIDE.addEventListener('change', listener);
  return () => {
    listeners.delete(listener);
    WIDE.removeEventListener('change', listener);
  };
}
