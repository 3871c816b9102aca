/** A list and what is chosen of it, side by side; one above the other where there is no room. Each scrolls by itself. */
import { createContext, type ReactNode, use, useEffect, useState } from 'react';
import './panes.css';

export interface PanesProps {
  readonly list: ReactNode;
  /** What is chosen; a pane of its own. */
  readonly children: ReactNode;
}

export function Panes({ list, children }: PanesProps): ReactNode {
  return (
    <div className="panes">
      <div className="pane-list">{list}</div>
      {children}
    </div>
  );
}

const ScrollerContext = createContext<HTMLElement | null>(null);

export interface PaneProps {
  /** What it shows; it begins at its top when that is another. */
  readonly of: string;
  readonly label: string;
  readonly children: ReactNode;
  /** Stays in sight below what scrolls. */
  readonly bar?: ReactNode;
}

/** Something that scrolls, and what stays in sight below it. */
export function Pane({ of, label, children, bar }: PaneProps): ReactNode {
  return (
    <section className="pane" aria-label={label}>
      <Scroller of={of} label={label}>
        {children}
      </Scroller>
      {bar !== undefined && <div className="pane-bar">{bar}</div>}
    </section>
  );
}

/** What scrolls by itself; a pane has one, and so has anything that has a head of its own. */
export function Scroller({ of, label, children }: Omit<PaneProps, 'bar'>): ReactNode {
  const [scroller, setScroller] = useState<HTMLElement | null>(null);
  useEffect(() => {
    scroller?.scrollTo(0, 0);
  }, [scroller, of]);
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reachable by key
    <div ref={setScroller} className="pane-scroller" tabIndex={0} role="group" aria-label={label}>
      <ScrollerContext value={scroller}>
        <div className="pane-content">{children}</div>
      </ScrollerContext>
    </div>
  );
}

/** What scrolls around this; null until it is there. */
export function useScroller(): HTMLElement | null {
  return use(ScrollerContext);
}
