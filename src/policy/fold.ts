/**
 * Folds a path so that spellings some file system takes for the same name become equal: case, Unicode
 * composition, characters that are ignored, blanks and dots at the end of a name. For comparing, never for opening.
 */

// Zero-width and direction characters: HFS+ ignores them in names.
const IGNORED = /[\u00ad\u034f\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff]/g;
const PLAIN = /^[a-z0-9_/.-]*[a-z0-9_-]$/;

/** The folded form of a path. */
export function foldPath(path: string): string {
  if (PLAIN.test(path) && !/\.\//.test(path)) return path;
  return path
    .normalize('NFKC')
    .replace(IGNORED, '')
    .toLowerCase()
    .split('/')
    .map((name) => name.replace(/[. ]+$/, '') || name)
    .join('/');
}
