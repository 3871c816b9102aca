/**
 * A command that is tried in a view before anybody is asked about it: what is shown is what is taken over, without running
 * it again. A caller that could not wait for the answer finds it where it was left.
 */
import { Failure } from '../failure.ts';
import type { Previews } from '../journal/previews.ts';
import type { CallPorts } from './call-ports.ts';
import type { CallRecord } from './call-record.ts';
import { type Compare, digestOf, summarise } from './change-summary.ts';
import { type EndedCommand, NOTHING_RAN } from './command-effects.ts';
import type { Tool } from './tool.ts';

export interface TrialParts {
  readonly ports: CallPorts;
  readonly previews: Previews;
  readonly session: string;
  readonly compare: Compare;
  /** Of the call, whatever came of it. */
  readonly hash: string;
}

export class Trial {
  readonly #parts: TrialParts;
  readonly #ended: readonly EndedCommand[];
  readonly #output: unknown;
  /** What it changed, as text. */
  readonly diff: string;
  /** What makes these changes these and no others. */
  readonly digest: string;

  private constructor(parts: TrialParts, ended: readonly EndedCommand[], output: unknown, told: Told) {
    this.#parts = parts;
    this.#ended = ended;
    this.#output = output;
    this.diff = told.diff;
    this.digest = told.digest;
  }

  /** Runs the command in a view, or finds the one that the same call did not wait for. */
  static async begin(parts: TrialParts, tool: Tool, input: unknown): Promise<Trial> {
    const { ports, previews, session, hash, compare } = parts;
    const waiting = await previews.waiting(session, hash);
    if (waiting !== undefined) {
      const { command, startedAt, changes, output } = waiting;
      const ended = [ports.resume({ command, startedAt, ran: { ...NOTHING_RAN, changes } })];
      return new Trial(parts, ended, JSON.parse(output), await tell(ended, undefined, compare));
    }
    const ended: EndedCommand[] = [];
    const output = await tool.operation.run(input, ports.toTry(ended));
    const trouble = tool.operation.troubleOf?.(output)?.message;
    return new Trial(parts, ended, output, await tell(ended, trouble, compare));
  }

  /** Takes exactly that over; gives the reply of the call. */
  async takeOver(): Promise<unknown> {
    try {
      for (const ended of this.#ended) await this.#parts.ports.settle(ended);
      return this.#output;
    } finally {
      await this.drop();
    }
  }

  /** After a question that got no yes: kept where the answer may still come. */
  async leave(error: unknown): Promise<void> {
    const { previews, session, hash } = this.#parts;
    const [only, ...others] = this.#ended;
    const changes = only?.ran.changes;
    const isOpen = error instanceof Failure && error.code === 'E_PENDING';
    if (!isOpen || changes === undefined || changes.isApplied || others.length > 0) return this.drop();
    const { command, startedAt } = only!;
    await previews.keep(
      { session, command, startedAt, changes },
      { hash, output: JSON.stringify(this.#output) },
    );
  }

  async drop(): Promise<void> {
    for (const { ran } of this.#ended) {
      await ran.changes?.[Symbol.asyncDispose]();
      if (ran.changes !== undefined) await this.#parts.previews.forget(ran.changes.id);
    }
  }
}

/** Why a command is not tried before somebody says yes; undefined where it can be. */
export function whyNotTried({ accesses = [], hasView }: CallRecord): string | undefined {
  if (accesses.some(({ isOutside }) => isOutside === true)) return 'it would run outside the sandbox';
  if (accesses.some(({ permission }) => permission === 'net.connect')) return 'it wants to reach the network';
  return hasView ? undefined : 'there can be no view of the workspace here';
}

interface Told {
  readonly diff: string;
  readonly digest: string;
}

async function tell(
  ended: readonly EndedCommand[],
  trouble: string | undefined,
  compare: Compare,
): Promise<Told> {
  const texts = [`It was tried in a view of the workspace${trouble === undefined ? '' : `: ${trouble}`}`];
  const digests: string[] = [];
  for (const { ran } of ended) {
    if (ran.changes === undefined) continue;
    texts.push(await summarise(ran.changes, compare));
    digests.push(digestOf(ran.changes));
  }
  return { diff: texts.join('\n'), digest: digests.join(' ') };
}
