/** Several registered projects in one process, with state of their own; gone when disposed. */
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type Locations, openProjects, type Projects, type ProjectsOptions } from '../../src/index.ts';

export interface TempProjects extends AsyncDisposable {
  readonly projects: Projects;
  readonly locations: Locations;
  /** The folder of a project. */
  root(name: string): string;
  write(name: string, path: string, content: string): void;
  read(name: string, path: string): string;
}

/** Makes a folder for each name, with the given files, and registers it under that name. */
export async function tempProjects(
  files: Readonly<Record<string, Readonly<Record<string, string>>>>,
  options: Partial<ProjectsOptions> = {},
): Promise<TempProjects> {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'handrail-test-')));
  const locations = { home: join(base, 'home'), state: join(base, 'state'), config: join(base, 'config') };
  mkdirSync(locations.home);
  const root = (name: string): string => join(base, name);
  const write = (name: string, path: string, content: string): void => {
    mkdirSync(dirname(join(root(name), path)), { recursive: true });
    writeFileSync(join(root(name), path), content);
  };
  const projects = await openProjects({ locations, ...options });
  for (const [name, contents] of Object.entries(files)) {
    mkdirSync(root(name), { recursive: true });
    for (const [path, content] of Object.entries(contents)) write(name, path, content);
    await projects.add({ folder: root(name), id: name });
  }
  return {
    projects,
    locations,
    root,
    write,
    read: (name, path) => readFileSync(join(root(name), path), 'utf8'),
    async [Symbol.asyncDispose]() {
      await projects[Symbol.asyncDispose]();
      rmSync(base, { recursive: true, force: true });
    },
  };
}

/** How many files, folders and sockets this process has open. */
export function openDescriptors(): number {
  return readdirSync('/proc/self/fd').length;
}
