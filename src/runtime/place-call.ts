/**
 * Where a call runs: in the project of its session, or in the one that its paths name. There it is like any call of that
 * project, with its places, rules, undo and audit; besides, the session's own policy says whether it may go there.
 */
import { Failure } from '../failure.ts';
import { projectPath } from '../host/workspace-path.ts';
import { isPathPermission } from '../policy/access.ts';
import { unusableArguments } from './arguments.ts';
import { decode } from './decode.ts';
import type { Session } from './session.ts';
import type { CallRequest, Spine } from './spine.ts';
import { type NamedProject, severalProjects, viewWorkspace } from './workspace.ts';

/** A session in a project, and what runs calls there. */
export interface Place {
  readonly session: Session;
  readonly spine: Spine;
  /** The project that the paths of the call name. */
  readonly named?: NamedProject | undefined;
  /** Why it can not be anywhere else. */
  readonly refusal?: Failure | undefined;
}

/** Does something where a call is to run; what is there stays open until it is done. */
export async function atItsPlace<Result>(
  request: CallRequest,
  session: Session,
  spine: Spine,
  work: (place: Place) => Promise<Result>,
): Promise<Result> {
  const own: Place = { session, spine };
  if (session.dialect.paths.projects !== true) return work(own);
  const { projects, isOnlyFiles } = namedBy(request, session, spine);
  const [id] = projects;
  if (projects.size > 1) return work({ ...own, refusal: severalProjects() });
  if (id === undefined) return work(own);
  const entered = await spine.enter(id, session).catch(toRefusal);
  if (entered instanceof Failure) return work({ ...own, refusal: withWayOut(entered, id) });
  using place = entered;
  const isRefused = place.named?.isOther === true && !isOnlyFiles;
  return await work(isRefused ? { ...own, refusal: onlyFiles() } : place);
}

/** The projects that the paths of a call name, its own as undefined; what else is wrong with the call, it says itself. */
function namedBy(
  { tool: name, version, args }: CallRequest,
  { dialect }: Session,
  { workspace }: Spine,
): { readonly projects: ReadonlySet<string | undefined>; readonly isOnlyFiles: boolean } {
  const projects = new Set<string | undefined>();
  let isOnlyFiles = false;
  const view = viewWorkspace(workspace, dialect.paths);
  const path = (written: string): string => {
    projects.add(projectPath(written).project);
    return '.';
  };
  try {
    const { tool, adapt } = dialect.resolve(name, version);
    isOnlyFiles = tool.operation.permissions.every(isPathPermission);
    if (unusableArguments(args) === undefined) decode(tool, adapt(args), { ...view, path });
  } catch {
    // What was named until then is all that the call can come to.
  }
  return { projects, isOnlyFiles };
}

function toRefusal(error: unknown): Failure {
  if (error instanceof Failure) return error;
  throw error;
}

function withWayOut({ code, message, hint, details, cause }: Failure, id: string): Failure {
  const folder = `A folder of that name is written ./[${id.slice(0, 100)}].`;
  const hints = [hint, folder].filter((sentence) => sentence !== undefined).join(' ');
  return new Failure(code, message, { hint: hints, ...(details === undefined ? {} : { details }), cause });
}

function onlyFiles(): Failure {
  return new Failure('E_UNSUPPORTED', 'Only files of another project can be reached from here.', {
    hint: 'What runs, runs in the project of the session.',
  });
}
