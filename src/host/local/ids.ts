/** Ids that sort by time: a prefix, nine characters of time, sixteen of chance. */
import { randomFillSync } from 'node:crypto';
import type { Clock, Ids } from '../ports.ts';

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const TIME_CHARACTERS = 9;
const CHANCE_BYTES = 16;

// One trip to the random source serves many ids: an id is made in every call.
const POOL_BYTES = 4096;

/** Makes ids from the given clock. */
export function localIds(clock: Clock): Ids {
  const pool = Buffer.allocUnsafe(POOL_BYTES);
  let used = POOL_BYTES;
  const chance = (bytes: number): Buffer => {
    if (used + bytes > POOL_BYTES) {
      randomFillSync(pool);
      used = 0;
    }
    return pool.subarray(used, (used += bytes));
  };
  return {
    next(prefix) {
      let id = `${prefix}_${timeCharacters(clock.now())}`;
      for (const byte of chance(CHANCE_BYTES)) id += ALPHABET[byte & 31];
      return id;
    },
    trace: () => chance(16).toString('hex'),
  };
}

function timeCharacters(milliseconds: number): string {
  let rest = milliseconds;
  let characters = '';
  for (let index = 0; index < TIME_CHARACTERS; index++) {
    characters = ALPHABET[rest % 32] + characters;
    rest = Math.floor(rest / 32);
  }
  return characters;
}
