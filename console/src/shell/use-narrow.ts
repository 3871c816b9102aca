/** Whether there is only the width of a phone; the style sheets ask the same. */
import { useSyncExternalStore } from 'react';

const narrow = matchMedia('(max-width: 46rem)');

export function useNarrow(): boolean {
  return useSyncExternalStore(subscribe, () => narrow.matches);
}

function subscribe(onChange: () => void): () => void {
  narrow.addEventListener('change', onChange);
  return () => narrow.removeEventListener('change', onChange);
}
