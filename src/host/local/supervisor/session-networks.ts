/** One network a session, from its first background process to the end of its last. */
import type { HeldNetwork } from '../sandbox/session-network.ts';

export interface UsedNetwork extends Disposable {
  readonly network: HeldNetwork | undefined;
}

interface Entry {
  readonly held: Promise<HeldNetwork | undefined>;
  users: number;
}

export class SessionNetworks {
  readonly #entries = new Map<string, Entry>();

  /** The network of a session, made by the first who asks; its use ends when disposed. */
  async use(session: string, open: () => Promise<HeldNetwork | undefined>): Promise<UsedNetwork> {
    const entry = this.#entries.get(session) ?? { held: open(), users: 0 };
    this.#entries.set(session, entry);
    entry.users++;
    const leave = (): void => {
      if (--entry.users > 0) return;
      if (this.#entries.get(session) === entry) this.#entries.delete(session);
      void entry.held.then((held) => held?.[Symbol.dispose]()).catch(() => undefined);
    };
    try {
      return { network: await entry.held, [Symbol.dispose]: leave };
    } catch (error) {
      leave();
      throw error;
    }
  }
}
