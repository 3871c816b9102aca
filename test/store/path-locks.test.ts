/** One writer at a time for every path, over runtimes and processes. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fsWrite } from '../../src/capabilities/fs/write.ts';
import { localClock } from '../../src/host/local/clock.ts';
import { localIds } from '../../src/host/local/ids.ts';
import type { Clock } from '../../src/host/ports.ts';
import type { Runtime } from '../../src/index.ts';
import { openState, type State } from '../../src/open-state.ts';
import { type PathLocks, pathLocks } from '../../src/store/path-locks.ts';
import { operationDialect } from '../capabilities/fs/fixtures/operation-dialect.ts';
import { type TempWorkspace, tempWorkspace } from '../support/temp-workspace.ts';

const NEVER = new AbortController().signal;

/** The locks of one more runtime on a state. */
function locksOf({ store, processes }: State, clock: Clock = localClock): PathLocks {
  return pathLocks({ database: store.database, processes, clock, ids: localIds(localClock) });
}

async function rowsOf({ store }: State): Promise<string[]> {
  const rows = await store.database.selectFrom('path_locks').select('path').execute();
  return rows.map(({ path }) => path);
}

/** A process that holds the lock of `a.txt`. */
async function startHolder({ root, locations }: TempWorkspace): Promise<ChildProcess> {
  const program = join(import.meta.dirname, 'fixtures/hold-a-lock.ts');
  const args = [program, JSON.stringify(locations), root, 'a.txt'];
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  const isHeld = await Promise.race([once(child.stdout, 'data'), once(child, 'close').then(() => undefined)]);
  if (isHeld === undefined) throw new Error('The process that should hold the lock has ended.');
  return child;
}

async function end(child: ChildProcess): Promise<void> {
  const gone = once(child, 'close');
  child.kill('SIGKILL');
  await gone;
}

function appending(workspace: TempWorkspace): Promise<Runtime> {
  return workspace.runtime({
    dialect: 'operation',
    dialects: [operationDialect(fsWrite)],
    rules: [{ action: 'allow', permission: ['fs.read', 'fs.write'] }],
  });
}

const line = (content: string): object => ({ path: 'a.txt', content, mode: 'append', maxBytes: 1_000_000 });

describe('pathLocks', () => {
  it.each(['the same', 'another'])(
    'lets nobody of %s runtime in before the holder is done',
    async (which) => {
      await using workspace = tempWorkspace();
      await using state = openState(workspace.locations);
      const locks = locksOf(state);
      const others = which === 'another' ? locksOf(state) : locks;
      const order: string[] = [];
      const first = await locks.hold('/ws', ['a'], NEVER);
      const second = others.hold('/ws', ['a'], NEVER).then((held) => {
        order.push('second in');
        return held;
      });
      await (await others.hold('/ws', ['b'], NEVER))[Symbol.asyncDispose]();
      await (await others.hold('/other', ['a'], NEVER))[Symbol.asyncDispose]();
      order.push('first out');
      await first[Symbol.asyncDispose]();
      await (await second)[Symbol.asyncDispose]();
      expect(order).toEqual(['first out', 'second in']);
      expect(await rowsOf(state)).toEqual([]);
    },
  );

  it('never lets two of 32 in at once, over several runtimes', async () => {
    await using workspace = tempWorkspace();
    await using state = openState(workspace.locations);
    const all = Array.from({ length: 4 }, () => locksOf(state));
    let inside = 0;
    let most = 0;
    await Promise.all(
      Array.from({ length: 32 }, async (_, index) => {
        await using _held = await all[index % all.length]!.hold('/ws', ['a', `own-${index}`], NEVER);
        most = Math.max(most, ++inside);
        await new Promise(setImmediate);
        inside--;
      }),
    );
    expect([most, await rowsOf(state)]).toEqual([1, []]);
  });

  it('ends well where two want the same paths in different orders, or one of them twice', async () => {
    await using workspace = tempWorkspace();
    await using state = openState(workspace.locations);
    const [one, other] = [locksOf(state), locksOf(state)];
    const take = async (locks: PathLocks, paths: readonly string[]): Promise<void> => {
      await using _held = await locks.hold('/ws', paths, NEVER);
      await new Promise(setImmediate);
    };
    await Promise.all(
      Array.from({ length: 10 }, () => [
        take(one, ['a', 'b', 'c']),
        take(other, ['c', 'b', 'a']),
        take(other, ['b', 'b']),
      ]).flat(),
    );
    expect(await rowsOf(state)).toEqual([]);
  });

  it('holds nothing where there is nothing to hold', async () => {
    await using workspace = tempWorkspace();
    await using state = openState(workspace.locations);
    await using _held = await locksOf(state).hold('/ws', [], NEVER);
    expect(await rowsOf(state)).toEqual([]);
  });

  it('keeps none of several paths where one of them can not be had', async () => {
    await using workspace = tempWorkspace();
    await using state = openState(workspace.locations);
    await using _held = await locksOf(state).hold('/ws', ['b'], NEVER);
    const impatient = locksOf(state, leaping());
    await expect(impatient.hold('/ws', ['a', 'b', 'c'], NEVER)).rejects.toMatchObject({ code: 'E_CONFLICT' });
    expect(await rowsOf(state)).toEqual(['b']);
  });
});

/** A clock on which every look takes a minute. */
function leaping(): Clock {
  let now = 0;
  return { now: () => (now += 60_000), monotonic: () => now };
}

describe('a lock of another process', () => {
  it('is respected while that process lives; who waited long enough is told who has it', async () => {
    await using workspace = tempWorkspace();
    await using state = openState(workspace.locations);
    const holder = await startHolder(workspace);
    await expect(locksOf(state, leaping()).hold(workspace.root, ['a.txt'], NEVER)).rejects.toMatchObject({
      code: 'E_CONFLICT',
      message: `"a.txt" is being changed by another process (${holder.pid}).`,
    });
    expect(await rowsOf(state)).toEqual(['a.txt']);
    await end(holder);
  });

  it('is taken over once that process was killed', async () => {
    await using workspace = tempWorkspace({ 'a.txt': 'one\n' });
    await using state = openState(workspace.locations);
    const holder = await startHolder(workspace);
    const runtime = await appending(workspace);
    const waiting = runtime.call('operation', line('two\n'));
    await end(holder);
    expect((await waiting).outcome).toBe('ok');
    expect(readFileSync(join(workspace.root, 'a.txt'), 'utf8')).toBe('one\ntwo\n');
    expect(await rowsOf(state)).toEqual([]);
  });

  it('is waited for no longer by a call that is cancelled, and nothing is written', async () => {
    await using workspace = tempWorkspace();
    await using state = openState(workspace.locations);
    const holder = await startHolder(workspace);
    const runtime = await appending(workspace);
    const cancelling = new AbortController();
    const waiting = runtime.call('operation', line('never\n'), { signal: cancelling.signal });
    await runtime.call('operation', { ...line('other\n'), path: 'b.txt' });
    cancelling.abort();
    expect((await waiting).outcome).toBe('cancelled');
    await end(holder);
    expect(existsSync(join(workspace.root, 'a.txt'))).toBe(false);
    expect((await runtime.call('operation', line('later\n'))).outcome).toBe('ok');
    expect(await rowsOf(state)).toEqual([]);
  });
});

describe('calls that add to one file', () => {
  const sorted = (text: string): string[] => text.trimEnd().split('\n').sort();

  it('lose none of 32 lines that are added at once', async () => {
    await using workspace = tempWorkspace();
    const runtimes = [await appending(workspace), await appending(workspace)];
    const lines = Array.from({ length: 32 }, (_, index) => `line ${index}`);
    const done = await Promise.all(
      lines.map((text, index) => runtimes[index % 2]!.call('operation', line(`${text}\n`))),
    );
    expect(done.map(({ outcome }) => outcome)).toEqual(lines.map(() => 'ok'));
    expect(sorted(readFileSync(join(workspace.root, 'a.txt'), 'utf8'))).toEqual([...lines].sort());
  });

  it('lose no line that two processes add at the same time', async () => {
    await using workspace = tempWorkspace();
    const count = 150;
    const processes = ['one', 'two'].map((name) => startAdding(workspace, name, count));
    await Promise.all(processes.map(({ ready }) => ready));
    for (const { child } of processes) child.stdin!.write('go\n');
    const outcomes = (await Promise.all(processes.map((adding) => adding.outcomes))).flat();
    expect([outcomes.length, new Set(outcomes)]).toEqual([2 * count, new Set(['ok'])]);
    const expected = ['one', 'two'].flatMap((name) =>
      Array.from({ length: count }, (_, index) => `${name} ${index}`),
    );
    expect(sorted(readFileSync(join(workspace.root, 'log.txt'), 'utf8'))).toEqual(expected.sort());
  }, 180_000);
});

describe('an undo', () => {
  it('waits for who holds a file, and leaves alone what they change', async () => {
    await using workspace = tempWorkspace({ 'a.txt': 'one\n', 'b.txt': 'one\n' });
    const others = Array.from({ length: 20 }, (_, file) => `${file}.txt`);
    await using another = tempWorkspace(Object.fromEntries(others.map((path) => [path, 'one\n'])));
    const runtimes = [
      await workspace.runtime({ mode: 'auto' }),
      await another.runtime({ mode: 'auto' }),
    ] as const;
    for (const path of ['a.txt', 'b.txt']) await runtimes[0].call('write', { path, content: 'two\n' });
    for (const path of others) await runtimes[1].call('write', { path, content: 'two\n' });
    await using state = openState(workspace.locations);
    const held = await locksOf(state).hold(workspace.root, ['b.txt'], NEVER);
    const undoing = runtimes[0].undo({ last: 2 });
    // One that has more to do and waits for nobody is done first.
    await runtimes[1].undo({ last: 1 });
    const texts = ['a.txt', 'b.txt'].map((path) => readFileSync(join(workspace.root, path), 'utf8'));
    expect(texts).toEqual(['two\n', 'two\n']);
    workspace.write('b.txt', 'theirs\n');
    await held[Symbol.asyncDispose]();
    expect((await undoing).steps.map(({ path, action }) => [path, action])).toEqual([
      ['a.txt', 'restore'],
      ['b.txt', 'conflict'],
    ]);
    expect(await rowsOf(state)).toEqual([]);
  });
});

interface Adding {
  readonly child: ChildProcess;
  readonly ready: Promise<unknown>;
  readonly outcomes: Promise<string[]>;
}

function startAdding({ root, locations }: TempWorkspace, name: string, count: number): Adding {
  const program = join(import.meta.dirname, 'fixtures/add-to-a-file.ts');
  const args = [program, root, JSON.stringify(locations), name, String(count)];
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  let said = '';
  child.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()));
  return {
    child,
    ready: once(child.stdout, 'data'),
    outcomes: once(child, 'close').then(() => JSON.parse(said.replace('ready\n', '')) as string[]),
  };
}
