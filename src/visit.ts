/** A session in another project than its own. What it was granted there, and what it saw, it keeps apart from its own. */
import { type Mode, MODES } from './policy/decide.ts';
import type { Policies } from './policy/policies.ts';
import type { Place } from './runtime/place-call.ts';
import type { Session } from './runtime/session.ts';
import type { Spine } from './runtime/spine.ts';
import type { Project } from './store/projects.ts';

/** A project's side of a visit. */
export interface Side {
  readonly spine: Spine;
  /** What its own sessions have. */
  readonly mode: Mode;
}

/** The projects of the process, as far as a visit needs them. */
interface Doors {
  readonly registry: { find(id: string): Promise<Project> };
  hold(project: Project): Promise<{ readonly value: Side } & Disposable>;
}

interface Own {
  readonly spine: Spine;
  readonly policies: Policies;
}

/** The place of a session in a project, its own or another, which is open until the place is disposed. */
export async function enterProject(
  id: string,
  session: Session,
  own: Own,
  projects: Doors,
): Promise<Place & Disposable> {
  const { spine } = own;
  const project = await projects.registry.find(id);
  if (project.root === spine.workspace.root)
    return { session, spine, named: { id, isOther: false }, [Symbol.dispose]: () => undefined };
  const held = await projects.hold(project);
  return { ...visit(session, project, own, held.value), [Symbol.dispose]: () => held[Symbol.dispose]() };
}

function visit(session: Session, { id, root }: Project, own: Own, other: Side): Place {
  // An agent that has fewer tools has them there too, and is given nothing that another one was.
  const key = JSON.stringify([id, root, session.dialect.name, session.mode, session.agent]);
  const visiting = session.visits.get(key) ?? visitor(session, { id, root }, own, other.mode);
  session.visits.set(key, visiting);
  // Whoever listens to the session hears of it; what did not fit into a reply is the session's, too.
  const { events, outputs } = own.spine;
  return { session: visiting, spine: { ...other.spine, events, outputs }, named: { id, isOther: true } };
}

function visitor(
  { id, dialect, agent, mode: ownMode, workspace }: Session,
  project: Pick<Project, 'id' | 'root'>,
  { policies }: Own,
  otherMode: Mode,
): Session {
  const mode = MODES.find((one) => one === ownMode || one === otherMode)!;
  const grants: Session['grants'] = [];
  return {
    id,
    workspace: project.root,
    dialect,
    agent,
    mode,
    chosenMode: mode,
    grants,
    seen: new Map(),
    visits: new Map(),
    visit: { project: project.id, from: workspace, policy: policies.towards(project.id, mode, grants) },
  };
}
