/** Which files a search looks into: globs of names or of paths, and with `!` those it leaves out. */
import { compileGlob, compileNameGlob, type PathTest } from '../glob-pattern.ts';
import { workspaceGlob } from './workspace-glob.ts';

export interface FileFilter {
  /** Globs of names that every wanted file fits one of; none where any name will do. */
  readonly names: readonly string[];
  readonly fits: PathTest;
}

/** Reads globs; those with a slash are relative to the searched directory or to the workspace. */
export function fileFilter(directory: string, globs: readonly string[]): FileFilter {
  const wanted = globs.filter((glob) => !glob.startsWith('!')).map(workspaceGlob);
  const unwanted = globs.filter((glob) => glob.startsWith('!')).map((glob) => workspaceGlob(glob.slice(1)));
  const below = directory === '.' ? '' : `${directory}/`;
  const tests = wanted.flatMap((glob) =>
    glob.includes('/') ? [compileGlob(glob), compileGlob(below + glob)] : [compileNameGlob(glob)],
  );
  const without = unwanted.map(compileNameGlob);
  return {
    names: wanted
      .map((glob) => glob.slice(glob.lastIndexOf('/') + 1))
      .map((name) => (name === '**' ? '*' : name)),
    fits: (path) =>
      (tests.length === 0 || tests.some((test) => test(path))) && !without.some((test) => test(path)),
  };
}
