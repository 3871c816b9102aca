/** Step 8's commands port: what was decided is how far a command reaches. */
import { Failure } from '../failure.ts';
import type {
  Clock,
  CommandRequest,
  Commands,
  Confinement,
  SandboxTier,
  Search,
  SessionNetwork,
} from '../host/ports.ts';
import type { ChangeOwner } from '../journal/change-rows.ts';
import { labelOf } from '../journal/left-changes.ts';
import { redactText } from '../journal/redact.ts';
import { isChange, type ResolvedAccess } from '../policy/access.ts';
import { hasPathDenies, isDenied, isReadableWithin } from '../policy/decide.ts';
import { isReader } from '../policy/rule.ts';
import type { Previews } from '../journal/previews.ts';
import { type Compare, summarise } from './change-summary.ts';
import {
  type CommandEffects,
  type EffectScope,
  type EndedCommand,
  expected,
  NOTHING_RAN,
  settle,
} from './command-effects.ts';
import type { ScopedCommands } from './operation.ts';
import type { Spool } from './spine.ts';

/** What the settings say about commands. */
export interface CommandSettings {
  /** What every command may reach. */
  readonly hosts: readonly string[];
  /** Over the minimal environment. */
  readonly environment: Readonly<Record<string, string>>;
  readonly minimumSandbox: SandboxTier | undefined;
  /** Whether structured git runs the hooks and filters of a repository. */
  readonly runsGitPrograms: boolean;
}

export interface CommandScope extends EffectScope {
  /** Only in a view, or also on the workspace itself where there can be none. */
  readonly way: 'view' | 'any';
  /** Whether the settings of a repository are what is to be changed. */
  readonly opensGitConfig?: boolean;
  /** Makes of its changes what is to become of them. */
  finish(ended: EndedCommand): Promise<CommandEffects>;
  readonly previews: Previews;
  readonly compare: Compare;
  readonly commands: Commands;
  readonly clock: Clock;
  /** Whose changes they are. */
  readonly owner: ChangeOwner;
  readonly search: Search;
  readonly settings: CommandSettings;
  readonly session: string;
  /** Whether a human was asked about this very call. */
  readonly wasApproved: boolean;
  readonly signal: AbortSignal;
  /** What it shares with the background processes of its session, where there are any. */
  network(): Promise<SessionNetwork | undefined>;
  spool(): Spool;
  /** Told about every command that runs. */
  onRun(command: string): void;
  onEnd(tier: SandboxTier, hosts: readonly string[]): void;
  onOutput(text: string): void;
}

/** The commands port for what a call was granted. */
export function scopeCommands(scope: CommandScope): ScopedCommands {
  const { commands, settings } = scope;
  return {
    sandbox: () => commands.sandbox(),
    async run({ command, ...request }) {
      const confinement = await confinementOf(scope);
      return runConfined(scope, command, { ...request, env: settings.environment, confinement });
    },
    async preview({ command, ...request }) {
      const confinement = await confinementOf({ ...scope, way: 'view' });
      let kept: { readonly id: string; readonly diff: string; readonly expiresAt: number } | undefined;
      const finish = async (ended: EndedCommand): Promise<CommandEffects> => {
        kept = await keepPreview(ended, scope);
        return expected(ended, scope.recorder);
      };
      const asked = { ...request, env: settings.environment, confinement };
      const ran = await runConfined({ ...scope, way: 'view', finish }, command, asked);
      return { ...ran, ...(kept === undefined ? {} : { kept }) };
    },
    async show(id) {
      const { command, changes } = await scope.previews.open(scope.session, id);
      return { command, diff: await summarise(changes, scope.compare) };
    },
    async apply(id) {
      const { command, startedAt, changes } = await scope.previews.open(scope.session, id);
      scope.onRun(command);
      try {
        const ran = { ...NOTHING_RAN, changes };
        return { ...(await settle({ command, startedAt, ran }, scope)), command };
      } finally {
        await scope.previews.forget(id);
      }
    },
  };
}

async function keepPreview(
  { command, startedAt, ran: { changes } }: EndedCommand,
  { previews, session, compare }: CommandScope,
): Promise<{ readonly id: string; readonly diff: string; readonly expiresAt: number } | undefined> {
  // What only looks needs no view.
  if (changes === undefined || changes.isApplied) return undefined;
  const diff = await summarise(changes, compare);
  const { expiresAt } = await previews.keep({ session, command, startedAt, changes });
  return { id: changes.id, diff, expiresAt };
}

/** How far the commands of a call reach. */
export async function confinementOf(scope: CommandScope): Promise<Confinement | 'none'> {
  const programs = scope.call.accesses.filter(({ permission }) => permission === 'proc.exec');
  if (programs.length === 0) throw new Error('The operation runs a command without having declared it.');
  const isOutside = programs.some((program) => program.isOutside === true);
  if (isOutside && !scope.wasApproved) throw new Error('Nobody approved leaving the sandbox.');
  return isOutside ? 'none' : confine(scope, programs);
}

/** Runs what may change the workspace; what it changed is taken over, and output that is too long to be shown kept. */
export async function runConfined(
  scope: CommandScope,
  command: string,
  request: Omit<CommandRequest, 'capture' | 'spool' | 'signal' | 'onOutput'>,
): ReturnType<ScopedCommands['run']> {
  const { commands, signal } = scope;
  const told = { command: redactText(command), startedAt: scope.clock.now() };
  const spool = scope.spool();
  const decoders = { stdout: new TextDecoder(), stderr: new TextDecoder() };
  scope.onRun(command);
  try {
    const ran = await commands.run({
      ...request,
      capture: {
        way: scope.way,
        mustCover: scope.mustBeReversible,
        label: labelOf({ ...scope.owner, ...told }),
      },
      spool: { file: { append: (bytes) => spool.write(bytes) }, maxBytes: Infinity },
      signal,
      onOutput: (stream, chunk) => scope.onOutput(decoders[stream].decode(chunk, { stream: true })),
    });
    scope.onEnd(ran.tier, ran.hostsReached);
    const effects = await scope.finish({ ...told, ran, opensGitConfig: scope.opensGitConfig });
    const isCut = ran.truncated.stdout || ran.truncated.stderr;
    if (!isCut) await spool.drop();
    return { ...ran, effects, ...(isCut ? { outputId: (await spool.keep()).id } : {}) };
  } catch (error) {
    await spool.drop();
    throw error;
  }
}

async function confine(scope: CommandScope, programs: readonly ResolvedAccess[]): Promise<Confinement> {
  const { call, settings, session } = scope;
  const isReadOnly =
    programs.every(({ command }) => command?.isWrapper === true || isReader(command, true)) &&
    !call.accesses.some(({ permission }) => isChange(permission) || permission === 'git.write');
  const granted = call.accesses.filter(({ permission }) => permission === 'net.connect');
  const hidden = ['.ssh', ...(await denied(scope, 'fs.read')), ...(await notAskedAbout(scope))];
  const frozen = ['.handrail', ...(await denied(scope, 'fs.write'))];
  return {
    isReadOnly,
    isNarrow: !scope.wasApproved && programs.some(({ command }) => command?.isBlind === true),
    hidden,
    frozen: frozen.filter((path) => !hidden.includes(path)),
    hosts: [...settings.hosts, ...granted.map(({ resource }) => resource)],
    session,
    // What nobody said yes to yet is alone: what it told a process of its session, that one would do.
    network: scope.way === 'view' ? undefined : await scope.network(),
    minimum: settings.minimumSandbox,
  };
}

/** What somebody wrote down that nobody touches. */
export async function denied(scope: CommandScope, permission: 'fs.read' | 'fs.write'): Promise<string[]> {
  const { call, policy } = scope;
  if (!hasPathDenies(policy)) return [];
  return find(scope, '.', [], (path) =>
    isDenied({ permission, resource: path, resolved: path }, call, policy),
  );
}

/** Where nobody was asked about the files of a tree, those that would have been asked about are not there. */
async function notAskedAbout(scope: CommandScope): Promise<string[]> {
  const { call, wasApproved } = scope;
  if (wasApproved) return [];
  const hidden = new Set<string>();
  const trees = call.accesses.filter(({ permission, isTree }) => permission === 'fs.read' && isTree === true);
  const isBlind = call.accesses.some(({ command }) => command?.isBlind === true);
  for (const tree of isBlind ? [EVERYTHING] : trees)
    for (const path of await unreadableIn(tree, scope)) hidden.add(path);
  return [...hidden];
}

/** The files of a tree that a call of its own could not read without a question. */
export async function unreadableIn(
  tree: ResolvedAccess,
  scope: Pick<CommandScope, 'call' | 'policy' | 'search' | 'signal'>,
): Promise<string[]> {
  const isHidden = (path: string): boolean =>
    !isReadableWithin(
      tree,
      { permission: 'fs.read', resource: path, resolved: path },
      scope.call,
      scope.policy,
    );
  return find(scope, tree.resolved, OF_OTHERS, isHidden);
}

async function find(
  { search, signal }: Pick<CommandScope, 'search' | 'signal'>,
  path: string,
  skip: readonly string[],
  matches: (path: string) => boolean,
): Promise<string[]> {
  const { paths, total } = await search.files({
    path,
    matches,
    signal,
    skip,
    includeIgnored: true,
    limit: MAX_HELD,
  });
  if (total > MAX_HELD) throw tooMuchToHold(total);
  return paths;
}

export const EVERYTHING: ResolvedAccess = {
  permission: 'fs.read',
  resource: '.',
  resolved: '.',
  isTree: true,
};

/** Folders full of other people's files: nobody keeps secrets there, and looking takes long. */
const OF_OTHERS = ['node_modules'];

/** More than this makes the start of a command slow. */
const MAX_HELD = 40;

function tooMuchToHold(count: number): Failure {
  return new Failure(
    'E_UNSUPPORTED',
    `The workspace holds ${count} files that the command must not touch, more than the ${MAX_HELD} that can be kept from it.`,
    { hint: 'Name the files it should read, keep secrets in one folder, or approve the command.' },
  );
}
