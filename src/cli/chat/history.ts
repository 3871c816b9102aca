/** What was sent before, kept for the next time in a file that only its owner can read. */
import { appendFileSync, chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** More than this is forgotten, oldest first. */
const MOST = 1_000;

export interface History {
  readonly entries: readonly string[];
  /** Keeps it, unless it is the same as the one before. */
  add(text: string): void;
}

/** The history in a state folder; what can't be read counts as none. */
export function openHistory(state: string): History {
  const file = join(state, 'chat-history');
  const entries = readEntries(file);
  let last = entries.at(-1);
  return {
    entries,
    add(text) {
      if (text === last) return;
      last = text;
      if (!existsSync(file)) {
        mkdirSync(state, { recursive: true, mode: 0o700 });
        writeFileSync(file, '', { mode: 0o600 });
      }
      appendFileSync(file, `${JSON.stringify(text)}\n`);
    },
  };
}

function readEntries(file: string): string[] {
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '');
  const kept = lines.slice(-MOST);
  if (lines.length > 2 * MOST) {
    writeFileSync(file, `${kept.join('\n')}\n`, { mode: 0o600 });
    chmodSync(file, 0o600);
  }
  return kept.flatMap(entryOf);
}

function entryOf(line: string): string[] {
  try {
    const entry: unknown = JSON.parse(line);
    return typeof entry === 'string' ? [entry] : [];
  } catch {
    return [];
  }
}
