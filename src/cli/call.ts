/** `handrail call`: one call, and the dialect's reply on stdout. */
import { createRuntime } from '../create-runtime.ts';
import type { Runtime } from '../runtime-types.ts';
import type { Approver } from '../policy/approvals.ts';
import type { Mode } from '../policy/decide.ts';
import { describeMessage } from '../runtime/describe-message.ts';
import type { CallResponse } from '../runtime/spine.ts';
import type { Session } from '../runtime/session.ts';
import { DENIED, exitCodeOf, FINE, UsageError } from './exit-code.ts';
import { shown } from '../shown.ts';
import { note, print, printJson } from './print.ts';
import { lendAgents } from './lend-agents.ts';
import { noteStart } from './note-start.ts';
import { readStdin } from './read-stdin.ts';
import type { Surroundings } from './surroundings.ts';
import { terminalApprover } from './terminal-approver.ts';
import { terminalPrompter } from './terminal-prompter.ts';
import { untilInterrupted } from './until-interrupted.ts';

export interface CallArguments {
  readonly tool: string;
  readonly json: string;
  readonly dialect?: string;
  readonly mode?: Mode;
  readonly workspace?: string;
  readonly yes?: boolean;
  readonly wait?: boolean;
  readonly dryRun?: boolean;
  readonly session?: string;
}

/** Runs it and returns the exit code. */
export async function call(
  options: CallArguments,
  { locations, environment, folder, isTerminal }: Surroundings,
): Promise<number> {
  const isWhole = options.tool === '-';
  const input = parseJson(isWhole || options.json === '-' ? await readStdin() : options.json);
  const isPerson = process.stdin.isTTY && process.stderr.isTTY;
  await using runtime = await createRuntime({
    workspace: options.workspace ?? folder,
    locations,
    environment,
    dialect: options.dialect,
    mode: options.mode,
    readConfig: true,
    wait: options.wait === true,
    // Nobody stays to end them.
    keepProcesses: true,
    approve: options.yes === true ? sayYes : isPerson ? terminalApprover('terminal') : undefined,
    prompt: isPerson ? terminalPrompter('terminal') : undefined,
  });
  lendAgents(runtime, { environment });
  noteStart(runtime);
  const isLeftToOthers = options.wait === true && options.yes !== true && !isPerson;
  runtime.subscribe((event) => {
    if (isLeftToOthers && event.type === 'approval-requested') noteWaiting(event.request.id);
    if (isLeftToOthers && event.type === 'question-asked') noteWaiting(event.question.id);
    if (event.type === 'displayed') note(describeMessage(event.message));
    if (event.type === 'approval-answered' && event.notRemembered !== undefined)
      note(`The rule was not written, so the answer counts for this session: ${shown(event.notRemembered)}`);
  });
  if (options.dryRun === true) return dryRun(runtime, options.tool, input, isTerminal);
  const session = await runtime.openSession({ id: options.session });
  const response = await untilInterrupted((signal) =>
    isWhole
      ? runtime.execute(input, { session, signal })
      : callTool(runtime, options.tool, input, session, signal),
  );
  printJson(response.reply, isTerminal);
  for (const { id } of response.result.artifacts?.processes_started ?? [])
    note(`It goes on until it ends or is stopped: handrail logs -f ${id} · handrail stop ${id}`);
  return exitCodeOf(response.outcome);
}

/** Without a word, waiting looks like hanging. */
function noteWaiting(id: string): void {
  note(`It waits for an answer: handrail approvals show ${id}`);
}

/** Says what a call would do, and does nothing. */
async function dryRun(runtime: Runtime, tool: string, args: unknown, isTerminal: boolean): Promise<number> {
  if (tool === '-') throw new UsageError('--dry-run needs the name of a tool.');
  const { decision, accesses, preview } = await runtime.approvalRequest(tool, args);
  if (!isTerminal) printJson({ dry_run: true, decision, accesses, preview }, false);
  else {
    print(`${decision.action} (${decision.rule})`);
    if ('reason' in decision) print(`  ${shown(decision.reason)}`);
    for (const line of preview?.text.split('\n') ?? []) print(shown(line));
    note('Nothing was changed.');
  }
  return decision.action === 'deny' ? DENIED : FINE;
}

const sayYes: Approver = async () => ({ answer: 'once', by: 'command line --yes' });

function callTool(
  runtime: Runtime,
  tool: string,
  args: unknown,
  session: Session,
  signal: AbortSignal,
): Promise<CallResponse> {
  return runtime.call(tool, args, { session, signal });
}

/** Arguments as they were typed. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new UsageError(
      `the arguments are not JSON: ${why}.\n  Give an object in single quotes: '{"path":"README.md"}', or - to read it from stdin.`,
    );
  }
}
