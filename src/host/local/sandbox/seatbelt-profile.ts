/** A profile of macOS's Seatbelt with the same intent as bubblewrap's. Written by its documentation, not yet run on a Mac. */

export interface SeatbeltPlaces {
  readonly workspace: string;
  readonly home: string;
  readonly isReadOnly: boolean;
  /** Absolute paths. */
  readonly hidden: readonly string[];
  readonly frozen: readonly string[];
  readonly toolchains: readonly string[];
  /** Folders that the command may write: its caches, its temporary files. */
  readonly writable: readonly string[];
  /** Handrail's own folders. */
  readonly own: readonly string[];
}

const READABLE_MACHINERY = ['com.apple.system.opendirectoryd.libinfo', 'com.apple.system.logger'];
const DEVICES = ['/dev/null', '/dev/zero', '/dev/random', '/dev/urandom', '/dev/tty', '/dev/dtracehelper'];
const TEMPORARY = [
  '/tmp',
  '/private/tmp',
  '/var/tmp',
  '/private/var/tmp',
  '/private/var/folders',
  '/Volumes',
];

/** The profile's text. The last rule that fits counts, so what is held comes after what is allowed. */
export function seatbeltProfile(places: SeatbeltPlaces): string {
  const { workspace, home, isReadOnly, hidden, frozen, toolchains, writable, own } = places;
  const held = [...frozen, `${workspace}/.git/hooks`, `${workspace}/.git/config`];
  return [
    '(version 1)',
    '(deny default)',
    '(allow process-exec process-fork process-info*)',
    '(allow signal (target same-sandbox))',
    '(allow sysctl-read)',
    `(allow mach-lookup ${READABLE_MACHINERY.map((name) => `(global-name ${quoted(name)})`).join(' ')})`,
    rule('allow', 'file-read*', ['/']),
    rule('deny', 'file-read*', ['/Users', home, ...TEMPORARY]),
    rule('allow', 'file-read*', [workspace, ...toolchains, ...writable]),
    // A path is walked from its start: what is above may be looked at, not listed.
    `(allow file-read-metadata ${ancestors([workspace, ...toolchains, ...writable])
      .map(literal)
      .join(' ')})`,
    rule('allow', 'file-write*', [...(isReadOnly ? [] : [workspace]), ...writable]),
    `(allow file-write* ${DEVICES.map(literal).join(' ')})`,
    rule('deny', 'file-write*', held),
    // A folder that is renamed takes what is held in it along.
    `(deny file-write-unlink ${ancestors(held, workspace).map(literal).join(' ')})`,
    rule('deny', 'file-read* file-write*', [
      ...hidden,
      ...own.filter((folder) => !writable.includes(folder)),
    ]),
    // Caches and temporary files are kept among Handrail's own.
    rule('allow', 'file-read* file-write*', writable),
    '(deny network*)',
  ]
    .filter((line) => !line.endsWith(' )'))
    .join('\n');
}

function rule(effect: 'allow' | 'deny', what: string, folders: readonly string[]): string {
  return `(${effect} ${what} ${folders.map((folder) => `(subpath ${quoted(folder)})`).join(' ')})`;
}

function literal(path: string): string {
  return `(literal ${quoted(path)})`;
}

function quoted(text: string): string {
  return `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
}

/** The folders above some paths, each once; those below a root where one is given. */
function ancestors(paths: readonly string[], root = ''): string[] {
  const above = paths.flatMap((path) => {
    const names = path.split('/').slice(1, -1);
    return names.map((_, index) => `/${names.slice(0, index + 1).join('/')}`);
  });
  return [...new Set(above)].filter((path) => path.startsWith(`${root}/`));
}
