/** The register of projects: which folders may be one, and by which id each is known. */
import { isTrusted, trustContent } from './config/trust.ts';
import { findDialect } from './dialects/index.ts';
import { Failure } from './failure.ts';
import { localClock } from './host/local/clock.ts';
import { openHost } from './open-host.ts';
import type { Locations } from './policy/places.ts';
import { nearest } from './runtime/nearest.ts';
import type { Dialect } from './runtime/tool.ts';
import { type Project, projectRows } from './store/projects.ts';
import type { Store } from './store/store.ts';

export interface AddedProject {
  readonly folder: string;
  /** Made of the folder's name by default. */
  readonly id?: string | undefined;
  /** The folder's name by default. */
  readonly name?: string | undefined;
  readonly settings?: Project['settings'] | undefined;
}

export interface ProjectRegistry {
  add(project: AddedProject): Promise<Project>;
  list(): Promise<Project[]>;
  /** The project of that id; a failure where there is none. */
  find(id: string): Promise<Project>;
  /** The same, where its folder is there; a failure where it is gone, or leads elsewhere now. */
  locate(id: string): Promise<Project>;
  remove(id: string): Promise<void>;
  /** Whether a project's own settings count; that its folder is gone is said in their place. */
  settingsState(project: Project): Promise<SettingsState>;
}

export type SettingsState = 'none' | 'trusted' | 'not trusted' | 'folder gone';

export interface RegistryParts {
  readonly store: Store;
  readonly locations: Locations;
  /** More dialects besides the built-in ones. */
  readonly dialects?: readonly Dialect[] | undefined;
}

/** The register in the store. */
export function projectRegistry({ store, locations, dialects }: RegistryParts): ProjectRegistry {
  const rows = projectRows(store.database, localClock);
  const missing = async (id: string): Promise<Failure> => noProject(id, await rows.list());
  const registry: ProjectRegistry = {
    async add({ folder, id, name, settings = {} }) {
      if (settings.dialect !== undefined) findDialect(settings.dialect, dialects);
      const { host, roots } = openHost(folder, locations);
      using _host = host;
      const [root] = roots;
      return await rows.add({ id, root, name: name ?? root.slice(root.lastIndexOf('/') + 1), settings });
    },
    list: () => rows.list(),
    async find(id) {
      return (await rows.find(id)) ?? Promise.reject(await missing(id));
    },
    async locate(id) {
      const project = await registry.find(id);
      const { host } = openProject(project, locations);
      host[Symbol.dispose]();
      return project;
    },
    async remove(id) {
      if (!(await rows.remove(id))) throw await missing(id);
    },
    async settingsState(project) {
      try {
        using host = openProject(project, locations).host;
        const content = await trustContent(host.files);
        if (content === undefined) return 'none';
        return (await isTrusted(store.database, project.root, content)) ? 'trusted' : 'not trusted';
      } catch (error) {
        if (!(error instanceof Failure)) throw error;
        return error.code === 'E_NO_PROJECT_ROOT' ? 'folder gone' : 'not trusted';
      }
    },
  };
  return registry;
}

/** What people should know of a project whose folder is in another one's, or has another one in it. */
export function overlaps(added: Project, all: readonly Project[]): string[] {
  return all.flatMap(({ id, root }) => {
    if (added.root.startsWith(`${root}/`))
      return [`It lies in the project ${id}, whose sessions reach it too.`];
    if (root.startsWith(`${added.root}/`))
      return [`It holds the project ${id}, which its sessions reach too.`];
    return [];
  });
}

/** Opens the folder of a project, which must be the one that was registered. */
export function openProject(
  project: Project,
  locations: Locations,
  environment?: Readonly<Record<string, string | undefined>>,
): ReturnType<typeof openHost> {
  const opened = openFolder(project, locations, environment);
  if (opened.roots[0] === project.root) return opened;
  opened.host[Symbol.dispose]();
  throw noRoot(project, `leads to ${JSON.stringify(opened.roots[0])} now`);
}

function openFolder(
  project: Project,
  locations: Locations,
  environment?: Readonly<Record<string, string | undefined>>,
): ReturnType<typeof openHost> {
  try {
    return openHost(project.root, locations, environment);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    if (error.code === 'E_NOT_FOUND') throw noRoot(project, 'is gone');
    if (error.code === 'E_NOT_DIR') throw noRoot(project, 'is no folder any more');
    throw error;
  }
}

function noRoot({ id, root }: Project, what: string): Failure {
  return new Failure(
    'E_NO_PROJECT_ROOT',
    `The folder ${JSON.stringify(root)} of the project ${id} ${what}.`,
    {
      hint: `Put it back, or \`handrail projects remove ${id}\` and add the right one.`,
    },
  );
}

const LIST = '`handrail projects list` shows those that are registered.';

function noProject(id: string, known: readonly Project[]): Failure {
  const [meant] = nearest(
    id,
    known.map((project) => project.id),
  );
  return new Failure('E_NO_PROJECT', `There is no project ${JSON.stringify(id.slice(0, 100))}.`, {
    hint: meant === undefined ? LIST : `Did you mean ${meant}? ${LIST}`,
  });
}
