/// <reference lib="dom" />
/** Keeps a list on the page in step with its data, and leaves alone what has not changed: focus, text that is being written, what is open. */

export interface KeyedList<Item> {
  /** Shows these items; says whether anything came, went or moved. */
  show(items: readonly Item[]): boolean;
}

export interface KeyedListOptions<Item> {
  readonly container: HTMLElement;
  /** Shown instead where there is nothing. */
  readonly empty: HTMLElement;
  readonly keyOf: (item: Item) => string;
  /** Builds an item, given how it looked before. */
  readonly build: (item: Item, before: HTMLElement | undefined) => HTMLElement;
}

/** A list in a container of its own. */
export function keyedList<Item>({ container, empty, keyOf, build }: KeyedListOptions<Item>): KeyedList<Item> {
  let shown = new Map<string, { readonly data: string; readonly made: HTMLElement }>();
  return {
    show(items) {
      const next: typeof shown = new Map();
      for (const item of items) {
        const data = JSON.stringify(item);
        const before = shown.get(keyOf(item));
        next.set(keyOf(item), before?.data === data ? before : { data, made: build(item, before?.made) });
      }
      shown = next;
      empty.hidden = items.length > 0;
      return place(
        container,
        [...next.values()].map(({ made }) => made),
      );
    },
  };
}

/** Moves only what is not in its place yet: an element that is moved loses the focus. */
function place(container: HTMLElement, wanted: readonly HTMLElement[]): boolean {
  const kept = new Set<Element>(wanted);
  const gone = [...container.children].filter((child) => !kept.has(child));
  for (const child of gone) child.remove();
  let hasChanged = gone.length > 0;
  for (const [index, made] of wanted.entries()) {
    const there = container.children[index] ?? null;
    if (there === made) continue;
    container.insertBefore(made, there);
    hasChanged = true;
  }
  return hasChanged;
}
