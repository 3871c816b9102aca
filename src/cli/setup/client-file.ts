/** A client's settings file. It is the user's own and is written in one step; no link leads out of where it belongs. */
import { rmdirSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Failure } from '../../failure.ts';
import { spellings } from '../../host/local/root.ts';
import { localUserFile } from '../../host/local/user-file.ts';
import type { Host } from '../../host/ports.ts';

export interface ClientFile {
  /** Absolute. */
  readonly path: string;
  /** Its text; undefined where there is none. */
  read(): Promise<string | undefined>;
  write(text: string): Promise<void>;
  /** Removes it, and its folder too where asked to and nothing else is in it. */
  remove(options: { readonly withFolder: boolean }): Promise<void>;
}

/** A file of the workspace; a link in its place, or on the way, is refused. */
export function workspaceFile({ files, ids }: Host, root: string, name: string): ClientFile {
  const path = join(root, name);
  return {
    path,
    async read() {
      const resolved = await files.resolve(name, { followLast: false });
      if (resolved.path !== name || resolved.kind === 'link') throw behindLink(path);
      if (resolved.kind === 'missing') return undefined;
      refuseForeign(path);
      await using file = await files.open(name);
      return textOf(await file.read(0, file.stat.size), path);
    },
    async write(text) {
      await files.write(name, Buffer.from(text), { callId: ids.next('call') });
    },
    async remove({ withFolder }) {
      await files.remove(name, { mayRemove: () => true });
      if (withFolder) removeEmpty(dirname(path));
    },
  };
}

/** A file of the user. A link to it is followed, and stays, as long as it leads to a place below `tree`. */
export function userFile(path: string, tree: string): ClientFile {
  const file = localUserFile(path);
  return {
    path,
    async read() {
      if (!realPath(path).startsWith(`${realPath(tree)}/`)) throw behindLink(path);
      const text = file.read();
      if (text === undefined) return undefined;
      refuseForeign(path);
      return textOf(Buffer.from(text), path);
    },
    async write(text) {
      file.write(text);
    },
    async remove({ withFolder }) {
      rmSync(path);
      if (withFolder) removeEmpty(dirname(path));
    },
  };
}

/** Of what is not there, as it would be. */
function realPath(path: string): string {
  return spellings(path).at(-1)!;
}

function refuseForeign(path: string): void {
  if (statSync(path).uid === process.getuid?.()) return;
  throw new Failure('E_IO', `${JSON.stringify(path)} belongs to another user.`, {
    hint: 'Nothing was written. Look at who put it there, and make it yours.',
  });
}

function behindLink(path: string): Failure {
  return new Failure('E_UNSUPPORTED', `${JSON.stringify(path)} is a link, or stands behind one.`, {
    hint: 'Nothing was written: it could be a file of something else. Put a file of its own there.',
  });
}

function textOf(bytes: Uint8Array, path: string): string {
  const text = Buffer.from(bytes).toString('utf8');
  if (!text.includes('\ufffd')) return text;
  throw new Failure('E_ENCODING', `${JSON.stringify(path)} is not UTF-8 text.`, {
    hint: 'Nothing was written.',
  });
}

function removeEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch {
    // Something else is in it by now.
  }
}
