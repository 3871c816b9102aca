/** The projects of a user: folders that are known by an id. A project that nobody uses is this row, and nothing else. */
import { sql } from 'kysely';
import { Failure } from '../failure.ts';
import type { Clock } from '../host/ports.ts';
import type { Mode } from '../policy/decision.ts';
import type { Database } from './store.ts';
import type { Projects as ProjectRow } from './tables.ts';

/** What new sessions of a project have, where nobody says otherwise. */
export interface ProjectSettings {
  readonly dialect?: string | undefined;
  readonly mode?: Mode | undefined;
}

export interface Project {
  readonly id: string;
  readonly name: string;
  /** The real, absolute path of its folder. */
  readonly root: string;
  readonly settings: ProjectSettings;
  readonly addedAt: number;
}

export interface ProjectRows {
  /** Registers a folder; without an id, one that is free is made of the folder's name. */
  add(project: Omit<Project, 'id' | 'addedAt'> & { readonly id?: string | undefined }): Promise<Project>;
  list(): Promise<Project[]>;
  find(id: string): Promise<Project | undefined>;
  /** Forgets a project; false where there is none. Its files, its undo and its audit stay. */
  remove(id: string): Promise<boolean>;
}

/** Readable, and nothing in it means anything to a path, a pattern, a header or a shell. */
const ID = /^[a-z0-9][a-z0-9_-]{0,63}$/i;

/** The projects in the store. */
export function projectRows(database: Database, clock: Clock): ProjectRows {
  return {
    add: ({ id, ...project }) =>
      database.transaction().execute(async (transaction) => {
        const { root } = project;
        const known = await transaction
          .selectFrom('projects')
          .select('id')
          .where('root', '=', root)
          .executeTakeFirst();
        if (known !== undefined) throw isKnown(root, known.id);
        const wanted = (id ?? plainName(root)).toLowerCase();
        const alike = await transaction
          .selectFrom('projects')
          .select('id')
          .where(sql`lower(id)`, 'like', `${wanted}%`)
          .execute();
        const taken = new Set(alike.map((row) => row.id.toLowerCase()));
        if (id !== undefined) refuseUnfit(id, taken);
        const added = { ...project, id: id ?? freeId(wanted, taken), addedAt: clock.now() };
        await transaction.insertInto('projects').values(toRow(added)).execute();
        return added;
      }),
    async list() {
      return (await database.selectFrom('projects').selectAll().orderBy('id').execute()).map(toProject);
    },
    async find(id) {
      const row = await database.selectFrom('projects').selectAll().where('id', '=', id).executeTakeFirst();
      return row && toProject(row);
    },
    async remove(id) {
      const { numDeletedRows } = await database
        .deleteFrom('projects')
        .where('id', '=', id)
        .executeTakeFirst();
      return numDeletedRows > 0n;
    },
  };
}

function isKnown(root: string, id: string): Failure {
  return new Failure('E_CONFLICT', `${JSON.stringify(root)} is the project ${id} already.`, {
    hint: `\`handrail projects remove ${id}\` first, to register it under another id.`,
  });
}

/** Two ids that differ in nothing but capitals would be taken for each other. */
function refuseUnfit(id: string, taken: ReadonlySet<string>): void {
  if (!ID.test(id))
    throw new Failure('E_INVALID_ARGS', `${JSON.stringify(id)} can not be the id of a project.`, {
      hint: 'An id has 1 to 64 letters, digits, - and _, and starts with a letter or a digit.',
    });
  if (taken.has(id.toLowerCase()))
    throw new Failure('E_CONFLICT', `There is a project ${JSON.stringify(id)} already.`, {
      hint: 'Choose another id; `handrail projects list` shows those that are taken.',
    });
}

/** The name of a folder as it can be an id. */
function plainName(root: string): string {
  const plain = root
    .slice(root.lastIndexOf('/') + 1)
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^a-z0-9_]+/g, '-')
    .replaceAll(/^[-_]+|[-_]+$/g, '')
    .slice(0, 40);
  return plain === '' ? 'project' : plain;
}

function freeId(wanted: string, taken: ReadonlySet<string>): string {
  for (let number = 2, candidate = wanted; ; candidate = `${wanted}-${number++}`)
    if (!taken.has(candidate)) return candidate;
}

function toRow({ addedAt, settings, ...project }: Project): ProjectRow {
  return { ...project, settings: JSON.stringify(settings), added_at: addedAt };
}

function toProject({ added_at, settings, ...row }: ProjectRow): Project {
  return { ...row, settings: JSON.parse(settings) as ProjectSettings, addedAt: added_at };
}
