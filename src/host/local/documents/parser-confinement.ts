/**
 * What the parser's process is kept to. Always: a bound on its memory, no environment, no descriptors but its pipes, and
 * Node's own permissions, by which it reads its program and nothing else, starts nothing and writes nothing. Where bubblewrap
 * works, also: no network, no other processes, and no files at all but the system's libraries and its program.
 */
import { accessSync, constants } from 'node:fs';
import { dirname, extname, join } from 'node:path';

const MEBIBYTE = 2 ** 20;
/** For everything: the heap, the bytes of the document, what is unpacked of it. The kernel holds it. */
export const MEMORY_BYTES = 1024 * MEBIBYTE;
const HEAP_MEBIBYTES = 640;
/** Trees are built and thrown away; with more room for what is young, that takes half the time. */
const YOUNG_MEBIBYTES = 64;

export interface ParserCommand {
  readonly program: string;
  readonly args: readonly string[];
}

/** How the parser is started, confined as far as the machine can. */
export function parserCommand(bubblewrap: string | undefined): ParserCommand {
  const shell = ['/bin/sh', '-c', LIMITED, 'handrail', ...nodeCommand()] as const;
  if (bubblewrap === undefined) return { program: shell[0], args: shell.slice(1) };
  return { program: bubblewrap, args: [...profile(), '--', ...shell] };
}

const LIMITED = `ulimit -c 0; ulimit -d ${MEMORY_BYTES / 1024} && exec "$@"`;

function nodeCommand(): string[] {
  return [
    process.execPath,
    `--max-old-space-size=${HEAP_MEBIBYTES}`,
    `--max-semi-space-size=${YOUNG_MEBIBYTES}`,
    // Kept warm: what was compiled is not thrown away between two documents.
    '--no-flush-bytecode',
    '--no-memory-reducer',
    '--disable-warning=ExperimentalWarning',
    '--permission',
    ...programPlaces().map((place) => `--allow-fs-read=${place}`),
    entry(),
  ];
}

/** Everything that is there for it; it is new and empty otherwise. */
function profile(): string[] {
  const shown = [...SYSTEM, process.execPath, ...programPlaces()];
  return [
    [
      '--unshare-user',
      '--unshare-all',
      '--cap-drop',
      'ALL',
      '--die-with-parent',
      '--new-session',
      '--clearenv',
    ],
    ...shown.map((place) => ['--ro-bind-try', place, place]),
    ['--dev', '/dev', '--chdir', '/'],
  ].flat();
}

const SYSTEM = ['/usr', '/bin', '/lib', '/lib64', '/nix/store', '/etc/ld.so.cache'];

/** Where its program stands: sources need the packages beside them, the bundle is a folder of its own. */
function programPlaces(): string[] {
  const file = entry();
  if (extname(file) !== '.ts') return [dirname(file)];
  const root = join(dirname(file), '../../../../..');
  return ['src', 'node_modules', 'package.json'].map((name) => join(root, name));
}

/** The command line is bundled elsewhere than the library. */
function entry(): string {
  const extension = extname(import.meta.filename);
  if (extension === '.cjs') return join(import.meta.dirname, '../host/local/documents/parser/main.js');
  return join(import.meta.dirname, 'parser', `main${extension}`);
}

/** Bubblewrap, where it is installed as a program of the system. */
export function findBubblewrap(): string | undefined {
  return ['/usr/bin/bwrap', '/usr/local/bin/bwrap', '/bin/bwrap'].find(isExecutable);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
