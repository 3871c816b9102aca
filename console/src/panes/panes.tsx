/** A list and what is chosen of it, side by side; one above the other where there is no room. Each scrolls by itself. */
import { createContext, type ReactNode, type RefObject, use, useEffect, useRef } from 'react';
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

const ScrollerContext = createContext<RefObject<HTMLDivElement | null> | undefined>(undefined);

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
  const scroller = useRef<HTMLDivElement>(null);
  useEffect(() => scroller.current?.scrollTo(0, 0), [of]);
  return (
    <section className="pane" aria-label={label}>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reachable by key */}
      <div ref={scroller} className="pane-scroller" tabIndex={0} role="group" aria-label={label}>
        <ScrollerContext value={scroller}>
          <div className="pane-content">{children}</div>
        </ScrollerContext>
      </div>
      {bar !== undefined && <div className="pane-bar">{bar}</div>}
    </section>
  );
}

/** What scrolls around this. */
export function useScroller(): RefObject<HTMLDivElement | null> {
  const scroller = use(ScrollerContext);
  if (scroller === undefined) throw new Error('There is no Pane around this.');
  return scroller;
}
