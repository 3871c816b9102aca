/**
 * What a command changed becomes part of the workspace, or nothing of it does: the policy looks at every entry, nobody
 * else may have changed one meanwhile, and what undo needs is kept. Where undo could not give everything back and nobody
 * was asked, somebody is now.
 */
import { Failure } from '../failure.ts';
import type { CommandChanges, CommandResult, OpenFile, UndoLevel } from '../host/ports.ts';
import type { ChangeEffect } from '../journal/change-rows.ts';
import type { ChangeRecorder } from '../journal/pre-images.ts';
import { type ChangeContext, type Refusal, refusedEntry } from '../policy/changed-entries.ts';
import type { Policy, PolicyCall } from '../policy/decide.ts';

/** What came of a command besides its output. */
export interface CommandEffects {
  /** What of it undo takes back; of what ran outside, nothing is known. */
  readonly undo: UndoLevel;
  readonly changed: readonly ChangeEffect[];
  /** What was left out or is not covered, and what else a person should know: sentences. */
  readonly notes: readonly string[];
}

export interface EffectScope {
  readonly call: PolicyCall;
  readonly policy: Policy;
  readonly recorder: ChangeRecorder;
  /** Whether somebody has to be asked before something is changed for good. */
  readonly mustBeReversible: boolean;
  hold(paths: readonly string[]): Promise<AsyncDisposable>;
  /** Asks a human, who sees the changes; a failure where the answer is no. */
  ask(reason: string, changes: CommandChanges): Promise<void>;
}

/** A command that ended. */
export interface EndedCommand {
  /** Without secrets. */
  readonly command: string;
  readonly startedAt: number;
  /** Whether the settings of a repository are what was to be changed. */
  readonly opensGitConfig?: boolean | undefined;
  readonly ran: Pick<CommandResult, 'changes' | 'exitCode' | 'stdout' | 'stderr'>;
}

/** For changes whose command ran before. */
export const NOTHING_RAN = { exitCode: 0, stdout: new Uint8Array(), stderr: new Uint8Array() };

/** Takes the changes over; a failure where that may not be, or can't. */
export async function settle(ended: EndedCommand, scope: EffectScope): Promise<CommandEffects> {
  const { changes } = ended.ran;
  if (changes === undefined) return { undo: 'none', changed: [], notes: [] };
  await using _dropped = changes;
  const notes = [...changes.gaps, ...changes.notes];
  if (changes.entries.length === 0) return { undo: 'exact', changed: [], notes };
  const refusal = await refusedEntry(changes.entries, {
    call: scope.call,
    policy: scope.policy,
    opensGitConfig: ended.opensGitConfig === true,
    ...contentsOf(changes),
  });
  if (refusal !== undefined) throw await refuse(refusal, ended, changes, scope);
  const losses = scope.recorder.lossesOf(changes);
  if (scope.mustBeReversible && losses.length > 0) await scope.ask(forGood(losses), changes);
  const already = scope.recorder.effects.length;
  if (changes.isApplied) await scope.recorder.takeOver(changes, ended);
  else await takeOver(ended, changes, scope);
  const changed = scope.recorder.effects.slice(already);
  return { undo: levelOf(changed, changes), changed, notes };
}

/** What would come of a command whose changes are not taken over yet. */
export function expected({ ran: { changes } }: EndedCommand, recorder: ChangeRecorder): CommandEffects {
  if (changes === undefined) return { undo: 'none', changed: [], notes: [] };
  const losses = new Set(recorder.lossesOf(changes));
  const changed = changes.entries.map(({ path, before, after }): ChangeEffect => ({
    path,
    change: before.kind === 'missing' ? 'created' : after.kind === 'missing' ? 'deleted' : 'updated',
    reversible: !losses.has(path),
  }));
  return { undo: levelOf(changed, changes), changed, notes: [...changes.gaps, ...changes.notes] };
}

async function takeOver(ended: EndedCommand, changes: CommandChanges, scope: EffectScope): Promise<void> {
  await using _held = await scope.hold(changes.entries.map(({ path }) => path));
  const conflicts = await changes.conflicts();
  if (conflicts.length > 0) throw conflicting(conflicts, ended);
  await scope.recorder.takeOver(changes, ended);
}

function levelOf(changed: readonly ChangeEffect[], { isApplied, gaps }: CommandChanges): UndoLevel {
  const isWhole = changed.every(({ reversible }) => reversible) && !(isApplied && gaps.length > 0);
  if (isWhole) return 'exact';
  return changed.some(({ reversible }) => reversible) ? 'part' : 'none';
}

const MAX_SMALL_BYTES = 4 * 1024 * 1024;

type Reading = Pick<ChangeContext, 'read' | 'readBefore'>;

/** Contents of small files, after and before; undefined where there is none. */
function contentsOf(changes: CommandChanges): Reading {
  const entries = new Map(changes.entries.map((entry) => [entry.path, entry]));
  const readSmall = async (file: OpenFile): Promise<string | undefined> => {
    await using opened = file;
    if (opened.stat.size > MAX_SMALL_BYTES) return undefined;
    return (await opened.read(0, MAX_SMALL_BYTES)).toString();
  };
  return {
    read: async (path) =>
      entries.get(path)?.after.kind === 'file' ? readSmall(await changes.open(path)) : undefined,
    readBefore: async (path) =>
      entries.get(path)?.before.kind === 'file' ? readSmall(await changes.openBefore(path)) : undefined,
  };
}

async function refuse(
  { path, rule, reason }: Refusal,
  ended: EndedCommand,
  changes: CommandChanges,
  { recorder }: EffectScope,
): Promise<Failure> {
  const left = changes.isApplied ? await recorder.putBack(changes, ended) : [];
  const nothing =
    left.length === 0
      ? 'Nothing of what it changed was kept.'
      : `What it changed could not all be put back: ${named(left)}.`;
  return new Failure('E_POLICY_DENIED', `The command changed ${JSON.stringify(path)}. ${reason} ${nothing}`, {
    hint: 'Go on without changing that; a person can do it by hand.',
    details: { rule, path, ...outputOf(ended) },
  });
}

function conflicting(paths: readonly string[], ended: EndedCommand): Failure {
  const what = paths.length === 1 ? 'was' : 'were';
  return new Failure(
    'E_CONFLICT',
    `${named(paths)} ${what} changed by somebody else since the command began. Nothing of what it changed was taken over.`,
    {
      hint: 'Look at what is there now, and run the command again.',
      details: { paths: paths.slice(0, MAX_NAMED), ...outputOf(ended) },
    },
  );
}

function forGood(losses: readonly string[]): string {
  return `Undo could not take back what the command did to ${named(losses)}: too large to be kept, or too much.`;
}

const MAX_NAMED = 10;

function named(paths: readonly string[]): string {
  const more = paths.length - MAX_NAMED;
  const shown = paths.slice(0, MAX_NAMED).map((path) => JSON.stringify(path));
  return more > 0 ? `${shown.join(', ')} and ${more} more` : shown.join(', ');
}

const MAX_OUTPUT = 4_000;

/** What the command said is worth knowing, even if nothing came of it. */
function outputOf({ ran }: EndedCommand): Record<string, unknown> {
  const [stdout, stderr] = [ran.stdout, ran.stderr].map((bytes) =>
    Buffer.from(bytes).toString().slice(-MAX_OUTPUT),
  );
  return { exit_code: ran.exitCode, stdout, stderr };
}
