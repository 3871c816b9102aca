/**
 * Folds a path so that spellings some file system takes for the same name become equal: case, Unicode
 * composition, characters that are ignored, blanks and dots at the end of a name. For comparing, never for opening.
 */

// Zero-width and direction characters: some file systems ignore them in names.
const IGNORED = /\p{Default_Ignorable_Code_Point}/gu;
const PLAIN = /^[a-z0-9_/.-]*[a-z0-9_-]$/;

/** The folded form of a path, or of a pattern for paths. */
export function foldPath(path: string): string {
  if (PLAIN.test(path) && !/\.\//.test(path)) return path;
  return (
    path
      .normalize('NFKC')
      .replace(IGNORED, '')
      // Up and down again: some letters become two (`ß`) only on the way up.
      .toUpperCase()
      .toLowerCase()
      .split('/')
      .map((name) => name.replace(/[. ]+$/, '') || name)
      .join('/')
  );
}
