/** Compiled code, kept from one start to the next: compiling it is the larger part of a start. */
import { lstatSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';

/** Keeps it in the state folder, out of reach of tools, for what lies there is run. Without a private folder nothing is kept. */
export function keepCompiledCode(state: string): void {
  if (isPrivate(state)) enableCompileCache(join(state, 'compiled'));
}

/** It need not be there: the folder is made by the first command that needs it, not by one that only prints its help. */
function isPrivate(folder: string): boolean {
  try {
    const stat = lstatSync(folder);
    return stat.isDirectory() && stat.uid === process.getuid?.() && (stat.mode & 0o077) === 0;
  } catch {
    return false;
  }
}
