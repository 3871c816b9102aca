/** Calls that stop the whole process, or fill its memory. */
import { spawnSync } from 'node:child_process';
import { linkSync, mkdirSync, readdirSync, readFileSync, readlinkSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type TempWorkspace, tempWorkspace } from '../support/temp-workspace.ts';
import { ALIVE } from './attack-case.ts';
import type { ToolCall } from './surfaces.ts';

/** How a call ends in a process of its own that has so long. */
function ends(
  { root, locations }: TempWorkspace,
  { dialect, tool, args }: ToolCall,
  { timeout = 10_000, options = [] as string[], more = '' } = {},
): string {
  const program = join(import.meta.dirname, 'fixtures/one-call.ts');
  const given = [root, JSON.stringify(locations), dialect, tool, JSON.stringify(args), more];
  const { error, stdout, status } = spawnSync(process.execPath, [...options, program, ...given], {
    timeout,
    killSignal: 'SIGKILL',
    encoding: 'utf8',
  });
  return error === undefined && status === 0 ? stdout : `${error?.message ?? status}`;
}

/** How often other work has its turn while something is done. */
async function turnsDuring(work: () => Promise<unknown>): Promise<number> {
  let turns = 0;
  let isDone = false;
  const isOver = (): boolean => isDone;
  const takeTurns = async (): Promise<void> => {
    while (!isOver()) {
      await new Promise(setImmediate);
      turns++;
    }
  };
  const others = takeTurns();
  await work();
  isDone = true;
  const during = turns;
  await others;
  return during;
}

const LONG = 'a'.repeat(250);

describe('a glob', () => {
  it.each([
    ['whose alternatives all nearly fit', `**/*{${','.repeat(990)}}${'a'.repeat(124)}[b]*`],
    ['with braces that are never closed', `{${','.repeat(800)}}{${','.repeat(3_000)}`],
  ])(
    '%s is refused at once',
    async (_what, pattern) => {
      await using workspace = tempWorkspace({ [`${`${LONG}/`.repeat(12)}${LONG}`]: '' });
      expect(ends(workspace, { dialect: 'handrail', tool: 'glob', args: { pattern } })).toBe('failed');
      const listing = { dialect: 'codelab', tool: 'list_files', args: { pattern, recursive: true } };
      expect(ends(workspace, listing)).toBe('failed');
    },
    120_000,
  );

  it('with many alternatives that nearly fit long names is given up', async () => {
    const files = Array.from(
      { length: 20 },
      (_, index) => `${`${LONG}/`.repeat(13)}${LONG.slice(3)}${100 + index}`,
    );
    await using workspace = tempWorkspace(Object.fromEntries(files.map((file) => [file, ''])));
    const nearly = ['a', '?', '[a]', '[!b]'].flatMap((one) =>
      ['a', '?', '[a]'].flatMap((two) => ['a', '?', '[a]'].map((three) => one + two + three)),
    );
    const pattern = `**/*{${nearly.join(',')}}${'a'.repeat(120)}[b]*`;
    const runtime = await workspace.runtime();
    const { result } = await runtime.call('glob', { pattern });
    expect(result.error).toMatchObject({ code: 'E_INVALID_ARGS', message: expect.stringContaining('[b]*') });
  });

  it('among thousands is refused at once', async () => {
    await using workspace = tempWorkspace({ [LONG]: '' });
    const runtime = await workspace.runtime({ dialect: 'clude' });
    const ignore_globs = Array.from({ length: 1_000 }, () => `{${','.repeat(90)}}x`);
    const { result } = await runtime.call('list_dir', { path: '.', ignore_globs });
    expect(result.error?.code).toBe('E_INVALID_ARGS');
  });
});

describe('the index of files', () => {
  it('is not stopped by what an ignore file says', async () => {
    await using workspace = tempWorkspace({ '.gitignore': `${'a/**/'.repeat(15)}b\n` });
    for (let index = 0; index < 2_100; index++) workspace.write(`src/f${index}`, '');
    mkdirSync(join(workspace.root, 'a/'.repeat(60)), { recursive: true });
    const call = { dialect: 'handrail', tool: 'glob', args: { pattern: 'x' } };
    expect(ends(workspace, call, { timeout: 15_000, more: 'yes' })).toBe('ok');
  }, 60_000);
});

describe('context around matches', () => {
  it('fits into a heap of 512 MB', async () => {
    await using workspace = tempWorkspace();
    workspace.write('big', `needle\n${`${'x'.repeat(490)}\n`.repeat(50)}`.repeat(10_000));
    const args = { pattern: 'needle', context: 50, max_matches: 10_000 };
    const options = ['--max-old-space-size=512'];
    const call = { dialect: 'handrail', tool: 'grep', args };
    expect(ends(workspace, call, { timeout: 60_000, options })).toBe('ok');
    const bytes = readFileSync(join(workspace.locations.state, 'handrail.sqlite')).length;
    expect(bytes).toBeLessThan(100_000_000);
  }, 120_000);
});

describe('a recursive listing', () => {
  it('lets other work have its turn', async () => {
    await using workspace = tempWorkspace(ALIVE);
    for (let index = 0; index < 5_000; index++)
      mkdirSync(join(workspace.root, `d${index % 50}/e${index}`), { recursive: true });
    const runtime = await workspace.runtime({ dialect: 'codelab' });
    const list = () => runtime.call('list_files', { recursive: true, pattern: 'nothing' });
    expect(await turnsDuring(list)).toBeGreaterThan(5);
  });

  it('hears that nobody waits for it any more', async () => {
    await using workspace = tempWorkspace(ALIVE);
    for (let index = 0; index < 5_000; index++)
      mkdirSync(join(workspace.root, `d${index % 50}/e${index}`), { recursive: true });
    const runtime = await workspace.runtime({ dialect: 'codelab' });
    const giveUp = new AbortController();
    setTimeout(() => giveUp.abort(), 50);
    const args = { recursive: true, pattern: 'nothing' };
    expect(await runtime.call('list_files', args, { signal: giveUp.signal })).toMatchObject({
      outcome: 'cancelled',
    });
  });
});

/** The search programs that run in the workspace. */
function programsIn({ root }: TempWorkspace): string[] {
  return readdirSync('/proc').filter((pid) => {
    try {
      return (
        /^\d+$/.test(pid) &&
        readFileSync(`/proc/${pid}/comm`, 'utf8') === 'rg\n' &&
        readlinkSync(`/proc/${pid}/cwd`) === root
      );
    } catch {
      // It has ended meanwhile.
      return false;
    }
  });
}

/** The most memory that a search program in the workspace has used, in megabytes. */
function memoryOfSearch(workspace: TempWorkspace): number {
  const peaks = programsIn(workspace).map((pid) => {
    try {
      return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;
    } catch {
      return 0;
    }
  });
  return Math.max(0, ...peaks);
}

describe('a search over lines', () => {
  it('does not hold whole files in memory', async () => {
    await using workspace = tempWorkspace({ big: '' });
    truncateSync(join(workspace.root, 'big'), 2e9);
    const runtime = await workspace.runtime();
    const signal = AbortSignal.timeout(5_000);
    const search = runtime.call('grep', { pattern: 'x\\ny', multiline: true }, { signal });
    let most = 0;
    let isDone = false;
    const isOver = (): boolean => isDone;
    void search.then(() => (isDone = true));
    while (!isOver()) {
      most = Math.max(most, memoryOfSearch(workspace));
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    expect(most).toBeLessThan(300);
  });
});

describe('very many searches', () => {
  it('start few programs at once, and end where nobody waits for them', async () => {
    await using workspace = tempWorkspace({ 'a.txt': 'hello\n' });
    workspace.write('b.txt', Buffer.alloc(5_000_000, `${'a'.repeat(99)}\n`));
    const runtime = await workspace.runtime();
    const giveUp = new AbortController();
    const searches = Array.from({ length: 60 }, (_, index) =>
      runtime.call(
        'grep',
        { pattern: `hello|(a|aa)+!${index}$` },
        index < 30 ? {} : { signal: giveUp.signal },
      ),
    );
    let most = 0;
    let isDone = false;
    const isOver = (): boolean => isDone;
    const all = Promise.all(searches).finally(() => (isDone = true));
    setTimeout(() => giveUp.abort(), 100);
    while (!isOver()) {
      most = Math.max(most, programsIn(workspace).length);
      await new Promise(setImmediate);
    }
    expect(most).toBeLessThanOrEqual(4);
    const outcomes = (await all).map(({ outcome }) => outcome);
    expect(outcomes.slice(0, 30)).toEqual(Array.from({ length: 30 }, () => 'ok'));
    expect(outcomes).toContain('cancelled');
  });
});

describe('a search program that is killed', () => {
  it('is no search without hits', async () => {
    await using workspace = tempWorkspace({ 'a.txt': 'hello\n' });
    workspace.write('b.txt', Buffer.alloc(10_000_000, `${'a'.repeat(99)}\n`));
    // Enough to do for long.
    for (let copy = 0; copy < 500; copy++)
      linkSync(join(workspace.root, 'b.txt'), join(workspace.root, `b${copy}.txt`));
    const runtime = await workspace.runtime();
    const search = runtime.call('grep', { pattern: 'hello|(a|aa)+!$' });
    let isKilled = false;
    while (!isKilled) {
      await new Promise((resolve) => setTimeout(resolve, 50));
      for (const pid of programsIn(workspace)) {
        // As the kernel does when memory runs out.
        isKilled = process.kill(Number(pid), 'SIGKILL');
      }
    }
    expect(await search).toMatchObject({ outcome: 'failed' });
  });
});
