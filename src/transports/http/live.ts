/**
 * What the page shows, as it changes. Each section is sent whole; the id of an event says which state of each section
 * the page has then, so that a page that comes back is sent only what it lacks.
 */
import { hash } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import type { SSEStreamingApi } from 'hono/streaming';
import type { Clock } from '../../host/ports.ts';
import type { TurnSummary } from '../../journal/turns.ts';
import type { Runtime } from '../../runtime-types.ts';
import type { KeptMessage } from '../../store/messages.ts';
import type { AuditCalls } from '../../store/tables.ts';
import { type OpenQuestion, openQuestions } from './questions.ts';
import type { Records } from './records.ts';

export type ShownCall = Pick<
  AuditCalls,
  'call_id' | 'at' | 'dialect' | 'name' | 'outcome' | 'error_code' | 'decision' | 'rule' | 'duration_ms'
>;

export interface Sections {
  /** Of every workspace on this machine, oldest first. */
  readonly questions: readonly OpenQuestion[];
  /** Of this workspace, newest first; so are the turns. */
  readonly calls: readonly ShownCall[];
  readonly turns: readonly TurnSummary[];
  /** What agents showed in this workspace, newest first. */
  readonly messages: readonly KeptMessage[];
}

export interface LiveParts {
  readonly runtime: Runtime;
  readonly records: Records;
  readonly clock: Clock;
  /** Whether a person looks: what stands in files is not for everybody who makes calls. */
  readonly isPerson: boolean;
}

const NAMES = ['questions', 'calls', 'turns', 'messages'] as const satisfies readonly (keyof Sections)[];
const SHOWN_CALLS = 50;
const SHOWN_TURNS = 20;
const SHOWN_MESSAGES = 20;
const POLL_MS = 150;
/** A connection that is gone is found by writing to it. */
const PING_MS = 10_000;

/** Sends every section, and each one again when it has changed, until the stream ends. */
export async function sendLive(stream: SSEStreamingApi, parts: LiveParts, lastId = ''): Promise<void> {
  const { records, clock } = parts;
  const had = new Map(NAMES.map((name, index) => [name, lastId.split('.')[index] ?? '']));
  let version: string | undefined;
  let nextExpiry = Infinity;
  let quietSince = clock.monotonic();
  while (!stream.aborted && !stream.closed) {
    const current = await records.version();
    if (current !== version || clock.now() >= nextExpiry) {
      version = current;
      const sections = await readSections(parts);
      nextExpiry = Math.min(...sections.questions.map(({ expiresAt }) => expiresAt));
      for (const name of NAMES) {
        const data = JSON.stringify(sections[name]);
        const state = hash('sha256', data).slice(0, 16);
        if (had.get(name) === state) continue;
        had.set(name, state);
        await stream.writeSSE({ event: name, id: [...had.values()].join('.'), data });
        quietSince = clock.monotonic();
      }
    }
    if (clock.monotonic() - quietSince > PING_MS) {
      await stream.write(': still here\n\n');
      quietSince = clock.monotonic();
    }
    await setTimeout(POLL_MS);
  }
}

async function readSections({ runtime, records, isPerson }: LiveParts): Promise<Sections> {
  const { root } = runtime.workspace;
  const calls = await records.audit.list({ workspace: root, limit: SHOWN_CALLS });
  return {
    questions: await openQuestions({ own: runtime, approvals: records.approvals, isPerson }),
    calls: calls.map(({ call_id, at, dialect, name, outcome, error_code, decision, rule, duration_ms }) => ({
      call_id,
      at,
      dialect,
      name,
      outcome,
      error_code,
      decision,
      rule,
      duration_ms,
    })),
    turns: await runtime.turns(SHOWN_TURNS),
    messages: isPerson ? await records.messages.list(root, SHOWN_MESSAGES) : [],
  };
}
