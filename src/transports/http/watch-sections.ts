/** Looks what was written to the store, by whatever process, and tells the parts that were. */
import type { Section } from '../../store/section.ts';

const POLL_MS = 150;

export interface SectionWatch {
  readonly read: () => Promise<ReadonlyMap<Section, number>>;
  readonly tell: (sections: Section[]) => void;
}

/** What `presence` begins for the first who follows; what was written while nobody did is told to the next who does. */
export function watchSections({ read, tell }: SectionWatch): () => Promise<AsyncDisposable> {
  let known: ReadonlyMap<Section, number> | undefined;
  const look = async (): Promise<void> => {
    const current = await read();
    const changed = [...current].flatMap(([name, writes]) => (known?.get(name) === writes ? [] : [name]));
    if (known !== undefined && changed.length > 0) tell(changed);
    known = current;
  };
  return async () => {
    let isOver = false;
    let timer: NodeJS.Timeout | undefined;
    const again = async (): Promise<void> => {
      // A store that is in trouble says so to whoever asks it something.
      await look().catch(() => undefined);
      if (!isOver) timer = setTimeout(() => void again(), POLL_MS).unref();
    };
    await again();
    return {
      async [Symbol.asyncDispose]() {
        isOver = true;
        clearTimeout(timer);
      },
    };
  };
}
