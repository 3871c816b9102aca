/** What keeps holding while other programs change the workspace: a folder swapped for a link, a root that goes away. */
import { once } from 'node:events';
import { spawn } from 'node:child_process';
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Failure } from '../../../src/failure.ts';
import { localHost } from '../../../src/host/local/host.ts';
import type { Files } from '../../../src/host/ports.ts';
import { OUTSIDE_SECRET, type TempWorkspace, tempWorkspace } from '../../support/temp-workspace.ts';
import { filesOf, readText } from './fixtures/workspace-files.ts';

const ROUNDS = 500;

describe('localFiles beside a program that swaps a folder for a link to the outside', () => {
  it('reads, writes and removes nothing outside, whatever moment it looks', async () => {
    await using workspace = tempWorkspace({ 'd/s.txt': 'inside\n' });
    const { root, outside } = workspace;
    const files = filesOf(workspace);
    await using _swapping = await swapping(join(root, 'd'), outside);
    const seen = new Set<string>();
    for (let round = 0; round < ROUNDS; round++) {
      for (const [name, act] of Object.entries(ACTS)) seen.add(`${name}: ${await ending(() => act(files))}`);
    }
    expect([...seen].filter((line) => line.includes(OUTSIDE_SECRET) || line.includes('Error'))).toEqual([]);
    // The folder was one at times and a link at others, or this would prove nothing.
    expect([...seen]).toEqual(expect.arrayContaining(['read: inside\n', 'read: E_NOT_DIR']));
    expect(readdirSync(outside)).toEqual(['s.txt']);
    expect(readFileSync(join(outside, 's.txt'), 'utf8')).toBe(OUTSIDE_SECRET);
  });
});

describe('the root of localFiles', () => {
  it('is noticed to be gone, and is used again once it is back', async () => {
    await using workspace = tempWorkspace({ 'a.txt': 'a' });
    const files = filesOf(workspace);
    renameSync(workspace.root, `${workspace.root}-away`);
    await expectAllToFail(files, {
      code: 'E_IO',
      message: `The workspace ${JSON.stringify(workspace.root)} is gone.`,
    });
    renameSync(`${workspace.root}-away`, workspace.root);
    expect(await readText(files, 'a.txt')).toBe('a');
  });

  it('is not mistaken for another folder that took its name', async () => {
    await using workspace = tempWorkspace({ 'a.txt': 'a' });
    const files = filesOf(workspace);
    renameSync(workspace.root, `${workspace.root}-away`);
    mkdirSync(workspace.root);
    workspace.write('a.txt', 'of another folder');
    const message = `The workspace ${JSON.stringify(workspace.root)} was replaced by another folder.`;
    await expectAllToFail(files, { code: 'E_IO', message });
    expect(treeOf(workspace)).toEqual({ 'a.txt': 'of another folder' });
  });

  it('is not followed when it became a link, nor used when it became a file', async () => {
    await using workspace = tempWorkspace({ 'a.txt': 'a' });
    const files = filesOf(workspace);
    renameSync(workspace.root, `${workspace.root}-away`);
    symlinkSync(workspace.outside, workspace.root);
    await expectAllToFail(files, { name: 'Failure' });
    expect(readdirSync(workspace.outside)).toEqual(['s.txt']);
    rmSync(workspace.root);
    writeFileSync(workspace.root, '');
    await expectAllToFail(files, { name: 'Failure' });
  });

  it('can go away in the middle of an open file, which stays readable', async () => {
    await using workspace = tempWorkspace({ 'a.txt': 'a' });
    await using file = await filesOf(workspace).open('a.txt');
    rmSync(workspace.root, { recursive: true });
    expect(Buffer.from(await file.read(0, 10)).toString()).toBe('a');
  });
});

describe('localHost', () => {
  it('refuses roots that can not be a workspace', async () => {
    await using workspace = tempWorkspace({ 'a.txt': 'a' });
    const { root, locations } = workspace;
    symlinkSync('/', join(root, 'to-slash'));
    symlinkSync(locations.home, join(root, 'to-home'));
    mkdirSync(join(locations.home, 'project'));
    const codes = Object.fromEntries(
      [
        '/',
        '/proc',
        '/proc/self',
        '/sys',
        '/dev/shm',
        locations.home,
        join(root, '..'),
        join(root, 'to-slash'),
        join(root, 'to-home'),
      ]
        .concat(join(root, 'a.txt'), join(root, 'missing'), join(locations.home, 'project'), root)
        .map((given) => [given, refusalOf(() => localHost(given, locations.home))]),
    );
    expect(codes).toEqual({
      '/': 'E_UNSUPPORTED',
      '/proc': 'E_UNSUPPORTED',
      '/proc/self': 'E_UNSUPPORTED',
      '/sys': 'E_UNSUPPORTED',
      '/dev/shm': 'E_UNSUPPORTED',
      [locations.home]: 'E_UNSUPPORTED',
      [join(root, '..')]: 'E_UNSUPPORTED',
      [join(root, 'to-slash')]: 'E_UNSUPPORTED',
      [join(root, 'to-home')]: 'E_UNSUPPORTED',
      [join(root, 'a.txt')]: 'E_NOT_DIR',
      [join(root, 'missing')]: 'E_NOT_FOUND',
      [join(locations.home, 'project')]: undefined,
      [root]: undefined,
    });
  });
});

const ACTS: Record<string, (files: Files) => Promise<unknown>> = {
  read: (files) => readText(files, 'd/s.txt'),
  write: (files) => files.write('d/s.txt', Buffer.from('inside\n'), { callId: 'call_swap' }),
  'write below': (files) => files.write('d/new/n.txt', Buffer.from('new\n'), { callId: 'call_swap' }),
  remove: (files) => files.remove('d/new', { mayRemove: () => true }),
  list: (files) => files.list('d'),
  sweep: (files) => files.sweep('d/s.txt', 'call_swap'),
};

/** What an act gave, the code of its failure, or an error that is none. */
async function ending(act: () => Promise<unknown>): Promise<string> {
  try {
    return String(await act());
  } catch (error) {
    return error instanceof Failure ? error.code : `Error ${String(error)}`;
  }
}

/** A process that turns a folder into a link and back for as long as it lives; its first turn is done. */
async function swapping(folder: string, target: string): Promise<AsyncDisposable> {
  const program = `
    const { renameSync, rmSync, symlinkSync, unlinkSync } = require('node:fs');
    const [folder, target] = process.argv.slice(1);
    const kept = folder + '-kept';
    const attempt = (act) => { try { act(); } catch {} };
    for (let turn = 0; ; turn++) {
      attempt(() => renameSync(folder, kept));
      attempt(() => symlinkSync(target, folder));
      if (turn === 0) process.stdout.write('.');
      attempt(() => unlinkSync(folder));
      attempt(() => renameSync(kept, folder));
      // A write made the folder anew in between: then that one is the folder from now on.
      attempt(() => rmSync(kept, { recursive: true, force: true }));
    }`;
  const child = spawn(process.execPath, ['-e', program, '--', folder, target], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(child.stdout, 'data');
  return {
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL');
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    },
  };
}

async function expectAllToFail(files: Files, failure: object): Promise<void> {
  for (const act of [
    () => files.resolve('a.txt', { followLast: true }),
    () => files.open('a.txt'),
    () => files.stat('.'),
    () => files.list('.'),
    () => files.write('a.txt', Buffer.from('x'), { callId: 'call_1' }),
    () => files.write('new/b.txt', Buffer.from('x'), { callId: 'call_1' }),
    () => files.remove('a.txt', { mayRemove: () => true }),
    () => files.count('a.txt'),
    () => files.sweep('a.txt', 'call_1'),
  ]) {
    await expect(act()).rejects.toMatchObject(failure);
  }
}

function treeOf({ root }: TempWorkspace): Record<string, string> {
  return Object.fromEntries(readdirSync(root).map((name) => [name, readFileSync(join(root, name), 'utf8')]));
}

function refusalOf(act: () => unknown): string | undefined {
  try {
    act();
    return undefined;
  } catch (error) {
    if (error instanceof Failure) return error.code;
    throw error;
  }
}
