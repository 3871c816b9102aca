/** A patch, read: what happens to each file. Names are as written until they have become workspace paths. */
import { z } from 'zod';
import { Failure } from '../../failure.ts';
import { hunkSchema } from './hunk.ts';

export const filePatchSchema = z.strictObject({
  operation: z.enum(['create', 'update', 'delete', 'rename']),
  path: z.string().min(1).describe('The file; of a rename its new name'),
  from: z.string().min(1).optional().describe('The old name of a rename'),
  hunks: z.array(hunkSchema),
  executable: z.boolean().optional().describe('Whether it may be run, where the patch says so'),
  isWhole: z.boolean().describe('Whether a deletion shows every line that goes'),
  source: z.int().describe('The line of the patch it starts at'),
});

export type FilePatch = z.infer<typeof filePatchSchema>;

/** Makes the names of a patch workspace paths; one that names a file twice is refused. */
export function locateFiles(files: readonly FilePatch[], locate: (written: string) => string): FilePatch[] {
  const named = new Map<string, number>();
  const once = (written: string, source: number): string => {
    const path = locate(written);
    const before = named.get(path);
    if (before !== undefined && before !== source)
      throw wrongPatch(source, `it names ${JSON.stringify(path)}, which line ${before} named before`);
    if (before === source) throw wrongPatch(source, `it renames ${JSON.stringify(path)} to itself`);
    named.set(path, source);
    return path;
  };
  return files.map((file) => ({
    ...file,
    path: once(file.path, file.source),
    ...(file.from === undefined ? {} : { from: once(file.from, file.source) }),
  }));
}

/** The failure of a patch that can't be read; nothing is done then. */
export function wrongPatch(line: number, what: string, hint?: string): Failure {
  return new Failure('E_PATCH', `The patch is wrong at line ${line}: ${what}.`, {
    hint: hint ?? 'Nothing was changed.',
    details: { patch_line: line },
  });
}

/** The failure of a patch that does what can't be done here. */
export function unsupported(line: number, what: string): Failure {
  return new Failure('E_UNSUPPORTED', `Line ${line} of the patch ${what}.`, {
    hint: 'Nothing was changed.',
    details: { patch_line: line },
  });
}
