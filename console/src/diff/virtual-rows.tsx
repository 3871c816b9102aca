/** Rows of any height in a pane that scrolls; only those in sight are in the page. */
import { useVirtualizer } from '@tanstack/react-virtual';
import {
  type ReactNode,
  type Ref,
  type RefObject,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { useScroller } from '../panes/panes.tsx';

export interface RowsHandle {
  /** Brings a row to the top. */
  readonly scrollTo: (index: number) => void;
}

export interface VirtualRowsProps {
  readonly count: number;
  readonly keyOf: (index: number) => string | number;
  readonly render: (index: number) => ReactNode;
  readonly handle?: Ref<RowsHandle>;
}

/** So many are in the page anyway, for who searches it or has it read to them. */
const SMALL = 250;
const AROUND = 20;
const ROW_PIXELS = 20;

export function VirtualRows({ count, keyOf, render, handle }: VirtualRowsProps): ReactNode {
  const list = useRef<HTMLDivElement>(null);
  const scroller = useScroller();
  const scrollMargin = useTop(list, scroller);
  const virtualizer = useVirtualizer({
    count,
    getScrollElement: () => scroller,
    estimateSize: () => ROW_PIXELS,
    overscan: count <= SMALL ? SMALL : AROUND,
    getItemKey: keyOf,
    scrollMargin,
  });
  useImperativeHandle(
    handle,
    () => ({ scrollTo: (index) => virtualizer.scrollToIndex(index, { align: 'start' }) }),
    [virtualizer],
  );
  const items = virtualizer.getVirtualItems();
  return (
    <div ref={list} className="virtual-rows" style={{ height: virtualizer.getTotalSize() }}>
      <div style={{ transform: `translateY(${(items[0]?.start ?? scrollMargin) - scrollMargin}px)` }}>
        {items.map(({ key, index }) => (
          <div key={key} data-index={index} ref={virtualizer.measureElement}>
            {render(index)}
          </div>
        ))}
      </div>
    </div>
  );
}

/** Where it begins in what scrolls, whatever grows or shrinks above it. */
function useTop(list: RefObject<HTMLElement | null>, scroller: HTMLElement | null): number {
  const [top, setTop] = useState(0);
  useLayoutEffect(() => {
    const { current: inner } = list;
    if (inner === null || scroller === null) return undefined;
    const measure = (): void => {
      const { top: edge } = scroller.getBoundingClientRect();
      setTop(Math.round(inner.getBoundingClientRect().top - edge + scroller.scrollTop));
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(scroller.firstElementChild!);
    return () => observer.disconnect();
  }, [list, scroller]);
  return top;
}
