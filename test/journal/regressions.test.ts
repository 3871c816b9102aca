/** What went wrong once, and must not again. */
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  closeSync,
  cpSync,
  fstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { localHost } from '../../src/host/local/host.ts';
import { createRuntime, type Runtime } from '../../src/index.ts';
import { RecordedCalls } from '../../src/store/recorded-calls.ts';
import { openStore } from '../../src/store/store.ts';
import { approver } from '../support/approver.ts';
import { tempWorkspace } from '../support/temp-workspace.ts';
import { openAudit } from './fixtures/open-audit.ts';
import { smallDisk } from './fixtures/small-disk.ts';
import {
  chainsOf,
  contentsOf,
  inStore,
  ownedByTheDead,
  startAgain,
  storeOf,
  UNHARMED,
  usedWorkspace,
} from './fixtures/used-state.ts';
import { workingDialect } from './fixtures/working-dialect.ts';

const LONG_LIST = Array.from({ length: 5 }, () => 'y'.repeat(1_990));

describe('AuditLog', () => {
  it('flushes and is disposed again once there is room after a failed flush', async () => {
    await using workspace = tempWorkspace();
    const { root, locations } = workspace;
    using disk = smallDisk(locations.state);
    const runtime = await createRuntime({ workspace: root, locations, approve: approver('once') });
    await runtime.call('list', {});
    await runtime.flush();
    disk.fill();
    // Fits into the last page of the audit file, but not into the store.
    expect((await runtime.call('list', {})).outcome).toBe('ok');
    await runtime.flush().catch(() => {});
    disk.free();
    const ends = { flush: 'done', dispose: 'done' };
    await runtime.flush().catch((error) => (ends.flush = String(error)));
    await (async () => runtime[Symbol.asyncDispose]())().catch((error) => (ends.dispose = String(error)));
    expect(ends).toEqual({ flush: 'done', dispose: 'done' });
    await using audit = openAudit(locations);
    expect((await audit.list({ limit: 10 })).map(({ outcome }) => outcome)).toEqual(['ok', 'ok']);
  });

  it('refuses small changes while the state folder is full, and has all lines once there is room', async () => {
    await using workspace = tempWorkspace();
    const { root, locations } = workspace;
    using disk = smallDisk(locations.state);
    const rules = [{ action: 'allow' as const, permission: ['fs.read' as const, 'fs.write' as const] }];
    const runtime = await createRuntime({ workspace: root, locations, rules });
    await runtime.call('list', {});
    await runtime.flush();
    disk.fill();
    const outcomes: string[] = [];
    for (let index = 0; index < 5; index++) {
      outcomes.push((await runtime.call('write', { path: `f${index}`, content: 'x' })).outcome);
      await runtime.flush().catch(() => {});
    }
    disk.free();
    expect({ outcomes, files: readdirSync(root) }).toEqual({
      outcomes: Array.from({ length: 5 }, () => 'failed'),
      files: [],
    });
    expect((await runtime.call('write', { path: 'f', content: 'x' })).outcome).toBe('ok');
    await runtime[Symbol.asyncDispose]();
    await using audit = openAudit(locations);
    expect(await audit.problems()).toEqual([]);
    const count = async (event: string): Promise<number> =>
      (await audit.lines()).filter((line) => line.event === event).length;
    expect(await count('closed')).toBe(await count('opened'));
  });

  it('writes held-back lines when it is disposed', async () => {
    await using workspace = tempWorkspace();
    const { root, locations } = workspace;
    using disk = smallDisk(locations.state);
    const runtime: Runtime = await createRuntime({
      workspace: root,
      locations,
      approve: approver('once'),
      dialect: 'working',
      dialects: [workingDialect(async () => (await runtime.flush(), disk.fill()))],
    });
    expect((await runtime.call('work', { pad: LONG_LIST })).outcome).toBe('ok');
    disk.free();
    await runtime[Symbol.asyncDispose]();
    await using audit = openAudit(locations);
    expect((await audit.lines()).map(({ event }) => event)).toEqual(['opened', 'decided', 'closed']);
  });
});

describe('recover', () => {
  it('starts where a process died between claiming a chain and making its file', async () => {
    await using workspace = await usedWorkspace();
    inStore(
      workspace.locations,
      `insert into audit_chains values ('chain_without_file', '1:0:an earlier boot', 'open', 0, 0, 'x')`,
    );
    expect(await startAgain(workspace)).toMatchObject({ outcome: 'ok' });
  });

  it('starts where the file of a dead process is missing, and reports that chain', async () => {
    await using workspace = await usedWorkspace();
    const { chain, path } = chainsOf(workspace.locations)[0]!;
    ownedByTheDead(workspace.locations);
    rmSync(path);
    expect(await startAgain(workspace)).toEqual({ ...UNHARMED, damaged: [chain], outcome: 'ok' });
  });

  it('reports a chain as damaged that was left in order and is not as it was', async () => {
    await using workspace = await usedWorkspace();
    const { chain, path } = chainsOf(workspace.locations)[0]!;
    rmSync(path);
    expect(await startAgain(workspace)).toEqual({ ...UNHARMED, damaged: [chain], outcome: 'ok' });
  });

  it('closes interrupted calls also when the store was lost with the process', async () => {
    await using workspace = tempWorkspace();
    const { root, locations } = workspace;
    const asked = Promise.withResolvers<void>();
    const { promise: never } = Promise.withResolvers<never>();
    await using runtime = await createRuntime({
      workspace: root,
      locations,
      approve: () => (asked.resolve(), never),
    });
    void runtime.call('write', { path: 'a.txt', content: 'a' });
    await asked.promise;
    const copy = { ...locations, state: join(workspace.outside, 'state') };
    mkdirSync(copy.state);
    cpSync(join(locations.state, 'audit'), join(copy.state, 'audit'), { recursive: true });
    expect(await startAgain({ root, locations: copy })).toMatchObject({ interrupted: 1 });
  });
});

describe('openStore', () => {
  it('leaves a newer store untouched that is not in WAL mode', async () => {
    await using workspace = await usedWorkspace();
    inStore(workspace.locations, 'pragma journal_mode = delete; pragma user_version = 99');
    const before = contentsOf(workspace.locations.state);
    await expect(startAgain(workspace)).rejects.toMatchObject({ code: 'E_UNSUPPORTED' });
    expect(contentsOf(workspace.locations.state)).toEqual(before);
  });

  it('closes a store that it can not use', async () => {
    await using workspace = await usedWorkspace();
    const store = storeOf(workspace.locations);
    execFileSync('truncate', ['-s', '4096', store]);
    const open = (): number => readdirSync('/proc/self/fd').length;
    const before = open();
    for (let index = 0; index < 20; index++) expect(() => openStore(store)).toThrow('damaged');
    expect(open() - before).toBeLessThan(5);
  });

  it('says that the disk is full when a transaction meets a full disk', async () => {
    await using workspace = tempWorkspace();
    using disk = smallDisk(workspace.locations.state);
    await using store = openStore(join(workspace.locations.state, 's'));
    disk.fill();
    const big = { id: 'x', workspace: '/ws', session: 's', at: 0, body: 'x'.repeat(200_000) };
    const writing = store.database
      .transaction()
      .execute((transaction) => transaction.insertInto('outputs').values(big).execute());
    await expect(writing).rejects.toThrow('The disk is full');
  });
});

describe('Runtime', () => {
  it('closes nobody else’s file when it is disposed twice', async () => {
    await using workspace = tempWorkspace({ 'a.txt': 'a' });
    const { root, locations } = workspace;
    const runtime = await createRuntime({ workspace: root, locations });
    await runtime[Symbol.asyncDispose]();
    const mine = Array.from({ length: 20 }, () => openSync(join(root, 'a.txt'), 'r'));
    await (async () => runtime[Symbol.asyncDispose]())().catch(() => {});
    const lost = mine.filter((fd) => {
      try {
        return !fstatSync(fd).isFile();
      } catch {
        return true;
      }
    });
    for (const fd of mine) if (!lost.includes(fd)) closeSync(fd);
    expect(lost).toEqual([]);
  });

  it('never throws, also for a resumed call whose arguments are no JSON', async () => {
    await using workspace = tempWorkspace();
    const runtime = await workspace.runtime();
    const args: Record<string, unknown> = {};
    args['self'] = args;
    const request = { tool_call_id: 'x', name: 'list', args };
    expect((await runtime.execute(request, { resume: true })).outcome).toBe('failed');
    expect((await runtime.execute({ ...request, args: { big: 1n } }, { resume: true })).outcome).toBe(
      'failed',
    );
  });

  it('tells a resumed call as done that ran, also when its answer can not be kept', async () => {
    await using workspace = tempWorkspace();
    const { root, locations } = workspace;
    using disk = smallDisk(locations.state);
    const runtime: Runtime = await createRuntime({
      workspace: root,
      locations,
      approve: approver('once'),
      dialect: 'working',
      dialects: [workingDialect(async () => (await runtime.flush(), disk.fill()))],
    });
    const request = { tool_call_id: 'x', name: 'work', args: { pad: [] } };
    const { outcome } = await runtime.execute(request, { resume: true });
    disk.free();
    await (async () => runtime[Symbol.asyncDispose]())().catch(() => {});
    expect(outcome).toBe('ok');
  });
});

describe('RecordedCalls', () => {
  it('keeps sessions apart whatever characters ids have', async () => {
    await using workspace = tempWorkspace();
    await using store = openStore(join(workspace.outside, 'store'));
    const clock = { now: () => 0, monotonic: () => 0 };
    const calls = new RecordedCalls<string>({
      database: store.database,
      workspace: '/ws',
      clock,
      isHarmless: () => true,
      isFinal: () => true,
    });
    expect(await calls.once('a b', 'c', {}, async () => 'of session "a b"')).toBe('of session "a b"');
    expect(await calls.once('a', 'b c', {}, async () => 'of session "a"')).toBe('of session "a"');
  });
});

describe('localFiles', () => {
  it('notices a root that was removed and made anew', async () => {
    await using workspace = tempWorkspace({ 'a.txt': 'a' });
    const { files } = localHost(workspace.root, workspace.locations.home).host;
    rmSync(workspace.root, { recursive: true });
    mkdirSync(workspace.root);
    await expect(files.list('.')).rejects.toMatchObject({ code: 'E_IO' });
  });

  it('lists and removes names that are no UTF-8', async () => {
    await using workspace = tempWorkspace({ 'd/a.txt': 'a' });
    execFileSync('sh', ['-c', `touch "$0/d/$(printf 'x\\377')"`, workspace.root]);
    const { files } = localHost(workspace.root, workspace.locations.home).host;
    expect(await files.list('d')).toHaveLength(2);
    expect(await files.remove('d', { mayRemove: () => true })).toEqual({ files: 2 });
  });

  it('does not give the setuid bit of the old content to the new one', async () => {
    await using workspace = tempWorkspace({ program: 'old' });
    chmodSync(join(workspace.root, 'program'), 0o4755);
    const { files } = localHost(workspace.root, workspace.locations.home).host;
    await files.write('program', Buffer.from('new'), { callId: 'call_1' });
    expect(statSync(join(workspace.root, 'program')).mode & 0o7777).toBe(0o755);
    expect(readFileSync(join(workspace.root, 'program'), 'utf8')).toBe('new');
  });
});
