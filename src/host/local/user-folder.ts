/** A folder of the user's own, to be read: never through links in it, and no further than is sane. */
import { Failure } from '../../failure.ts';
import type { Files, UserFolder } from '../ports.ts';
import { pathIn } from '../workspace-path.ts';
import { localFiles } from './files.ts';
import { pinRoot } from './root.ts';

const MAX_DEPTH = 8;
const MAX_FILES = 5_000;
/** Folders that hold what others made. */
const LEFT_OUT: ReadonlySet<string> = new Set(['.git', 'node_modules']);

/** The folder at an absolute path; it may be a link itself. */
export function localUserFolder(path: string, home: string): UserFolder {
  const within = async <Result>(work: (files: Files) => Promise<Result>): Promise<Result> => {
    using root = pinRoot(path, home);
    return await work(localFiles(root));
  };
  return {
    path,
    list: () =>
      within(async (files) => {
        const found = { files: [] as string[], skipped: [] as string[] };
        await collect(files, '.', found, 0);
        return found;
      }),
    read: (file, maxBytes) =>
      within(async (files) => {
        await using opened = await files.open(file);
        if (opened.stat.size > maxBytes)
          throw new Failure('E_TOO_LARGE', `${JSON.stringify(file)} is larger than ${maxBytes} bytes.`);
        return await opened.read(0, maxBytes);
      }),
  };
}

async function collect(
  files: Files,
  folder: string,
  found: { readonly files: string[]; readonly skipped: string[] },
  depth: number,
): Promise<void> {
  for (const { name, kind } of await files.list(folder)) {
    const path = pathIn(folder, name);
    if (kind === 'link') found.skipped.push(path);
    else if (kind === 'file' && found.files.length < MAX_FILES) found.files.push(path);
    else if (kind === 'directory' && depth < MAX_DEPTH && !LEFT_OUT.has(name))
      await collect(files, path, found, depth + 1);
  }
}
