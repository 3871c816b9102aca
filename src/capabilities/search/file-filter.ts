/** Which files a search looks into: globs of names or of paths, and with `!` those it leaves out. */
import { alternatives, compileGlob, compileNameGlob, type PathTest } from '../glob-pattern.ts';
import { workspaceGlob } from './workspace-glob.ts';

export interface FileFilter {
  /** Globs of names that every wanted file fits one of; none where any name will do. */
  readonly names: readonly string[];
  readonly fits: PathTest;
}

/** Reads globs; those with a slash are relative to the searched directory or to the workspace. */
export function fileFilter(directory: string, globs: readonly string[]): FileFilter {
  // Written out, since braces may hold a slash.
  const wanted = globs
    .filter((glob) => !glob.startsWith('!'))
    .flatMap((glob) => alternatives(workspaceGlob(glob)));
  const unwanted = globs.filter((glob) => glob.startsWith('!')).map((glob) => workspaceGlob(glob.slice(1)));
  const below = directory === '.' ? '' : `${directory}/`;
  const tests = wanted.flatMap((glob) =>
    glob.includes('/') ? [compileGlob(glob), compileGlob(below + glob)] : [compileNameGlob(glob)],
  );
  const without = unwanted.map(compileNameGlob);
  return {
    names: [...new Set(wanted.map(lastName))],
    fits: (path) =>
      (tests.length === 0 || tests.some((test) => test(path))) && !without.some((test) => test(path)),
  };
}

function lastName(glob: string): string {
  const name = glob.slice(glob.lastIndexOf('/') + 1);
  return name === '**' ? '*' : name;
}
