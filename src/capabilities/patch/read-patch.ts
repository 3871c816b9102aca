/** A patch as it was sent to what it does to files of the workspace. */
import { type FilePatch, locateFiles } from './file-patch.ts';
import { parsePatch } from './parse-patch.ts';

/** Reads a patch; `locate` makes a name in it a workspace path. */
export function readPatch(text: string, locate: (written: string) => string): FilePatch[] {
  return locateFiles(parsePatch(text), locate);
}
