/**
 * What happens in this process, for all who follow it. The newest events are held in one ring, by number; a follower is
 * a place in it and nothing more, so that one who reads slowly costs no memory. Who falls behind the oldest event, or
 * comes back from before a restart, is told that it missed something, and goes on from the newest.
 */
import { randomBytes } from 'node:crypto';
import { type ServerEvent, withoutContent } from './api/server-event.ts';
import type { Presence } from './presence.ts';

/** An event in its place. */
export interface FedEvent {
  /** A follower that comes back names the last one it has seen. */
  readonly id: string;
  readonly event: ServerEvent;
}

export interface FollowOptions {
  /** The id of the last event that the follower has; it begins with the next one that happens where it has none. */
  readonly after?: string | undefined;
  readonly signal: AbortSignal;
}

export interface Feed {
  /** The id of what happened last: who begins after it misses nothing from now on. */
  readonly newest: string;
  /** How many follow. */
  readonly followers: number;
  publish(event: ServerEvent): void;
  /** Every event from there on, until the signal fires. */
  subscribe(options: FollowOptions): AsyncIterable<FedEvent>;
}

interface Kept extends FedEvent {
  readonly size: number;
}

export interface FeedLimits {
  readonly events: number;
  /** In characters of JSON, all together. */
  readonly size: number;
}

const LIMITS: FeedLimits = { events: 10_000, size: 16 * 1024 * 1024 };
/** What is larger is told without its content. */
const LARGEST_PART = 1 / 16;

export class EventFeed implements Feed {
  readonly #boot = randomBytes(8).toString('hex');
  readonly #limits: FeedLimits;
  readonly #watch: Presence | undefined;
  readonly #kept: Kept[] = [];
  readonly #waiting = new Set<() => void>();
  #last = 0;
  #followers = 0;
  #size = 0;

  /** `watch` is entered by everyone who follows: what has to be looked at is looked at for them. */
  constructor(watch?: Presence, limits: FeedLimits = LIMITS) {
    this.#watch = watch;
    this.#limits = limits;
  }

  get newest(): string {
    return this.#idOf(this.#last);
  }

  get followers(): number {
    return this.#followers;
  }

  publish(event: ServerEvent): void {
    const size = JSON.stringify(event).length;
    const isTooLarge = size > this.#limits.size * LARGEST_PART;
    const kept = isTooLarge ? withoutContent(event) : event;
    const id = this.#idOf(++this.#last);
    this.#kept.push({ id, event: kept, size: isTooLarge ? JSON.stringify(kept).length : size });
    this.#size += this.#kept.at(-1)!.size;
    while (this.#kept.length > this.#limits.events || this.#size > this.#limits.size)
      this.#size -= this.#kept.shift()!.size;
    this.#wake();
  }

  async *subscribe({ after, signal }: FollowOptions): AsyncGenerator<FedEvent> {
    const leave = this.#watch?.enter();
    this.#followers++;
    const wake = (): void => this.#wake();
    signal.addEventListener('abort', wake);
    try {
      let seen = after === undefined ? this.#last : this.#numberOf(after);
      while (!signal.aborted) {
        const oldest = this.#last - this.#kept.length + 1;
        if (seen === undefined || seen + 1 < oldest) {
          seen = this.#last;
          yield { id: this.#idOf(seen), event: { type: 'missed' } };
        } else if (seen < this.#last) {
          yield this.#kept[++seen - oldest]!;
        } else {
          await new Promise<void>((resolve) => this.#waiting.add(resolve));
        }
      }
    } finally {
      signal.removeEventListener('abort', wake);
      this.#followers--;
      leave?.();
    }
  }

  #wake(): void {
    for (const resolve of this.#waiting) resolve();
    this.#waiting.clear();
  }

  #idOf(number: number): string {
    return `${this.#boot}-${number}`;
  }

  /** Undefined where it is of another process, or of none. */
  #numberOf(id: string): number | undefined {
    const [boot, digits = ''] = id.split('-');
    const number = /^\d{1,15}$/.test(digits) ? Number(digits) : Infinity;
    return boot === this.#boot && number <= this.#last ? number : undefined;
  }
}
