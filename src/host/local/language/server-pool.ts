/**
 * The servers that run, one for each language. Started by the first question; after a failure left alone for a while,
 * longer each time; stopped when nobody asks any more, or when all together take more memory than they may.
 */
import type { Confinement, FileNotice } from '../../ports.ts';
import type { FoundServer } from './installed-servers.ts';
import type { LanguageServer } from './language-server.ts';
import { ServerTrouble } from './server-trouble.ts';
import type { WatchedTree } from './watched-tree.ts';

export interface PoolLimits {
  readonly idleMs: number;
  /** Of all servers together. */
  readonly memoryBytes: number;
  /** How often the memory is looked at. */
  readonly lookMs: number;
  /** After the first failure; it doubles with each one. */
  readonly firstPauseMs: number;
}

export interface PoolParts {
  start(found: FoundServer, confinement: Confinement): Promise<LanguageServer>;
  /** Watches the files, from before the first server looks at them. */
  watch(): Promise<WatchedTree>;
  readonly limits: PoolLimits;
}

interface Place {
  server?: Promise<LanguageServer> | undefined;
  running?: LanguageServer | undefined;
  failures: number;
  /** Not started again before. */
  notBefore: number;
  lastWhy: string;
  usedAt: number;
  users: number;
}

const LONGEST_PAUSE_MS = 60_000;
/** After so long without trouble a server starts with a clean record. */
const FORGIVEN_MS = 120_000;

export class ServerPool implements AsyncDisposable {
  readonly #parts: PoolParts;
  readonly #places = new Map<string, Place>();
  #tree: Promise<WatchedTree> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isOver = false;

  constructor(parts: PoolParts) {
    this.#parts = parts;
  }

  /** Works with the server of a language; it is not stopped meanwhile for being idle. */
  async use<Output>(
    found: FoundServer,
    confine: () => Promise<Confinement>,
    work: (server: LanguageServer) => Promise<Output>,
  ): Promise<Output> {
    const place = this.#placeOf(found);
    place.users++;
    try {
      await this.#catchUp();
      return await work(await this.#serverIn(place, found, confine));
    } finally {
      place.users--;
      place.usedAt = performance.now();
    }
  }

  notice(changes: readonly FileNotice[]): void {
    for (const { running } of this.#places.values()) running?.notice(changes);
  }

  /** The memory of all servers that run. */
  memory(): number {
    return [...this.#places.values()].reduce((sum, { running }) => sum + (running?.memory() ?? 0), 0);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isOver = true;
    clearInterval(this.#timer);
    await Promise.all([...this.#places.values()].map(stopIn));
    (await this.#tree)?.[Symbol.dispose]();
  }

  /** Tells servers what anyone changed since the last question; where that is too much, they start anew. */
  async #catchUp(): Promise<void> {
    const changes = await (await (this.#tree ??= this.#parts.watch())).changes();
    if (changes === undefined) await Promise.all([...this.#places.values()].map(stopIn));
    else if (changes.length > 0) this.notice(changes);
  }

  #placeOf({ language, command }: FoundServer): Place {
    const key = JSON.stringify([language, ...command]);
    const known = this.#places.get(key);
    if (known !== undefined) return known;
    const place: Place = { failures: 0, notBefore: 0, lastWhy: '', usedAt: 0, users: 0 };
    this.#places.set(key, place);
    return place;
  }

  async #serverIn(
    place: Place,
    found: FoundServer,
    confine: () => Promise<Confinement>,
  ): Promise<LanguageServer> {
    if (this.#isOver) throw new ServerTrouble('Handrail is shutting down.', { status: 'unavailable' });
    place.server ??= this.#start(place, found, confine);
    return place.server;
  }

  async #start(
    place: Place,
    found: FoundServer,
    confine: () => Promise<Confinement>,
  ): Promise<LanguageServer> {
    const wait = place.notBefore - performance.now();
    if (wait > 0) {
      place.server = undefined;
      throw leftAlone(place, wait);
    }
    const startedAt = performance.now();
    try {
      const server = await this.#parts.start(found, await confine());
      place.running = server;
      void server.ended.then((why) => this.#ended(place, server, why, startedAt));
      this.#timer ??= setInterval(() => this.#look(), this.#parts.limits.lookMs).unref();
      return server;
    } catch (error) {
      place.server = undefined;
      if (error instanceof ServerTrouble) this.#failed(place, error.message, startedAt);
      throw error;
    }
  }

  #ended(place: Place, server: LanguageServer, why: string, startedAt: number): void {
    if (place.running !== server) return;
    place.running = undefined;
    place.server = undefined;
    this.#failed(place, `It stopped working, because ${why}.`, startedAt);
  }

  #failed(place: Place, why: string, startedAt: number): void {
    const now = performance.now();
    place.failures = now - startedAt > FORGIVEN_MS ? 1 : place.failures + 1;
    // Once may be chance; the next question starts it again at once.
    const pause = place.failures === 1 ? 0 : this.#parts.limits.firstPauseMs * 2 ** (place.failures - 2);
    place.notBefore = now + Math.min(pause, LONGEST_PAUSE_MS);
    place.lastWhy = why;
  }

  #look(): void {
    const { idleMs, memoryBytes } = this.#parts.limits;
    const now = performance.now();
    const running = [...this.#places.values()].filter((place) => place.running !== undefined);
    for (const place of running) if (place.users === 0 && now - place.usedAt > idleMs) void stopIn(place);
    let memory = this.memory();
    for (const place of running.toSorted((one, other) => one.usedAt - other.usedAt)) {
      if (memory <= memoryBytes) break;
      const own = place.running?.memory() ?? 0;
      memory -= own;
      if (own > memoryBytes) this.#failed(place, tooLarge(own, memoryBytes), now);
      void stopIn(place);
    }
  }
}

/** Lets go of a server first, so that its end counts as no failure. */
async function stopIn(place: Place): Promise<void> {
  const { server } = place;
  place.server = undefined;
  place.running = undefined;
  // One that is still starting is stopped once it runs.
  await (await server?.catch(() => undefined))?.stop();
}

function leftAlone({ lastWhy }: Place, wait: number): ServerTrouble {
  const seconds = Math.ceil(wait / 1_000);
  return new ServerTrouble(`${lastWhy} It is started again in ${seconds} s at the earliest.`, {
    status: 'unavailable',
  });
}

function tooLarge(own: number, most: number): string {
  const mebibytes = (bytes: number): number => Math.round(bytes / 1024 / 1024);
  return `It took ${mebibytes(own)} MiB of memory, more than the ${mebibytes(most)} MiB for all servers, and was stopped.`;
}
