/** The highlighter, loaded when there is code to show. */
import { useEffect, useState } from 'react';
import type { highlight } from './highlight.ts';

export type Highlighter = typeof highlight;

let loaded: Highlighter | undefined;

/** Undefined until it is there. */
export function useHighlighter(): Highlighter | undefined {
  const [highlighter, setHighlighter] = useState(() => loaded);
  useEffect(() => {
    let isWanted = true;
    const load = async (): Promise<void> => {
      loaded = (await import('./highlight.ts')).highlight;
      if (isWanted) setHighlighter(() => loaded);
    };
    void load();
    return () => {
      isWanted = false;
    };
  }, []);
  return highlighter;
}
