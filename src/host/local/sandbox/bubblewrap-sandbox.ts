/** Commands confined by bubblewrap: tiers A and A-. */
import { execFile } from 'node:child_process';
import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { SessionNetwork } from '../../ports.ts';
import type { Root } from '../root.ts';
import { runProcess } from '../run-process.ts';
import { CACHES, GIT_SETTINGS } from './bubblewrap.ts';
import type { ControlGroups } from './control-groups.ts';
import { confinedRun } from './confined-run.ts';
import { type Environment, minimalEnvironment, TERMINAL_VARIABLES } from './environment.ts';
import { gitIdentity } from './git-identity.ts';
import type { PrivateFolders } from './private-folders.ts';
import type { Sandbox, SandboxedCommand } from './sandbox.ts';
import { holdNetwork } from './session-network.ts';
import { systemCallFilter } from './system-call-filter.ts';
import { isIn, shownBesides, visiblePlaces } from './visible-places.ts';
import { workspaceMounts } from './workspace-mounts.ts';

export interface BubblewrapParts {
  readonly root: Root;
  readonly folders: PrivateFolders;
  readonly groups: ControlGroups;
  readonly home: string;
  /** Handrail's own folders. */
  readonly own: readonly string[];
  readonly environment: Environment;
  /** The program that enters name spaces, where there is one. */
  readonly nsenter?: string | undefined;
}

const PROBE_TIMEOUT_MS = 10_000;

/** Tries the real profile on `true`; says why it does not work where it does not. */
export async function bubblewrapSandbox(
  program: string,
  parts: BubblewrapParts,
): Promise<Sandbox | { readonly whyNot: string }> {
  const filter = systemCallFilter(process.arch);
  if (filter === undefined) return { whyNot: `there is no filter of system calls for ${process.arch}` };
  const version = await versionOf(program);
  if (version === undefined) return { whyNot: `${program} does not run` };
  const filterFile = writeOwn(parts, `filter.${process.arch}`, filter);
  const identity = await gitIdentity({ ...parts, untrusted: parts.root.roots });
  const gitSettings = writeOwn(parts, 'gitconfig', identity ?? '');
  const prepare = preparing(program, { filterFile, gitSettings }, parts, version >= 8);
  const whyNotA = await whyNot(prepare(true));
  const { nsenter } = parts;
  const openNetwork = nsenter === undefined ? undefined : () => holdNetwork(program, nsenter);
  if (whyNotA === undefined)
    return { report: { tier: 'A', says: `${SAYS}.` }, showsViews: true, prepare: prepare(true), openNetwork };
  if ((await whyNot(prepare(false))) !== undefined) return { whyNot: whyNotA };
  return {
    report: { tier: 'A-', says: `${SAYS}; without a /proc of their own (${whyNotA}).` },
    showsViews: true,
    prepare: prepare(false),
    openNetwork,
  };
}

const SAYS =
  'Commands are confined by bubblewrap: they change nothing but the workspace, see nothing of the home but toolchains, and reach no network that was not granted';

/** A file of Handrail's own that sandboxes are given. */
function writeOwn({ folders }: BubblewrapParts, name: string, content: string | Uint8Array): string {
  const file = join(folders.own(), name);
  // In one step: another process may be about to read it.
  writeFileSync(`${file}.${process.pid}`, content, { mode: 0o600 });
  renameSync(`${file}.${process.pid}`, file);
  return file;
}

/** The minor version: every release so far is 0.something. */
async function versionOf(program: string): Promise<number | undefined> {
  try {
    const { stdout } = await promisify(execFile)(program, ['--version'], {
      env: {},
      timeout: PROBE_TIMEOUT_MS,
    });
    const [, major = '0', minor = '0'] = /(\d+)\.(\d+)/.exec(stdout) ?? [];
    return Number(major) * 1000 + Number(minor);
  } catch {
    return undefined;
  }
}

async function whyNot(prepare: Sandbox['prepare']): Promise<string | undefined> {
  using run = prepare({
    program: '/bin/sh',
    args: ['-c', ':'],
    directory: '.',
    env: {},
    hasTerminal: false,
    confinement: { isReadOnly: false, hidden: [], frozen: [], hosts: [], session: 'probe' },
  });
  const { exitCode, stderr } = await runProcess({
    ...run.process,
    timeoutMs: PROBE_TIMEOUT_MS,
    maxOutputBytes: 4_096,
    keep: 'tail',
  });
  const said = stderr.toString().trim();
  if (exitCode === 0) return undefined;
  const reason = run.whyNotStarted(said)?.details?.['reason'];
  return typeof reason === 'string' ? reason : `the probe ended with ${exitCode}`;
}

function preparing(
  bubblewrap: string,
  { filterFile, gitSettings }: { readonly filterFile: string; readonly gitSettings: string },
  parts: BubblewrapParts,
  canDisableNamespaces: boolean,
) {
  const { root, folders, groups, own } = parts;
  const [workspace] = root.roots;
  const places = visiblePlaces({ home: parts.home, own, workspace });
  const ownInWorkspace = own
    .filter((folder) => isIn(folder, workspace))
    .map((folder) => folder.slice(workspace.length + 1));
  const usual = {
    ...minimalEnvironment({
      parent: parts.environment,
      home: places.home,
      temporary: '/tmp',
      untrusted: root.roots,
    }),
    ...CACHE_VARIABLES,
    GIT_CONFIG_GLOBAL: GIT_SETTINGS,
  };
  return (hasOwnProc: boolean) =>
    ({ program, args, directory, env, given, limits, confinement, hasTerminal, view }: SandboxedCommand) =>
      confinedRun({
        bubblewrap,
        filter: filterFile,
        mounts: workspaceMounts(root, confinement, ownInWorkspace),
        profile: {
          places,
          caches: folders.caches(),
          temporary: folders.temporary(confinement.session),
          given: given ?? [],
          shown: [
            [gitSettings, GIT_SETTINGS],
            ...shownBesides(confinement.shown ?? [], places, [workspace, ...own]).map(
              (folder) => [folder, folder] as const,
            ),
          ],
          directory: directory === '.' ? workspace : `${workspace}/${directory}`,
          env: { ...usual, ...(hasTerminal ? TERMINAL_VARIABLES : {}), ...env },
          isNarrow: confinement.isNarrow === true,
          sharesNetwork: confinement.network !== undefined,
          hasOwnProc,
          canDisableNamespaces,
          user: view?.user,
        },
        entered: entering(parts, confinement.network),
        limits,
        groups,
        hosts: confinement.hosts,
        view,
        hasTerminal,
        program,
        args,
      });
}

function entering({ nsenter }: BubblewrapParts, network: SessionNetwork | undefined) {
  if (network === undefined) return undefined;
  if (nsenter === undefined) throw new Error('A network was opened that can not be entered.');
  return { nsenter, network };
}

/** Where tools keep what they download; the rest of the home is new for every command. */
const CACHE_VARIABLES: Readonly<Record<string, string>> = {
  XDG_CACHE_HOME: CACHES,
  npm_config_cache: `${CACHES}/npm`,
  // Where pnpm keeps its store; its own variable makes npm complain.
  XDG_DATA_HOME: `${CACHES}/data`,
  YARN_CACHE_FOLDER: `${CACHES}/yarn`,
  PIP_CACHE_DIR: `${CACHES}/pip`,
  UV_CACHE_DIR: `${CACHES}/uv`,
  CARGO_HOME: `${CACHES}/cargo`,
  GOPATH: `${CACHES}/go`,
  GOCACHE: `${CACHES}/go-build`,
  GRADLE_USER_HOME: `${CACHES}/gradle`,
  BUNDLE_USER_HOME: `${CACHES}/bundle`,
  NUGET_PACKAGES: `${CACHES}/nuget`,
};
