/**
 * Places no rule can open: Handrail's own state, config and temporary files, git's hooks and config, `.ssh` folders, the home's
 * credentials. Judged by folded names, so also in other spellings, and also when nothing is there yet.
 */
import { isTemporary } from '../host/temporary-name.ts';
import { relativeToRoot, type Roots } from '../host/workspace-path.ts';
import type { Permission } from './access.ts';
import { foldPath } from './fold.ts';

/** Where Handrail keeps its things and where the user's home is; absolute paths. */
export interface Locations {
  readonly home: string;
  readonly state: string;
  readonly config: string;
}

/** All the ways an absolute path can be written. */
export type Spellings = (path: string) => readonly string[];

/** A reason why a path is protected from a permission, or undefined. */
export type Protection = (permission: Permission, path: string) => string | undefined;

/** The home's credential files and folders. */
const HOME_CREDENTIALS = [
  '.ssh',
  '.gnupg',
  '.aws',
  '.azure',
  '.kube',
  '.docker/config.json',
  '.config/gh',
  '.config/gcloud',
  '.netrc',
  '.npmrc',
  '.pypirc',
  '.git-credentials',
  '.cargo/credentials.toml',
];

/** The credential files and folders of the user's home. */
export function homeCredentials({ home }: Locations): string[] {
  return HOME_CREDENTIALS.map((name) => `${home}/${name}`);
}

/** The protection of one workspace. `spellings` are all the ways a place can be written, links followed and not. */
export function protectPlaces(
  roots: Roots,
  locations: Locations,
  spellings: Spellings = (path) => [path],
): Protection {
  const { state, config } = locations;
  const closed = [
    ...closedPlaces(
      [state, config].flatMap(spellings),
      roots,
      "Handrail's own state and config are out of reach of tools.",
    ),
    ...closedPlaces(
      homeCredentials(locations).flatMap(spellings),
      roots,
      "Credentials of the user's home are out of reach of tools.",
    ),
  ];
  return (permission, path) => {
    const folded = foldPath(path);
    const names = folded.split('/');
    if (names.some(isTemporary)) return 'A file that is being written is out of reach of tools.';
    if (names.includes('.ssh')) return 'An `.ssh` folder is out of reach of tools.';
    const place = closed.find(({ tree }) => folded === tree || folded.startsWith(`${tree}/`));
    if (place !== undefined) return place.reason;
    return permission === 'fs.read' ? undefined : protectedFromChange(names);
  };
}

interface ClosedPlace {
  readonly tree: string;
  readonly reason: string;
}

function closedPlaces(absolutes: readonly string[], roots: Roots, reason: string): ClosedPlace[] {
  return absolutes.flatMap((absolute) => {
    const tree = relativeToRoot(absolute, roots);
    return tree === undefined ? [] : [{ tree: foldPath(tree), reason }];
  });
}

/** What a later git or Handrail would obey: readable, but not for tools to change. */
function protectedFromChange(names: readonly string[]): string | undefined {
  if (names.includes('.handrail'))
    return "The workspace's Handrail settings are changed by people, not by tools.";
  const git = names.indexOf('.git');
  if (git === -1) return undefined;
  const below = names.slice(git + 1);
  if (below.length === 0) return 'The `.git` entry itself is not changed by file tools.';
  const last = below.at(-1)!;
  if (below.includes('hooks') || last === 'config' || last === 'config.worktree' || last === 'commondir') {
    return "Git's hooks and config are not changed by file tools: git would obey them later.";
  }
  return undefined;
}
