/** Things to choose one of, one below the other. */
import type { ReactNode } from 'react';
import './item-list.css';

export interface ItemListProps<Item> {
  readonly label: string;
  readonly items: readonly Item[];
  readonly chosen: string | undefined;
  readonly onChoose: (id: string) => void;
  /** How one looks, where they differ. */
  readonly classOf?: (item: Item) => string;
  readonly children: (item: Item) => ReactNode;
}

export function ItemList<Item extends { readonly id: string }>({
  label,
  items,
  chosen,
  onChoose,
  classOf,
  children,
}: ItemListProps<Item>): ReactNode {
  return (
    <ul className="item-list" aria-label={label}>
      {items.map((item) => (
        <li key={item.id}>
          <button
            type="button"
            className={classOf?.(item)}
            aria-current={item.id === chosen}
            onClick={() => onChoose(item.id)}
          >
            {children(item)}
          </button>
        </li>
      ))}
    </ul>
  );
}
