/** The runtimes of registered projects in one process. */
import { localClock } from './host/local/clock.ts';
import { openProject, projectRegistry, type ProjectRegistry } from './project-registry.ts';
import { type Held, type PoolOptions, RuntimePool } from './runtime-pool.ts';
import type { Project } from './store/projects.ts';
import type { Shared } from './open-shared.ts';
import type { RuntimeOptions } from './runtime-types.ts';
import type { OpenedRuntime } from './assemble-runtime.ts';
import { openRuntime } from './open-runtime.ts';

/** The projects of a process: the register, and their runtimes while somebody uses them. */
export interface ProjectRuntimes extends AsyncDisposable {
  readonly registry: ProjectRegistry;
  hold(project: Project): Promise<Held<OpenedRuntime>>;
}

const IDLE_MS = 5 * 60 * 1_000;
const MAX_OPEN = 32;

/** Over what the process shares; none is open before somebody needs it. What a project says counts more than the options. */
export function projectRuntimes(
  options: Omit<RuntimeOptions, 'workspace'> & Partial<Pick<PoolOptions, 'idleMs' | 'maxOpen'>>,
  shared: Shared,
): ProjectRuntimes {
  const { locations, environment = {}, dialects, idleMs = IDLE_MS, maxOpen = MAX_OPEN } = options;
  const pool = new RuntimePool<OpenedRuntime>({ clock: localClock, idleMs, maxOpen });
  const projects: ProjectRuntimes = {
    registry: projectRegistry({ store: shared.state.store, locations, dialects }),
    hold: (project) =>
      pool.hold(project.root, async () => {
        const { root: workspace, settings } = project;
        const { dialect = options.dialect, mode = options.mode } = settings;
        const opened = openProject(project, locations, environment);
        return openRuntime({ ...options, workspace, dialect, mode }, shared, opened, projects);
      }),
    [Symbol.asyncDispose]: async () => pool[Symbol.asyncDispose](),
  };
  return projects;
}
