/** `fs.list`: what is in a directory, one level or all of it. */
import { setImmediate as otherWork } from 'node:timers/promises';
import { z } from 'zod';
import { Failure } from '../../failure.ts';
import type { DirectoryEntry } from '../../host/ports.ts';
import { defineOperation, type OperationContext } from '../../runtime/operation.ts';
import { compileNameGlob, type PathTest } from '../glob-pattern.ts';
import { workspacePathSchema } from './workspace-path-schema.ts';

/** How many directories are listed before other work gets a turn. */
const BATCH = 50;
const MAX_GLOBS = 100;

const entry = z.strictObject({
  name: z.string(),
  path: workspacePathSchema,
  kind: z.enum(['file', 'directory', 'link', 'other']),
  isDirectory: z.boolean().describe('Also for a link that leads to a directory inside the workspace'),
  bytes: z.int(),
  modifiedMs: z.number(),
});
type Entry = z.infer<typeof entry>;

const input = z.strictObject({
  path: workspacePathSchema,
  isRecursive: z.boolean().describe('Also what is in the directories, links not followed'),
  pattern: z.string().optional().describe('Only entries like this; without a slash it speaks about names'),
  ignore: z.array(z.string()).describe('No entries like these, nor what is in them'),
  includeHidden: z.boolean(),
  maxEntries: z.int().min(1).describe('The walk ends there'),
});

/** The input for one level as it is, but for the path; more entries than a directory is likely to hold. */
export const ONE_LEVEL: Omit<z.infer<typeof input>, 'path'> = {
  isRecursive: false,
  ignore: [],
  includeHidden: true,
  maxEntries: 100_000,
};

export const fsList = defineOperation({
  name: 'fs.list',
  summary: 'Lists a directory, sorted by name; whole trees level by level.',
  input,
  output: z.strictObject({
    path: workspacePathSchema,
    entries: z.array(entry),
    hasMore: z.boolean().describe('Whether the walk ended early'),
    unreadable: z.int().describe('How many directories could not be read'),
  }),
  permissions: ['fs.read'],
  effect: 'read',
  access: ({ path }) => [{ permission: 'fs.read', resource: path }],
  async run({ path, maxEntries, ...options }, context) {
    const walk = filters(options);
    const entries: Entry[] = [];
    let unreadable = 0;
    // Breadth first, so that what is left out of a large tree lies deep.
    const pending = ['.'];
    for (let next = 0; next < pending.length && entries.length <= maxEntries; next++) {
      if (next % BATCH === BATCH - 1) await otherWork();
      context.signal.throwIfAborted();
      const below = pending[next]!;
      const listed = await listOne(path, options.isRecursive ? below : undefined, context);
      if (listed === undefined) unreadable++;
      for (const found of listed ?? []) {
        const inner = joined(below, found.name);
        if (!walk.isKept(found, inner)) continue;
        if (options.isRecursive && found.kind === 'directory') pending.push(inner);
        if (walk.isShown(inner)) entries.push(found);
      }
    }
    const shown = entries.slice(0, maxEntries);
    return { path, entries: shown, hasMore: shown.length < entries.length, unreadable };
  },
});

/** One directory, sorted; undefined for one below the first that can't be read. */
async function listOne(
  path: string,
  below: string | undefined,
  { files }: OperationContext,
): Promise<Entry[] | undefined> {
  const folder = joined(path, below ?? '.');
  try {
    const entries = (await files.list(path, below)).map((found) => toEntry(found, folder));
    return entries.sort((one, other) => (one.name < other.name ? -1 : 1));
  } catch (error) {
    if (below === undefined || below === '.' || !(error instanceof Failure)) throw error;
    return undefined;
  }
}

function toEntry({ name, kind, target, size, modifiedMs }: DirectoryEntry, folder: string): Entry {
  return {
    name,
    path: joined(folder, name),
    kind,
    isDirectory: kind === 'directory' || target === 'directory',
    bytes: size,
    modifiedMs,
  };
}

function joined(folder: string, name: string): string {
  if (name === '.') return folder;
  return folder === '.' ? name : `${folder}/${name}`;
}

interface Filters {
  /** Whether an entry, and what is in it, counts at all. */
  isKept(found: Entry, inner: string): boolean;
  isShown(inner: string): boolean;
}

/** Tests of paths relative to the directory that is listed. */
function filters({
  pattern,
  ignore,
  includeHidden,
}: Pick<z.infer<typeof input>, 'pattern' | 'ignore' | 'includeHidden'>): Filters {
  if (ignore.length > MAX_GLOBS)
    throw new Failure('E_INVALID_ARGS', `There are over ${MAX_GLOBS} patterns of what to leave out.`);
  const ignored = ignore.map(compileNameGlob);
  const isWanted: PathTest = pattern === undefined ? () => true : compileNameGlob(pattern);
  return {
    isKept: ({ name }, inner) =>
      (includeHidden || !name.startsWith('.')) && !ignored.some((fits) => fits(inner)),
    isShown: isWanted,
  };
}
