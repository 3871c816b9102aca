/**
 * What the page shows, as it changes. Each section is sent whole; the id of an event says which state of each section
 * the page has then, so that a page that comes back is sent only what it lacks.
 */
import { hash } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import type { SSEStreamingApi } from 'hono/streaming';
import type { Clock } from '../../host/ports.ts';
import type { TurnSummary } from '../../journal/turns.ts';
import { type AnyQuestion, isApproval } from '../../runtime/any-question.ts';
import type { Runtime } from '../../runtime-types.ts';
import type { KeptMessage } from '../../store/messages.ts';
import type { Approvals, AuditCalls } from '../../store/tables.ts';
import { isEditable } from './answers.ts';
import type { Records } from './records.ts';

/** A question that waits for an answer. */
export interface OpenQuestion {
  readonly id: string;
  readonly workspace: string;
  readonly createdAt: number;
  readonly expiresAt: number;
  readonly request: AnyQuestion;
  /** Whether other arguments can be given here. */
  readonly isEditable: boolean;
}

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
  const questions = await records.approvals.pending();
  const calls = await records.audit.list({ workspace: root, limit: SHOWN_CALLS });
  return {
    questions: questions.map((question) => toOpenQuestion(question, runtime, isPerson)),
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

function toOpenQuestion(question: Approvals, runtime: Runtime, isPerson: boolean): OpenQuestion {
  const { id, workspace, created_at, expires_at } = question;
  const whole = JSON.parse(question.request) as AnyQuestion;
  const request = isPerson ? whole : withoutContent(whole);
  return {
    id,
    workspace,
    createdAt: created_at,
    expiresAt: expires_at,
    request,
    isEditable: isPerson && isApproval(request) && isEditable(request, workspace, runtime),
  };
}

const HIDDEN = 'shown with the approval key';

function withoutContent(question: AnyQuestion): AnyQuestion {
  if (isApproval(question)) return { ...question, args: HIDDEN, preview: undefined };
  if (question.kind === 'text') return { ...question, message: HIDDEN };
  if (question.kind === 'choice') return { ...question, message: HIDDEN, choices: [] };
  return { ...question, message: HIDDEN, chunks: [] };
}
