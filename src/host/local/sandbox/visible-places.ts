/**
 * What of the machine a confined command sees besides the workspace: the system, read-only; of the user's home only
 * the folders of toolchains, in a home that is empty otherwise; nothing of other users, of running programs, of
 * other temporary files, of Handrail itself.
 */
import { accessSync, constants, readdirSync, realpathSync, statSync } from 'node:fs';

export interface Places {
  /** The user's home. */
  readonly home: string;
  /** Handrail's own folders. */
  readonly own: readonly string[];
  readonly workspace: string;
}

export interface VisiblePlaces {
  /** Folders that look empty. */
  readonly empty: readonly string[];
  /** Folders that are no part of the system; they look empty in a narrow view. */
  readonly others: readonly string[];
  /** Files that look empty. */
  readonly blank: readonly string[];
  /** Where the home is; a new and empty one every time. */
  readonly home: string;
  /**
   * Folders of `/tmp` on the way to the workspace or the home. Commands can write there, and could lead a later mount
   * astray by a link; a mount on the first folder in every sandbox keeps them from it.
   */
  readonly below: readonly string[];
  /** Folders of the real home, by where they are and where they are shown. */
  readonly toolchains: readonly { readonly source: string; readonly shown: string }[];
  /** Parts of emptied folders that tools need. */
  readonly kept: readonly string[];
}

const EMPTIED = [
  '/home',
  '/root',
  '/run',
  '/var/run',
  '/var/tmp',
  '/mnt',
  '/media',
  '/var/spool',
  '/var/backups',
];
/** What only root could read, and a command that runs as root must not. */
const SECRET_FILES = ['/etc/shadow', '/etc/shadow-', '/etc/gshadow', '/etc/gshadow-', '/etc/sudoers'];
const SECRET_FOLDERS = [
  '/etc/ssl/private',
  '/etc/sudoers.d',
  '/etc/ssh',
  '/etc/wireguard',
  '/boot',
  '/var/log',
];
/** Where a system of Nix keeps its programs. */
const KEPT = ['/run/current-system'];

const TOOLCHAINS = [
  '.nvm',
  '.fnm',
  '.n/bin',
  '.volta',
  '.bun/bin',
  '.deno/bin',
  '.local/bin',
  '.local/lib',
  '.local/pipx',
  '.local/share/mise',
  '.local/share/fnm',
  '.local/share/pnpm',
  '.local/share/uv',
  '.local/share/rtx',
  '.asdf',
  '.cargo/bin',
  '.rustup',
  '.pyenv',
  '.rbenv',
  '.rvm',
  '.nodenv',
  '.jenv',
  '.goenv',
  '.sdkman',
  '.ghcup/bin',
  '.opam',
  '.elan',
  '.juliaup',
  '.nix-profile',
  '.poetry/bin',
  'go/bin',
  'bin',
  'sdk',
];

/** What programs of the system need; `/var` holds the data of services. */
const SYSTEM = /^(?:bin|dev|etc|gnu|lib(?:\d+|x32)?|nix|opt|proc|sbin|sys|tmp|usr)$/;

/** Where the home is when there is no folder of that name outside. */
const HOMELESS = '/run/handrail/home';

/** Looks at the machine once; the folders of toolchains that come later are seen by the next process. */
export function visiblePlaces({ home, own, workspace }: Places): VisiblePlaces {
  const realHome = realDirectory(home);
  const isRoot = process.getuid?.() === 0;
  const emptied = [...EMPTIED, ...(isRoot ? SECRET_FOLDERS : [])].flatMap(
    (path) => realDirectory(path) ?? [],
  );
  const isHidden = (path: string): boolean =>
    [...emptied, '/tmp', ...(realHome === undefined ? [] : [realHome])].some((tree) => isIn(path, tree));
  const ownFolders = own.flatMap((path) => realDirectory(path) ?? []);
  return {
    empty: [...new Set([...emptied, ...ownFolders.filter((path) => !isHidden(path))])],
    others: readdirSync('/', { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && !SYSTEM.test(entry.name))
      .map(({ name }) => `/${name}`),
    blank: SECRET_FILES.filter(isReadable).map((path) => realpathSync.native(path)),
    home: realHome === undefined || realHome === '/' ? HOMELESS : realHome,
    below: [...new Set([workspace, realHome ?? '/'].flatMap(firstBelowTemporary))],
    toolchains: realHome === undefined ? [] : toolchains(realHome, ownFolders),
    kept: KEPT.filter(isReadable),
  };
}

/** Of folders that are to be shown besides, those that would not be seen; none that holds what is hidden for a reason. */
export function shownBesides(
  folders: readonly string[],
  { empty, home }: VisiblePlaces,
  kept: readonly string[],
): string[] {
  const isUnseen = (folder: string): boolean => [...empty, '/tmp', home].some((tree) => isIn(folder, tree));
  const isFit = (folder: string): boolean => ![home, ...kept].some((place) => isIn(place, folder));
  return folders
    .flatMap((folder) => realDirectory(folder) ?? [])
    .filter((folder) => isUnseen(folder) && isFit(folder));
}

function toolchains(home: string, own: readonly string[]): { source: string; shown: string }[] {
  return TOOLCHAINS.flatMap((name) => {
    const shown = `${home}/${name}`;
    const source = realDirectory(shown);
    // A link to the home itself, or to what holds Handrail's own folders, would show them after all.
    const isFit = source !== undefined && ![home, ...own].some((kept) => isIn(kept, source));
    return isFit ? [{ source, shown }] : [];
  });
}

function firstBelowTemporary(path: string): string[] {
  const [, top, first, ...rest] = path.split('/');
  return top === 'tmp' && rest.length > 0 ? [`/tmp/${first}`] : [];
}

/** Whether a path is a folder or in it. */
export function isIn(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder === '/' ? '/' : `${folder}/`);
}

function realDirectory(path: string): string | undefined {
  try {
    const real = realpathSync.native(path);
    return statSync(real).isDirectory() ? real : undefined;
  } catch {
    return undefined;
  }
}

function isReadable(path: string): boolean {
  try {
    accessSync(path, constants.R_OK);
    return true;
  } catch {
    return false;
  }
}
