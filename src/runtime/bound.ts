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
  /** Pages are read with this id; undefined in a dialect that has no way to. */
  readonly outputId: string | undefined;
}

export interface Bounded<Data> {
  readonly data: Data;
  readonly truncation?: Truncation;
}

/** Keeps the whole of a field that is cut, and returns its id. */
export type KeepOutput = (field: string) => Promise<string | undefined>;

/** Bounds data to `limit` bytes of JSON. The heaviest field goes first; mostly that is all it takes. */
export async function bound<Data>(data: Data, limit: number, keep: KeepOutput): Promise<Bounded<Data>> {
  if (fitsSurely(data, limit)) return { data };
  let bounded = data;
  let first: Truncation | undefined;
  for (let size = jsonBytes(bounded); size > limit; size = jsonBytes(bounded)) {
    const field = heaviestField(bounded);
    if (field === undefined)
      throw new Error(`An output of ${size} bytes has no list or text that could be cut.`);
    const whole = (bounded as Record<string, unknown>)[field] as unknown[] | string;
    const shown = howMany(whole, Math.max(0, limit - (size - jsonBytes(whole))));
    bounded = { ...bounded, [field]: whole.slice(0, shown) };
    first ??= {
      field,
      unit: typeof whole === 'string' ? 'characters' : 'items',
      shown,
      total: whole.length,
      outputId: await keep(field),
    };
  }
  return first === undefined ? { data } : { data: bounded, truncation: first };
}

/** The part of a rendered result that a cut field became; the field itself where nothing of its kind is there. */
export function largestPart(rendered: unknown, output: unknown, field: string): unknown[] | string {
  const whole = (output as Record<string, unknown>)[field] as unknown[] | string;
  const name = heaviestField(rendered);
  const part = name === undefined ? undefined : (rendered as Record<string, unknown>)[name];
  const isCounterpart = (typeof part === 'string' || Array.isArray(part)) && part.length === whole.length;
  return isCounterpart ? part : whole;
}

// A UTF-16 unit takes at most six bytes in JSON (`\u0000`).
const WORST_BYTES = 6;
/** Characters that JSON writes as they are, one byte each. */
const PLAIN = /^[ !#-[\]-~]*$/;

/** A cheap test that almost every output passes, without writing it as JSON. */
function fitsSurely(data: unknown, limit: number): boolean {
  let left = limit / WORST_BYTES;
  const pending: unknown[] = [data];
  while (pending.length > 0 && left > 0) {
    const value = pending.pop();
    if (typeof value === 'string')
      left -= (PLAIN.test(value) ? value.length / WORST_BYTES : value.length) + 1;
    else if (Array.isArray(value)) {
      left -= value.length + 2;
      if (left > 0) for (const inner of value) pending.push(inner);
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
    if ((typeof value !== 'string' && !Array.isArray(value)) || value.length === 0) continue;
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
