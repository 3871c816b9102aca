/**
 * The one place that bounds output. Data over the limit has its heaviest list or text cut to what fits; the
 * whole of that part is kept, so that it can be paged, and the cut is said.
 */

/** What was cut, and where the whole is. */
export interface Truncation {
  /** The field that was cut, such as `entries`. */
  readonly field: string;
  readonly unit: 'items' | 'characters';
  readonly shown: number;
  readonly total: number;
  /** Pages are read with this id. */
  readonly outputId: string;
}

export interface Bounded<Data> {
  readonly data: Data;
  readonly truncation?: Truncation;
}

/** Keeps the whole of a cut part and returns its id. */
export type KeepOutput = (whole: unknown[] | string) => Promise<string>;

/** Bounds data to `limit` bytes of JSON. */
export async function bound<Data>(data: Data, limit: number, keep: KeepOutput): Promise<Bounded<Data>> {
  if (fitsSurely(data, limit)) return { data };
  const size = jsonBytes(data);
  if (size <= limit) return { data };
  const field = heaviestField(data);
  if (field === undefined)
    throw new Error(`An output of ${size} bytes has no list or text that could be cut.`);
  const whole = (data as Record<string, unknown>)[field] as unknown[] | string;
  const room = limit - (size - jsonBytes(whole));
  const shown = howMany(whole, Math.max(0, room));
  const truncation: Truncation = {
    field,
    unit: typeof whole === 'string' ? 'characters' : 'items',
    shown,
    total: whole.length,
    outputId: await keep(whole),
  };
  return { data: { ...data, [field]: whole.slice(0, shown) }, truncation };
}

// A UTF-16 unit takes at most six bytes in JSON (`\u0000`).
const WORST_BYTES = 6;

/** A cheap test that almost every output passes, without writing it as JSON. */
function fitsSurely(data: unknown, limit: number): boolean {
  let left = limit / WORST_BYTES;
  const pending: unknown[] = [data];
  while (pending.length > 0 && left > 0) {
    const value = pending.pop();
    if (typeof value === 'string') left -= value.length + 2;
    else if (Array.isArray(value)) {
      left -= value.length + 2;
      if (left > 0) pending.push(...value);
    } else if (typeof value === 'object' && value !== null) {
      for (const key in value) {
        left -= key.length + 4;
        pending.push((value as Record<string, unknown>)[key]);
      }
    } else left -= 24;
  }
  return left > 0;
}

function jsonBytes(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value) ?? '');
}

function heaviestField(data: unknown): string | undefined {
  if (typeof data !== 'object' || data === null) return undefined;
  let heaviest: string | undefined;
  let most = 0;
  for (const [key, value] of Object.entries(data)) {
    if (typeof value !== 'string' && !Array.isArray(value)) continue;
    const bytes = jsonBytes(value);
    if (bytes > most) [heaviest, most] = [key, bytes];
  }
  return heaviest;
}

/** How many items or characters fit into `room` bytes, counted from the front. */
function howMany(whole: unknown[] | string, room: number): number {
  let used = 2;
  let count = 0;
  for (const part of whole) {
    used += typeof whole === 'string' ? jsonBytes(part) - 2 : jsonBytes(part) + 1;
    if (used > room) break;
    count += typeof whole === 'string' ? (part as string).length : 1;
  }
  return count;
}
