/** A disk that is full, or read-only, under the workspace or under the state folder: told on small disks of their own. */
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync, statfsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { createRuntime, type Runtime, type RuntimeOptions } from '../../src/index.ts';
import { leftOut } from '../host/local/fixtures/left-out.ts';
import { approver } from '../support/approver.ts';
import { type TempWorkspace, tempWorkspace } from '../support/temp-workspace.ts';
import { openAudit } from './fixtures/open-audit.ts';
import { BALLAST, smallDisk, whyNoSmallDisk } from './fixtures/small-disk.ts';
import { workingDialect } from './fixtures/working-dialect.ts';

const whyNot = whyNoSmallDisk();
const NOTHING_RUNS = 'The audit can not be written, so nothing is run.';
/** Arguments and accesses of a call on it make lines longer than a page, which never fit in a last page's rest. */
const LONG_PATH = Array.from({ length: 10 }, () => 'x'.repeat(190)).join('/');
const LONG_TEXT = `${'y'.repeat(1_990)}\n`;
const LONG_LIST = Array.from({ length: 5 }, () => LONG_TEXT);

describe('a workspace on a full disk', () => {
  it('keeps the old content and nothing of the new one', async ({ skip }) => {
    skip(whyNot !== undefined, whyNot);
    await using workspace = tempWorkspace();
    using disk = smallDisk(workspace.root);
    await using runtime = await start(workspace);
    workspace.write('d/a.txt', 'old\n');
    disk.fill();
    for (const path of ['d/a.txt', 'd/new.txt', 'n/e/w.txt']) {
      expect(await told(runtime, 'write', { path, content: 'x'.repeat(100_000) })).toEqual({
        outcome: 'failed',
        code: 'E_IO',
        message: `The disk is full; ${JSON.stringify(path)} was not written.`,
      });
    }
    expect(tree(workspace.root)).toEqual([BALLAST, 'd', 'd/a.txt']);
    expect(readFileSync(join(workspace.root, 'd/a.txt'), 'utf8')).toBe('old\n');
    disk.free();
    expect(await told(runtime, 'write', { path: 'n/e/w.txt', content: 'new\n' })).toEqual({ outcome: 'ok' });
  });

  it('gives back the room that a write took before it met the end', async ({ skip }) => {
    skip(whyNot !== undefined, whyNot);
    await using workspace = tempWorkspace();
    using disk = smallDisk(workspace.root);
    await using runtime = await start(workspace);
    workspace.write('a.txt', 'old\n');
    disk.fill(200_000);
    const room = statfsSync(workspace.root).bfree;
    expect(await told(runtime, 'write', { path: 'a.txt', content: 'x'.repeat(500_000) })).toMatchObject({
      code: 'E_IO',
    });
    expect(statfsSync(workspace.root).bfree).toBe(room);
    expect(await told(runtime, 'write', { path: 'a.txt', content: 'x'.repeat(100_000) })).toEqual({
      outcome: 'ok',
    });
  });

  it('still lets files be read and removed', async ({ skip }) => {
    skip(whyNot !== undefined, whyNot);
    await using workspace = tempWorkspace();
    using disk = smallDisk(workspace.root);
    await using runtime = await start(workspace);
    workspace.write('a.txt', 'old\n');
    disk.fill();
    expect(await told(runtime, 'read', { path: 'a.txt' })).toEqual({ outcome: 'ok' });
    expect(await told(runtime, 'delete', { path: BALLAST })).toEqual({ outcome: 'ok' });
    expect(await told(runtime, 'write', { path: 'a.txt', content: 'new\n' })).toEqual({ outcome: 'ok' });
  });
});

describe('a workspace that turns read-only', () => {
  it('refuses changes, leaves everything as it is, and takes them again afterwards', async ({ skip }) => {
    skip(whyNot !== undefined, whyNot);
    await using workspace = tempWorkspace();
    using disk = smallDisk(workspace.root);
    await using runtime = await start(workspace);
    workspace.write('d/a.txt', 'old\n');
    disk.remount('ro');
    const change = { path: 'd/a.txt', content: 'new\n' };
    for (const [tool, args] of [
      ['write', change],
      ['write', { path: 'n/e/w.txt', content: 'new\n' }],
      ['delete', { path: 'd/a.txt' }],
      ['delete', { path: 'd' }],
    ] as const) {
      expect(await told(runtime, tool, args)).toEqual({
        outcome: 'failed',
        code: 'E_IO',
        message: `${JSON.stringify(args.path)} is on a read-only file system.`,
      });
    }
    expect(await told(runtime, 'read', { path: 'd/a.txt' })).toEqual({ outcome: 'ok' });
    expect([tree(workspace.root), readFileSync(join(workspace.root, 'd/a.txt'), 'utf8')]).toEqual([
      ['d', 'd/a.txt'],
      'old\n',
    ]);
    disk.remount('rw');
    expect(await told(runtime, 'write', change)).toEqual({ outcome: 'ok' });
  });
});

describe('a state folder on a full disk', () => {
  it('runs nothing that it can not write down, and goes on when there is room', async ({ skip }) => {
    skip(whyNot !== undefined, whyNot);
    await using workspace = tempWorkspace({ 'a.txt': 'old\n' });
    using disk = smallDisk(workspace.locations.state);
    await using runtime = await start(workspace);
    await told(runtime, 'list', {});
    await runtime.flush();
    disk.fill();
    const long = { path: LONG_PATH, content: LONG_TEXT };
    for (const args of [long, { ...long, path: 'a.txt', pad: LONG_LIST }]) {
      expect(await told(runtime, 'write', args)).toEqual({
        outcome: 'failed',
        code: 'E_IO',
        message: NOTHING_RUNS,
      });
    }
    expect(tree(workspace.root)).toEqual(['a.txt']);
    expect(await eventsOf(workspace)).toEqual(['opened', 'closed']);
    disk.free();
    expect(await told(runtime, 'write', long)).toEqual({ outcome: 'ok' });
    await runtime.flush();
    expect(await eventsOf(workspace)).toEqual(['opened', 'closed', 'opened', 'decided', 'closed']);
    expect(await outcomesOf(workspace)).toEqual(['ok', 'ok']);
  });

  it('changes nothing when the room ends between the question and the deed', async ({ skip }) => {
    skip(whyNot !== undefined, whyNot);
    await using workspace = tempWorkspace();
    using disk = smallDisk(workspace.locations.state);
    const approve = async (): Promise<{ answer: 'once' }> => {
      await runtime.flush();
      return { answer: 'once' };
    };
    await using runtime = await start(workspace, { approve });
    const unsubscribe = runtime.subscribe(({ type }) => {
      if (type === 'approval-answered') disk.fill();
    });
    const call = { path: LONG_PATH, content: 'new\n' };
    expect(await told(runtime, 'write', call)).toEqual({
      outcome: 'failed',
      code: 'E_IO',
      message: NOTHING_RUNS,
    });
    unsubscribe();
    expect(tree(workspace.root)).toEqual([]);
    disk.free();
    // The end of the first call is written before the next one begins.
    expect(await told(runtime, 'list', {})).toEqual({ outcome: 'ok' });
    await runtime.flush();
    expect(await eventsOf(workspace)).toEqual(['opened', 'closed', 'opened', 'closed']);
    expect(await outcomesOf(workspace)).toEqual(['failed', 'ok']);
  });

  it('answers a call that ran, holds back its last line, and writes it before anything else runs', async ({
    skip,
  }) => {
    skip(whyNot !== undefined, whyNot);
    await using workspace = tempWorkspace();
    using disk = smallDisk(workspace.locations.state);
    const fill = async (): Promise<void> => {
      await runtime.flush();
      disk.fill();
    };
    await using runtime = await start(workspace, { dialects: [workingDialect(fill)], dialect: 'working' });
    expect(await told(runtime, 'work', { pad: LONG_LIST })).toEqual({ outcome: 'ok' });
    expect(await eventsOf(workspace)).toEqual(['opened', 'decided']);
    for (const tool of ['list', 'list'])
      expect(await told(runtime, tool, {})).toMatchObject({ code: 'E_IO', message: NOTHING_RUNS });
    disk.free();
    expect(await told(runtime, 'list', {})).toEqual({ outcome: 'ok' });
    await runtime.flush();
    expect(await eventsOf(workspace)).toEqual(['opened', 'decided', 'closed', 'opened', 'closed']);
    expect(await outcomesOf(workspace)).toEqual(['ok', 'ok']);
  });

  it('lets no runtime start, says so, and starts one when there is room', async ({ skip }) => {
    skip(whyNot !== undefined, whyNot);
    await using workspace = tempWorkspace();
    using disk = smallDisk(workspace.locations.state);
    disk.fill();
    await expect(start(workspace)).rejects.toMatchObject({ name: 'Failure', code: 'E_IO' });
    disk.free();
    await using runtime = await start(workspace);
    expect(await told(runtime, 'write', { path: 'a.txt', content: 'a\n' })).toEqual({ outcome: 'ok' });
    await runtime.flush();
    expect(await outcomesOf(workspace)).toEqual(['ok']);
  });
});

describe('files that may not grow', () => {
  it('fail as on a full disk, and the audit loses no line', async ({ skip }) => {
    await using workspace = tempWorkspace();
    const program = fileURLToPath(new URL('fixtures/work-under-limit.ts', import.meta.url));
    const args = [
      '--fsize=1048576:unlimited',
      process.execPath,
      program,
      workspace.root,
      JSON.stringify(workspace.locations),
    ];
    const child = await promisify(execFile)('prlimit', args).catch((error: Error & { code?: unknown }) => {
      if (error.code !== 'ENOENT') throw error;
      return skip(leftOut('there is no prlimit'));
    });
    expect(JSON.parse(child.stdout)).toEqual({
      small: 'ok',
      'too large': 'E_IO',
      'too large and new': 'E_IO',
      'first long line': 'E_INVALID_ARGS',
      'second long line': 'E_INVALID_ARGS',
      'third long line': 'E_INVALID_ARGS',
      'audit full': 'E_IO',
      'audit full, reading': 'E_IO',
      'room again': 'ok',
    });
    expect(tree(workspace.root)).toEqual(['a.txt', 'b.txt']);
    expect(readFileSync(join(workspace.root, 'a.txt'), 'utf8')).toBe('small\n');
    expect(await outcomesOf(workspace)).toEqual(['ok', ...Array.from({ length: 5 }, () => 'failed'), 'ok']);
  });
});

function start({ root, locations }: TempWorkspace, options: Partial<RuntimeOptions> = {}): Promise<Runtime> {
  return createRuntime({ workspace: root, locations, approve: approver('once'), ...options });
}

async function told(runtime: Runtime, tool: string, args: object): Promise<object> {
  const { outcome, result } = await runtime.call(tool, args);
  return result.error === null
    ? { outcome }
    : { outcome, code: result.error.code, message: result.error.message };
}

function tree(root: string): string[] {
  return (readdirSync(root, { recursive: true }) as string[]).sort();
}

/** The audit as it stands in its files, which verify. */
async function eventsOf({ locations }: TempWorkspace): Promise<string[]> {
  await using audit = openAudit(locations);
  expect(await audit.problems()).toEqual([]);
  return (await audit.lines()).map(({ event }) => event);
}

/** The outcomes in the audit's index, in the order in which the calls were opened. */
async function outcomesOf({ locations }: TempWorkspace): Promise<unknown[]> {
  await using audit = openAudit(locations);
  expect(await audit.problems()).toEqual([]);
  const outcomes = new Map(
    (await audit.list({ limit: 100 })).map(({ call_id, outcome }) => [call_id, outcome]),
  );
  return (await audit.lines()).flatMap((line) =>
    line.event === 'opened' ? [outcomes.get(line.call_id)] : [],
  );
}
