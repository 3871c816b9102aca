/**
 * A list of any length: only the rows in sight are there. The newest is at the top: the list stays there as rows come,
 * and stands still for who has scrolled away.
 */
import { useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, type ReactNode, useEffect, useId, useLayoutEffect, useRef } from 'react';
import { useKeys } from '../keys/keys.ts';
import './virtual-list.css';

export interface VirtualListProps<Item> {
  /** What it is a list of. */
  readonly label: string;
  readonly items: readonly Item[];
  readonly keyOf: (item: Item) => string;
  readonly children: (item: Item) => ReactNode;
  /** Of every row. */
  readonly rowHeight: number;
  /** The key of the row that is looked at. */
  readonly current: string | undefined;
  readonly onCurrent: (item: Item) => void;
  /** The end is near: there may be more to load. */
  readonly onEnd?: () => void;
}

const OVERSCAN = 8;

export function VirtualList<Item>(props: VirtualListProps<Item>): ReactNode {
  const { label, items, keyOf, children, rowHeight, current, onCurrent, onEnd } = props;
  const box = useRef<HTMLDivElement>(null);
  const id = useId();
  const virtualizer = useVirtualizer({
    count: items.length,
    getScrollElement: () => box.current,
    estimateSize: () => rowHeight,
    overscan: OVERSCAN,
  });
  useEffect(() => virtualizer.measure(), [virtualizer, rowHeight]);
  useAnchor(box, items, keyOf, rowHeight);

  const rows = virtualizer.getVirtualItems();
  const last = rows.at(-1)?.index ?? -1;
  const isNearEnd = last >= items.length - 1 - OVERSCAN;
  useEffect(() => {
    if (isNearEnd && items.length > 0) onEnd?.();
  }, [isNearEnd, items.length, onEnd]);

  const goTo = (index: number): void => {
    const at = Math.max(0, Math.min(items.length - 1, index));
    if (items[at] === undefined) return;
    onCurrent(items[at]);
    virtualizer.scrollToIndex(at);
  };
  const move = (by: number): void => {
    const at = items.findIndex((item) => keyOf(item) === current);
    goTo(at === -1 ? 0 : at + by);
  };
  const page = (): number => Math.max(1, Math.floor((box.current?.clientHeight ?? 0) / rowHeight) - 1);
  useKeys(label, [
    { key: 'j', does: 'Next', run: () => move(1) },
    { key: 'k', does: 'Previous', run: () => move(-1) },
  ]);
  const moves: Readonly<Record<string, () => void>> = {
    ArrowDown: () => move(1),
    ArrowUp: () => move(-1),
    PageDown: () => move(page()),
    PageUp: () => move(-page()),
    Home: () => goTo(0),
    End: () => goTo(items.length - 1),
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const run = moves[event.key];
    if (run === undefined) return;
    event.preventDefault();
    run();
  };
  const shown = rows.find(({ index }) => keyOf(items[index]!) === current);
  return (
    <div
      ref={box}
      className="virtual-list"
      role="listbox"
      aria-label={label}
      aria-activedescendant={shown === undefined ? undefined : `${id}-${shown.index}`}
      tabIndex={0}
      onKeyDown={onKeyDown}
    >
      <div role="presentation" className="rows" style={{ height: virtualizer.getTotalSize() }}>
        {rows.map(({ index, start }) => {
          const item = items[index]!;
          return (
            <div
              key={keyOf(item)}
              id={`${id}-${index}`}
              className="row"
              role="option"
              aria-selected={keyOf(item) === current}
              aria-setsize={items.length}
              aria-posinset={index + 1}
              style={{ height: rowHeight, transform: `translateY(${start}px)` }}
              onClick={() => onCurrent(item)}
            >
              {children(item)}
            </div>
          );
        })}
      </div>
    </div>
  );
}

/** Who has scrolled away from the top keeps the same rows before the eyes while new ones come above. */
function useAnchor<Item>(
  box: { readonly current: HTMLDivElement | null },
  items: readonly Item[],
  keyOf: (item: Item) => string,
  rowHeight: number,
): void {
  const first = useRef<string>(undefined);
  useLayoutEffect(() => {
    const before = first.current;
    first.current = items[0] === undefined ? undefined : keyOf(items[0]);
    if (before === undefined || before === first.current || box.current === null) return;
    if (box.current.scrollTop < rowHeight) return;
    const added = items.findIndex((item) => keyOf(item) === before);
    if (added > 0) box.current.scrollTop += added * rowHeight;
  }, [box, items, keyOf, rowHeight]);
}
