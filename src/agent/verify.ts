/**
 * The check after a turn that changed code: a command like any other, decided by the policy and run in the sandbox.
 * What fails goes back to the agent; a check that could not run here says nothing about its work.
 */
import type { ChangeEffect } from '../journal/change-rows.ts';
import type { Definition } from '../runtime/catalogue.ts';
import type { CallResponse } from '../runtime/spine.ts';
import type { AgentEvent } from './conversation.ts';
import { findChecks } from './find-checks.ts';
import { cutMiddle } from './reply-text.ts';
import type { AgentRunParts } from './run-agent.ts';

export type Verdict = Extract<AgentEvent, { type: 'verify-ended' }>['verdict'];

/** What the checks said; undefined where there are none. */
export interface Verified {
  readonly verdict: Verdict;
  readonly command: string;
  readonly output: string;
}

/** Whether more than documentation was changed. What git keeps for itself is not the project. */
export function changesCode(effects: readonly ChangeEffect[]): boolean {
  return effects.some(({ path }) => !/^(?:docs|\.git)(?:\/|$)|\.(?:md|mdx|txt|rst|adoc)$/i.test(path));
}

/** Runs the checks of the project, up to the first that does not pass. */
export async function verify(parts: AgentRunParts, attempt: number): Promise<Verified | undefined> {
  const { runtime, session, emit, signal } = parts;
  const shell = runtime.definitions(session.agent, session.dialect.name).find(isShell);
  if (shell === undefined) return undefined;
  let last: Verified | undefined;
  for (const command of await findChecks(runtime.agentPorts)) {
    emit({ type: 'verify-started', command, attempt });
    const args = { ...neededFlags(shell), command };
    const response = await runtime.call(shell.name, args, { session, turn: parts.turn.id, signal });
    signal.throwIfAborted();
    last = { command, ...verdictOf(response) };
    emit({ type: 'verify-ended', ...last });
    if (last.verdict !== 'passed') return last;
  }
  return last;
}

/** What the agent is told about a check that failed. */
export function sentBack({ command, output }: Verified): string {
  return `After your changes the check \`${command}\` fails:\n\n${output}\n\nMend what you broke. If it failed before your changes, or mending it is not part of the task, say so instead.`;
}

function isShell({ operation }: Definition): boolean {
  return operation === 'exec.run' || operation === 'process.run-or-start';
}

/** Where a dialect wants to be told more than the command: not that. */
function neededFlags({ args_schema }: Definition): Record<string, false> {
  const { required = [], properties = {} } = args_schema as {
    readonly required?: readonly string[];
    readonly properties?: Readonly<Record<string, { readonly type?: string }>>;
  };
  const flags = required.filter((name) => properties[name]?.type === 'boolean');
  return Object.fromEntries(flags.map((name) => [name, false]));
}

const MAX_OUTPUT = 12_000;

function verdictOf({ outcome, result }: CallResponse): Pick<Verified, 'verdict' | 'output'> {
  const ran = Object(result.payload) as { exitCode?: number; stdout?: string; stderr?: string };
  const said = [ran.stdout ?? '', ran.stderr ?? ''].join('\n').trim();
  const output = cutMiddle(said === '' ? (result.error?.message ?? '') : said, MAX_OUTPUT);
  if (outcome === 'ok') return { verdict: 'passed', output };
  if (outcome === 'denied') return { verdict: 'denied', output: result.error?.message ?? '' };
  const couldNotRun = ran.exitCode === undefined || ran.exitCode === 126 || ran.exitCode === 127;
  return { verdict: couldNotRun || ENVIRONMENT.test(output) ? 'environment' : 'failed', output };
}

/** Trouble with the machine, which no edit of the project mends. */
const ENVIRONMENT = new RegExp(
  [
    'command not found',
    String.raw`: not found$`,
    'No module named pytest',
    'Missing script: "?test',
    'bad interpreter',
    'dyld\\[|dyld:|LC_UUID',
    'ENOTFOUND|EAI_AGAIN|Temporary failure in name resolution',
    'Could not resolve host|Network is unreachable|ENETUNREACH',
    'No space left on device',
  ].join('|'),
  'm',
);
