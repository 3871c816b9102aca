/** Text from outside, shown as what it is: what would not be seen, or would steer what is seen, is an escape with a mark. */
import { type ReactNode, type RefObject, useLayoutEffect, useMemo, useRef } from 'react';
import { escapes } from './escapes.ts';
import { shownLines } from './shown-lines.ts';
import './shown-text.css';

/** Text within a line. */
export function ShownText({ text }: { readonly text: string }): ReactNode {
  const parts = useMemo(() => escapes(text), [text]);
  return parts.map(({ kind, text: part }, index) =>
    kind === 'plain' ? (
      part
    ) : (
      <span key={index} className={kind}>
        {part}
      </span>
    ),
  );
}

export interface TextBoxProps {
  readonly text: string;
  /** What it is, for who can't see it. */
  readonly label: string;
  /** Whether it grows, and its end is what matters. */
  readonly isFollowed?: boolean;
}

/** Lines of text, in a box that scrolls: all of them, with their number where not all fit. */
export function TextBox({ text, label, isFollowed = false }: TextBoxProps): ReactNode {
  const box = useEnd(text, isFollowed);
  const lines = useMemo(() => shownLines(text), [text]);
  const total = useMemo(() => text.replace(/\n$/, '').split('\n').length, [text]);
  return (
    <figure className="text-box">
      <pre ref={box} tabIndex={0} role="region" aria-label={label}>
        {lines.map((line, index) =>
          line.kind === 'text' ? (
            <span key={index} className="line">
              <ShownText text={line.text} />
              {'\n'}
            </span>
          ) : (
            <span key={index} className="line blank-lines">{`⋮ ${line.count} blank lines\n`}</span>
          ),
        )}
      </pre>
      {total > COUNTED && <figcaption>{total.toLocaleString()} lines in all</figcaption>}
    </figure>
  );
}

/** More lines than the box is high. */
const COUNTED = 16;

/** Keeps the end in sight, for who has not scrolled away from it. */
function useEnd(text: string, isFollowed: boolean): RefObject<HTMLPreElement | null> {
  const box = useRef<HTMLPreElement>(null);
  const end = useRef(0);
  useLayoutEffect(() => {
    const scroller = box.current;
    if (scroller === null || !isFollowed) return;
    if (scroller.scrollTop >= end.current - 2) scroller.scrollTop = scroller.scrollHeight;
    end.current = scroller.scrollHeight - scroller.clientHeight;
  }, [text, isFollowed]);
  return box;
}
