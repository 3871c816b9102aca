/** The profile that bubblewrap confines a command with: everything of it is needed, also where Handrail runs as root. */
import { existsSync } from 'node:fs';
import type { GivenFolder } from '../../ports.ts';
import type { VisiblePlaces } from './visible-places.ts';

export interface Profile {
  readonly places: VisiblePlaces;
  /** The folder that is kept for caches. */
  readonly caches: string;
  /** The folder that is the command's `/tmp`. */
  readonly temporary: string;
  readonly workspace: readonly string[];
  /** What else is shown, by where it is and where it is shown. */
  readonly shown: readonly (readonly [source: string, shown: string])[];
  readonly given: readonly GivenFolder[];
  /** An absolute directory as the command sees it. */
  readonly directory: string;
  readonly env: Readonly<Record<string, string>>;
  /** Only the system and the workspace. */
  readonly isNarrow: boolean;
  /** It stays in the network that it is started in. */
  readonly sharesNetwork: boolean;
  readonly hasOwnProc: boolean;
  /** Older versions can't; the filter of system calls refuses the same. */
  readonly canDisableNamespaces: boolean;
  /** Whom the command runs as; who started bubblewrap where nobody is named. */
  readonly user?: { readonly uid: number; readonly gid: number } | undefined;
}

/** Descriptors that bubblewrap is given. */
const FILTER_DESCRIPTOR = 3;
const STATUS_DESCRIPTOR = 4;

/** Where caches are kept, as the command sees them. */
export const CACHES = '/run/handrail/cache';
/** Where git finds who commits. */
export const GIT_SETTINGS = '/run/handrail/gitconfig';

const MEBIBYTE = 1024 * 1024;
const SHARED_MEMORY_BYTES = 1024 * MEBIBYTE;
const HOME_BYTES = 512 * MEBIBYTE;
const EMPTY_BYTES = 16 * MEBIBYTE;
/** Root may write these without any capability, and changes the machine by it. */
const KERNEL_SWITCHES = ['sys', 'sysrq-trigger', 'irq', 'bus', 'fs', 'scsi', 'acpi', 'mtrr', 'driver', 'tty'];

/** The arguments before the command; what is mounted later covers what was mounted before. */
export function profileArguments(profile: Profile): string[] {
  const { places, caches, temporary, workspace, shown, given, directory, env } = profile;
  return [
    ['--unshare-user', '--unshare-all', '--cap-drop', 'ALL', '--die-with-parent'],
    profile.sharesNetwork ? ['--share-net'] : [],
    profile.canDisableNamespaces ? ['--disable-userns'] : [],
    profile.user === undefined ? [] : ['--uid', String(profile.user.uid), '--gid', String(profile.user.gid)],
    ['--new-session', '--hostname', 'sandbox', '--clearenv'],
    ...Object.entries(env).map(([name, value]) => ['--setenv', name, value]),
    readOnly('/'),
    profile.hasOwnProc ? ['--proc', '/proc'] : [],
    ...kernelSwitches().map((path) => readOnly(path)),
    ['--dev', '/dev'],
    emptyFolder('/dev/shm', SHARED_MEMORY_BYTES),
    ...(profile.isNarrow ? places.others : []).map((path) => emptyFolder(path, EMPTY_BYTES)),
    ...places.empty.map((path) => emptyFolder(path, EMPTY_BYTES)),
    ...places.blank.map((path) => readOnly('/dev/null', path)),
    ...places.kept.map((path) => readOnly(path)),
    ['--bind', temporary, '/tmp'],
    ...places.below.map((path) => emptyFolder(path, EMPTY_BYTES)),
    emptyFolder(places.home, HOME_BYTES),
    ['--bind', caches, CACHES],
    ...places.toolchains.map(({ source, shown }) => readOnly(source, shown)),
    workspace,
    ...shown.map(([source, place]) => readOnly(source, place)),
    ...given.map(({ source, place, isWritable }) =>
      isWritable ? ['--bind', source, place] : readOnly(source, place),
    ),
    ['--chdir', directory],
    ['--seccomp', String(FILTER_DESCRIPTOR), '--json-status-fd', String(STATUS_DESCRIPTOR), '--'],
  ].flat();
}

function readOnly(source: string, shown = source): string[] {
  return ['--ro-bind', source, shown];
}

function emptyFolder(path: string, bytes: number): string[] {
  return ['--size', String(bytes), '--tmpfs', path];
}

function kernelSwitches(): string[] {
  const names = process.getuid?.() === 0 ? KERNEL_SWITCHES : ['sys'];
  const paths = names.map((name) => `/proc/${name}`);
  return paths.filter((path) => existsSync(path));
}
