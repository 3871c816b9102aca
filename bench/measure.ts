/**
 * Times contenders against each other in one run. They take turns in short stretches, so that whatever else the
 * machine does falls on all of them, and every repetition starts from the event loop, as a call from a client does.
 */

/** One way of doing a thing. */
export interface Contender {
  once(): unknown;
  /** Finishes what the stretch left behind; not timed. */
  settle?(): Promise<void>;
}

/** How long a repetition took, in microseconds. */
export interface Sample {
  readonly min: number;
  readonly p50: number;
  readonly p99: number;
}

export interface Plan {
  /** How often every contender has its turn, after a first one that is not counted. */
  readonly rounds: number;
  /** How long a turn is; one repetition at least. */
  readonly stretchMs: number;
}

/** Times every contender; the samples are named as the contenders are. */
export async function compare<Name extends string>(
  contenders: Readonly<Record<Name, Contender>>,
  { rounds, stretchMs }: Plan,
): Promise<Record<Name, Sample>> {
  const names = Object.keys(contenders) as Name[];
  const times = new Map(names.map((name) => [name, [] as number[]]));
  for (let round = 0; round <= rounds; round++) {
    for (const name of names) {
      const taken = await stretch(contenders[name], stretchMs);
      if (round > 0) for (const time of taken) times.get(name)!.push(time);
    }
  }
  return Object.fromEntries(names.map((name) => [name, sampleOf(times.get(name)!)])) as Record<Name, Sample>;
}

async function stretch(contender: Contender, milliseconds: number): Promise<number[]> {
  const taken: number[] = [];
  const end = performance.now() + milliseconds;
  do {
    const start = performance.now();
    await nextTurn();
    await contender.once();
    taken.push((performance.now() - start) * 1_000);
  } while (performance.now() < end);
  await contender.settle?.();
  return taken;
}

/** Waits for the event loop to come round: a wait that grows when something blocks it. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => void setImmediate(resolve));
}

/** The figures of a series of times in microseconds. */
export function sampleOf(times: readonly number[]): Sample {
  const sorted = Float64Array.from(times).sort();
  const at = (share: number): number =>
    sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!;
  return { min: at(0), p50: at(0.5), p99: at(0.99) };
}
