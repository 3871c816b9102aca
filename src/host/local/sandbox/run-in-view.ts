/**
 * The run of a command in a view. Some of what it may do works on the workspace only, and fails in a view; then
 * nothing has happened yet, so it can be run again in another way, unless it reached the network meanwhile.
 */
import type { CommandChanges, CommandResult } from '../../ports.ts';
import type { Root } from '../root.ts';
import { namedFolders, wasRenameRefused, withOwnFolders } from '../view/renamed-folders.ts';
import type { Views } from '../view/views.ts';
import type { CapturedRequest } from './captured-commands.ts';
import { runCommand } from './run-command.ts';
import type { Sandbox } from './sandbox.ts';
import { enteringArguments } from './session-network.ts';

export interface ViewRun {
  readonly result: CommandResult & { readonly changes: CommandChanges };
  /** Whether it would have done better on the workspace itself, and can be run there. */
  readonly isUnfit: boolean;
}

/** A build that renames one folder after the other would otherwise be run for ever. */
const MAX_RUNS = 4;

/** Runs a command in a view, again where it renames folders. */
export async function runInView(
  views: Views,
  root: Root,
  sandbox: Sandbox,
  request: CapturedRequest,
): Promise<ViewRun> {
  const { capture, confinement, signal } = request;
  const within = confinement.network === undefined ? [] : enteringArguments(confinement.network);
  const endsAt = performance.now() + request.timeoutMs;
  const folders: string[] = [];
  for (let runs = 1; ; runs++) {
    await using view = await views.open(capture.label, within);
    const timeoutMs = Math.max(1, endsAt - performance.now());
    const prepared = withOwnFolders({ ...request, timeoutMs }, folders, root);
    const result = await runCommand(sandbox, prepared, confinement, view.shown);
    const whyUnfit = whyUnfitFor(result);
    const canRunAgain = whyUnfit !== undefined && result.hostsReached.length === 0;
    const more = canRunAgain ? newFolders(result, request, folders, root) : [];
    if (more.length > 0 && runs < MAX_RUNS) {
      folders.push(...more);
      continue;
    }
    const notes = [
      ...(folders.length === 0 ? [] : [toldFolders(folders, runs)]),
      ...(whyUnfit === undefined || result.exitCode === 0
        ? []
        : [`It may have failed for being run in a view: ${whyUnfit}.`]),
    ];
    const changes = await view.changes(notes, signal);
    return { result: { ...result, changes }, isUnfit: canRunAgain && result.exitCode !== 0 };
  }
}

function newFolders(
  result: CommandResult,
  request: CapturedRequest,
  known: readonly string[],
  root: Root,
): string[] {
  return namedFolders(result, request, request.confinement, root).filter((folder) => !known.includes(folder));
}

const FOREIGN = /Value too large for defined data type|\bEOVERFLOW\b/;

function whyUnfitFor(result: CommandResult): string | undefined {
  if (wasRenameRefused(result)) return 'the command renames a folder, which it can not do in one';
  const { exitCode, stdout, stderr } = result;
  const isForeign = [stderr, stdout].some((output) => FOREIGN.test(Buffer.from(output).toString()));
  if (exitCode === 0 || !isForeign) return undefined;
  return 'the command changes files of another user or group, which it can not do in one';
}

function toldFolders(folders: readonly string[], runs: number): string {
  const names = folders.map((folder) => JSON.stringify(folder)).join(', ');
  return `The command was run ${runs} times, each time anew: it renames folders (${names}), of which a view has to have copies first.`;
}
