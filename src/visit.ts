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

/** The place of a session in another project. */
export function visit(
  session: Session,
  { id, root }: Project,
  own: { readonly spine: Spine; readonly policies: Policies },
  other: Side,
): Place {
  const key = `${id} ${root}`;
  const visiting = session.visits.get(key) ?? visitor(session, { id, root }, own, other.mode);
  session.visits.set(key, visiting);
  // Whoever listens to the session hears of it; what did not fit into a reply is the session's, too.
  const { events, outputs } = own.spine;
  return { session: visiting, spine: { ...other.spine, events, outputs }, named: { id, isOther: true } };
}

function visitor(
  { id, dialect, agent, mode: ownMode, workspace }: Session,
  project: Pick<Project, 'id' | 'root'>,
  { policies }: { readonly policies: Policies },
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
