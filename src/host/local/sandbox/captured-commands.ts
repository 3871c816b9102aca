/** Commands whose changes are to be known: in a view of the workspace where there can be one, else with copies of it. */
import { Failure } from '../../../failure.ts';
import type {
  Capture,
  CommandRequest,
  CommandResult,
  Confinement,
  LeftChanges,
  SandboxReport,
} from '../../ports.ts';
import { COPY_LIMITS } from '../copies/copy-limits.ts';
import { openCopies } from '../copies/open-copies.ts';
import { localProcessTable } from '../process-table.ts';
import type { Root } from '../root.ts';
import { noChanges } from '../view/view-changes.ts';
import { localViews } from '../view/views.ts';
import { runCommand } from './run-command.ts';
import { runInView } from './run-in-view.ts';
import { runWithCopies } from './run-with-copies.ts';
import type { Sandbox } from './sandbox.ts';

export interface CapturedRequest extends CommandRequest {
  readonly capture: Capture;
  readonly confinement: Confinement;
}

export interface CapturedCommands {
  /** What undo can take back of commands in a sandbox. */
  undo(sandbox: Sandbox): Promise<Pick<SandboxReport, 'undo' | 'undoSays'>>;
  run(sandbox: Sandbox, request: CapturedRequest): Promise<CommandResult>;
  readonly left: LeftChanges;
}

/** Captured commands in one workspace, with what has to be kept in the state folder. */
export function capturedCommands(
  root: Root,
  state: string,
  findProgram: (name: string) => string | undefined,
): CapturedCommands {
  const views = localViews(root, state, findProgram);
  const copies = openCopies({ root, state, processes: localProcessTable() });
  const whyNoView = async ({ showsViews }: Sandbox): Promise<string | undefined> =>
    showsViews ? views.whyNot() : 'the sandbox here can not show one';
  return {
    undo: async (sandbox) => undoWhere(await whyNoView(sandbox)),
    async run(sandbox, request) {
      const { capture, confinement } = request;
      if (confinement.isReadOnly)
        return { ...(await runCommand(sandbox, request, confinement)), changes: noChanges() };
      const whyNot = await whyNoView(sandbox);
      if (whyNot !== undefined) {
        if (capture.way === 'view') throw noView(whyNot);
        return runWithCopies(copies, sandbox, request);
      }
      const { result, isUnfit } = await runInView(views, root, sandbox, request);
      if (!isUnfit || capture.way === 'view') return result;
      try {
        const again = await runWithCopies(copies, sandbox, request);
        await result.changes[Symbol.asyncDispose]();
        return again;
      } catch (error) {
        if (error instanceof Failure && error.code === 'E_UNSUPPORTED') return result;
        await result.changes[Symbol.asyncDispose]();
        throw error;
      }
    },
    left: leftIn(views.left, copies.left),
  };
}

function leftIn(...places: readonly LeftChanges[]): LeftChanges {
  const [first] = places;
  const placeOf = (id: string): LeftChanges =>
    places.find((place) => place.list().some((left) => left.id === id)) ?? first!;
  return {
    list: () => places.flatMap((place) => place.list()),
    reopen: (id) => placeOf(id).reopen(id),
    drop: (id) => placeOf(id).drop(id),
  };
}

function undoWhere(whyNoView: string | undefined): Pick<SandboxReport, 'undo' | 'undoSays'> {
  if (whyNoView === undefined)
    return {
      undo: 'exact',
      undoSays: 'Commands run in a view of the workspace: all that they change in it can be taken back.',
    };
  const { fileBytes, totalBytes } = COPY_LIMITS;
  return {
    undo: 'part',
    undoSays: `There is no view of the workspace, because ${whyNoView}. Before a command its files are copied, up to ${fileBytes / 2 ** 20} MiB each and ${totalBytes / 2 ** 20} MiB in all: what has a copy can be taken back.`,
  };
}

function noView(whyNot: string): Failure {
  return new Failure('E_UNSUPPORTED', `There can be no view of the workspace here: ${whyNot}.`, {
    hint: 'Nothing was run. `handrail doctor` says what views need.',
  });
}
