/** A list that is read page by page, newest first, and grows at both ends: older ones on demand, newer ones as they come. */

export interface Page<Item> {
  readonly items: readonly Item[];
  /** Where the next page begins; null at the end. */
  readonly next: string | null;
}

export interface PagesState<Item> extends Page<Item> {
  /** False until the first page came. */
  readonly isLoaded: boolean;
  readonly failure: Error | undefined;
}

export interface PagesOptions<Item> {
  readonly load: (before: string | undefined, signal: AbortSignal) => Promise<Page<Item>>;
  readonly keyOf: (item: Item) => string;
}

const REST_MS = 200;

export class Pages<Item> {
  readonly #options: PagesOptions<Item>;
  readonly #listeners = new Set<() => void>();
  #state: PagesState<Item> = { items: [], next: null, isLoaded: false, failure: undefined };
  #ended = new AbortController();
  #isStale = true;
  #isRefreshing = false;
  #isLoadingMore = false;

  constructor(options: PagesOptions<Item>) {
    this.#options = options;
  }

  readonly snapshot = (): PagesState<Item> => this.#state;

  /** Loads while somebody looks. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    if (this.#ended.signal.aborted) this.#ended = new AbortController();
    void this.refresh();
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size === 0) this.#ended.abort();
    };
  };

  /** Looks for newer ones; once more afterwards, where it is asked for meanwhile. */
  readonly refresh = async (): Promise<void> => {
    this.#isStale = true;
    if (this.#isRefreshing) return;
    this.#isRefreshing = true;
    const { signal } = this.#ended;
    while (this.#isStale && !signal.aborted) {
      this.#isStale = false;
      await this.#attempt(signal, async () => {
        const page = await this.#options.load(undefined, signal);
        return { ...joined(page, this.#state, this.#options.keyOf), isLoaded: true };
      });
      await new Promise((resolve) => setTimeout(resolve, REST_MS));
    }
    this.#isRefreshing = false;
    if (this.#isStale && !this.#ended.signal.aborted) void this.refresh();
  };

  /** Loads older ones. */
  readonly more = (): void => {
    const { next } = this.#state;
    if (next === null || this.#isLoadingMore) return;
    this.#isLoadingMore = true;
    const { signal } = this.#ended;
    void this.#attempt(signal, async () => {
      const page = await this.#options.load(next, signal);
      // The list may have begun anew meanwhile.
      if (this.#state.next !== next) return {};
      return { items: [...this.#state.items, ...page.items], next: page.next };
    }).finally(() => {
      this.#isLoadingMore = false;
    });
  };

  /** Puts another in the place of one, where it is there. */
  readonly update = (key: string, change: (item: Item) => Item): void => {
    const { items } = this.#state;
    const at = items.findIndex((item) => this.#options.keyOf(item) === key);
    if (at !== -1) this.#show({ items: items.with(at, change(items[at]!)) });
  };

  async #attempt(signal: AbortSignal, load: () => Promise<Partial<PagesState<Item>>>): Promise<void> {
    try {
      const loaded = await load();
      if (!signal.aborted) this.#show({ failure: undefined, ...loaded });
    } catch (error) {
      const failure = error instanceof Error ? error : new Error(String(error));
      if (!signal.aborted) this.#show({ failure });
    }
  }

  #show(changes: Partial<PagesState<Item>>): void {
    this.#state = { ...this.#state, ...changes };
    for (const listener of this.#listeners) listener();
  }
}

/** The first page in front of what was there; where too many came to know what is between them, it begins anew. */
function joined<Item>(page: Page<Item>, known: Page<Item>, keyOf: (item: Item) => string): Page<Item> {
  const last = page.items.at(-1);
  if (last === undefined || known.items.length === 0) return page;
  const at = known.items.findIndex((item) => keyOf(item) === keyOf(last));
  return at === -1 ? page : { items: [...page.items, ...known.items.slice(at + 1)], next: known.next };
}
