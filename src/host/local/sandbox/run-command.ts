/** The run of one command in a sandbox. */
import type { CommandRequest, CommandResult, Confinement } from '../../ports.ts';
import { runProcess } from '../run-process.ts';
import { openTerminal } from '../terminal.ts';
import type { Shown } from '../view/overlay.ts';
import type { Sandbox } from './sandbox.ts';

/** Runs a command to its end, in the workspace or in a view of it. */
export async function runCommand(
  sandbox: Sandbox,
  request: CommandRequest,
  confinement: Confinement,
  view?: Shown,
): Promise<CommandResult> {
  const { timeoutMs, maxOutputBytes, keep, spool, signal, onOutput, stdin, terminal } = request;
  using opened = terminal === undefined ? undefined : await openTerminal(terminal);
  using run = sandbox.prepare({ ...request, confinement, hasTerminal: terminal !== undefined, view });
  const ended = await runProcess({
    ...run.process,
    timeoutMs,
    maxOutputBytes,
    keep,
    spool,
    signal,
    onOutput,
    stdin,
    terminal: opened,
  });
  const whyNot = ended.timedOut ? undefined : run.whyNotStarted(Buffer.from(ended.stderr).toString());
  if (whyNot !== undefined) throw whyNot;
  if (request.capture !== undefined) await run.settled();
  const { reached, denied } = run.hosts();
  return {
    ...ended,
    tier: sandbox.report.tier,
    hostsReached: reached,
    hostsDenied: denied,
    limitsInForce: run.limitsInForce,
  };
}
