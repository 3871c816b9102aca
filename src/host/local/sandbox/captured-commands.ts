/** Commands whose changes are to be known: in a view of the workspace where there can be one. */
import { Failure } from '../../../failure.ts';
import type {
  Capture,
  CommandRequest,
  CommandResult,
  Confinement,
  LeftChanges,
  SandboxReport,
} from '../../ports.ts';
import type { Root } from '../root.ts';
import { noChanges } from '../view/view-changes.ts';
import { localViews } from '../view/views.ts';
import { runCommand } from './run-command.ts';
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
  const whyNoView = async ({ showsViews }: Sandbox): Promise<string | undefined> =>
    showsViews ? views.whyNot() : 'the sandbox here can not show one';
  return {
    undo: async (sandbox) => undoWhere(await whyNoView(sandbox)),
    async run(sandbox, request) {
      const { capture, confinement, signal } = request;
      if (confinement.isReadOnly)
        return { ...(await runCommand(sandbox, request, confinement)), changes: noChanges() };
      const whyNot = await whyNoView(sandbox);
      if (whyNot !== undefined) {
        if (capture.way === 'view') throw noView(whyNot);
        return runCommand(sandbox, request, confinement);
      }
      await using view = await views.open(capture.label);
      const result = await runCommand(sandbox, request, confinement, view.shown);
      return { ...result, changes: await view.changes([], signal) };
    },
    left: views.left,
  };
}

function undoWhere(whyNoView: string | undefined): Pick<SandboxReport, 'undo' | 'undoSays'> {
  if (whyNoView === undefined)
    return {
      undo: 'exact',
      undoSays: 'Commands run in a view of the workspace: all that they change in it can be taken back.',
    };
  return {
    undo: 'none',
    undoSays: `What commands change can not be taken back, because there is no view of the workspace: ${whyNoView}.`,
  };
}

function noView(whyNot: string): Failure {
  return new Failure('E_UNSUPPORTED', `There can be no view of the workspace here: ${whyNot}.`, {
    hint: 'Nothing was run. `handrail doctor` says what views need.',
  });
}
