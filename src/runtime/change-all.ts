/**
 * Several changes as one: all are made or none is. What was read is compared with what is there before the first change;
 * what is made is taken back, in reverse, when a later one fails. Reverse order also means that there is room for it on a
 * full disk: each step needs no more than was free before the step it takes back.
 */
import { Failure } from '../failure.ts';
import type { Files } from '../host/ports.ts';
import type { EntryState } from '../host/entry-state.ts';
import { contentHash, kindAt } from '../journal/entry-state.ts';
import type { ChangeRecorder, ExpectedChange } from '../journal/pre-images.ts';
import type { FileChange } from './operation.ts';

export interface ChangeAllParts {
  readonly files: Files;
  readonly recorder: ChangeRecorder;
  readonly callId: string;
  readonly signal: AbortSignal;
}

/** Makes changes of resolved paths. */
export async function changeAll(changes: readonly FileChange[], parts: ChangeAllParts): Promise<void> {
  if (changes.length === 0) return;
  refuseTwice(changes);
  const steps = await stepsOf(changes, parts);
  await parts.recorder.changeAll(changes.flatMap(entriesOf), () => perform(steps, parts.signal));
}

/** Every path a change is about. */
export function pathsOf(change: FileChange): string[] {
  return 'from' in change ? [change.from, change.path] : [change.path];
}

/** A change that can be taken back. */
interface Step {
  readonly path: string;
  make(): Promise<unknown>;
  takeBack(): Promise<unknown>;
}

/** Two names of one file, through a link, are still one file. */
function refuseTwice(changes: readonly FileChange[]): void {
  const paths = changes.flatMap(pathsOf);
  const twice = paths.find((path, index) => paths.indexOf(path) !== index);
  if (twice === undefined) return;
  throw new Failure('E_CONFLICT', `Two of the changes are about the same file, ${JSON.stringify(twice)}.`, {
    hint: 'Nothing was changed. Make one change of them.',
  });
}

const MISSING: EntryState = { kind: 'missing' };

/** What has to be there, and what will be. */
function entriesOf(change: FileChange): ExpectedChange[] {
  const stateOf = (content: Uint8Array | undefined): EntryState =>
    content === undefined ? MISSING : { kind: 'file', hash: contentHash(content) };
  const { path, before, after } = change;
  const keepsMode = change.executable === undefined;
  if (!('from' in change)) return [{ path, expected: stateOf(before), after: stateOf(after), keepsMode }];
  return [
    { path: change.from, expected: stateOf(before), after: MISSING, keepsMode },
    { path, expected: MISSING, after: stateOf(after), keepsMode },
  ];
}

/** Moves first, so that what is written goes to the new name; removals last, since they are the hardest to take back. */
async function stepsOf(changes: readonly FileChange[], parts: ChangeAllParts): Promise<Step[]> {
  const steps: Step[] = [await madeDirectories(changes, parts)];
  const removals: Step[] = [];
  for (const change of changes) {
    const old = 'from' in change ? change.from : change.path;
    const mode = change.before === undefined ? undefined : (await parts.files.stat(old)).mode;
    if ('from' in change) steps.push(moving(change.from, change.path, parts));
    if (change.after === undefined) {
      removals.push(removing(change.path, change.before, mode, parts));
      continue;
    }
    const isRewritten = change.before === undefined || !Buffer.from(change.before).equals(change.after);
    if (isRewritten) steps.push(writing(change.path, change.before, change.after, mode, parts));
    if (change.executable !== undefined) steps.push(settingMode(change.path, change.executable, parts));
  }
  return [...steps, ...removals];
}

/** Directories come with the files in them; only taking them back is a step. */
async function madeDirectories(changes: readonly FileChange[], { files }: ChangeAllParts): Promise<Step> {
  const missing: string[] = [];
  for (const { path } of changes) {
    const names = path.split('/');
    for (let depth = 1; depth < names.length; depth++) {
      const parent = names.slice(0, depth).join('/');
      if (!missing.includes(parent) && (await kindAt(files, parent)) === 'missing') missing.push(parent);
    }
  }
  return {
    path: missing[0] ?? '.',
    make: async () => undefined,
    async takeBack() {
      for (const path of missing.toReversed()) {
        const isLeft = (await kindAt(files, path)) !== 'missing' && (await files.list(path)).length === 0;
        if (isLeft) await files.remove(path, { mayRemove: () => true });
      }
    },
  };
}

function moving(from: string, to: string, { files, signal }: ChangeAllParts): Step {
  return {
    path: from,
    make: () => files.move(from, to, { signal, mayMove: () => true }),
    takeBack: () => files.move(to, from, { mayMove: () => true }),
  };
}

function writing(
  path: string,
  before: Uint8Array | undefined,
  after: Uint8Array,
  mode: number | undefined,
  { files, callId, signal }: ChangeAllParts,
): Step {
  return {
    path,
    make: () => files.write(path, after, { callId, signal }),
    takeBack: () =>
      before === undefined
        ? files.remove(path, { mayRemove: () => true })
        : files.write(path, before, { callId, mode: mode! }),
  };
}

function removing(
  path: string,
  before: Uint8Array | undefined,
  mode: number | undefined,
  { files, callId, signal }: ChangeAllParts,
): Step {
  return {
    path,
    make: () => files.remove(path, { signal, mayRemove: () => true }),
    takeBack: () => files.write(path, before!, { callId, mode: mode! }),
  };
}

/** Who may read a file may run it, or nobody may. */
function settingMode(path: string, executable: boolean, { files, callId }: ChangeAllParts): Step {
  let old: number | undefined;
  return {
    path,
    async make() {
      const { mode } = await files.stat(path);
      await files.setMode(path, executable ? mode | ((mode & 0o444) >> 2) : mode & ~0o111, { callId });
      old = mode;
    },
    takeBack: () => files.setMode(path, old!, { callId }),
  };
}

async function perform(steps: readonly Step[], signal: AbortSignal): Promise<void> {
  const made: Step[] = [];
  try {
    for (const step of steps) {
      signal.throwIfAborted();
      await step.make();
      made.push(step);
    }
  } catch (error) {
    await takeBack(made, error);
    throw error;
  }
}

/** Takes back as much as can be; what can't be is said, and stays on record for undo. */
async function takeBack(made: readonly Step[], cause: unknown): Promise<void> {
  const left: string[] = [];
  for (const step of made.toReversed()) {
    try {
      await step.takeBack();
    } catch {
      left.push(JSON.stringify(step.path));
    }
  }
  if (left.length === 0) return;
  const why = cause instanceof Failure ? cause.message : 'A change failed.';
  throw new Failure('E_IO', `${why} What was done before it could not be put back: ${left.join(', ')}.`, {
    hint: 'Undo the turn once the trouble is over.',
    cause,
  });
}
