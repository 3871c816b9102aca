/** Holes that were there once. */
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, statSync, symlinkSync, truncateSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import type { Rule } from '../../src/index.ts';
import { foldPath } from '../../src/policy/fold.ts';
import { approver } from '../support/approver.ts';
import { environmentOf, handrail } from '../support/command-line.ts';
import { tempWorkspace } from '../support/temp-workspace.ts';
import { filesHolding } from './evidence.ts';

const CANARY = 'Canary7f3a91c2e4b8d0556Z';
const TOKEN = `ghp_${CANARY}`;
const DENY: Rule[] = [{ action: 'deny', permission: 'fs.read', path: 'secrets/' }];
const ALLOW: Rule[] = [{ action: 'allow', permission: '*' }];

it.each(['secrets/a\nb', 'x\ny/secrets/a', 'secrets/a\u2028b', 'secrets/a\rb'])(
  'a deny holds for %j',
  async (path) => {
    await using workspace = tempWorkspace({ [path]: 'hidden' });
    const runtime = await workspace.runtime({ rules: DENY });
    expect((await runtime.call('read', { path })).outcome).toBe('denied');
  },
);

it.each([
  '\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645.txt',
  '\u2764\ufe0f.txt',
  '\u{1f468}\u200d\u{1f469}.txt',
])('a deny on %j holds for that very name', async (path) => {
  await using workspace = tempWorkspace({ [path]: 'hidden' });
  const runtime = await workspace.runtime({ rules: [{ action: 'deny', permission: 'fs.read', path }] });
  expect((await runtime.call('read', { path })).outcome).toBe('denied');
});

it.each([
  ['through a link', (root: string) => join(dirname(root), 'alias/.st')],
  ['with a slash at its end', (root: string) => `${root}/.st/`],
  ['with a dot in it', (root: string) => `${root}/./.st`],
])('a state folder that is written %s is out of reach', async (_how, spell) => {
  await using workspace = tempWorkspace({ 'a.txt': '' });
  symlinkSync(workspace.root, join(dirname(workspace.root), 'alias'));
  const locations = { ...workspace.locations, state: spell(workspace.root) };
  const runtime = await workspace.runtime({ locations, rules: ALLOW });
  const [chain] = readdirSync(join(workspace.root, '.st/audit'));
  expect((await runtime.call('read', { path: `.st/audit/${chain}` })).outcome).toBe('denied');
});

it('a secret in a path is masked in the audit', async () => {
  await using workspace = tempWorkspace();
  const runtime = await workspace.runtime();
  await runtime.call('read', { path: `logs/${TOKEN}.txt` });
  await runtime.flush();
  expect(filesHolding(workspace.locations.state, CANARY)).toEqual([]);
});

it.each([{ version: TOKEN }, { trace_id: TOKEN }, { tool_call_id: TOKEN }])(
  'a secret in %j is masked',
  async (part) => {
    await using workspace = tempWorkspace();
    const runtime = await workspace.runtime();
    await runtime.execute({ tool_call_id: '1', name: 'read', args: { path: 'a' }, ...part });
    await runtime.flush();
    expect(filesHolding(workspace.locations.state, CANARY)).toEqual([]);
  },
);

it.each([0, 200])('a secret is masked before a name is cut (padded to %i)', async (length) => {
  await using workspace = tempWorkspace();
  const runtime = await workspace.runtime();
  const url = `https://deploy:${CANARY}`;
  await runtime.call(`${'x'.repeat(Math.max(0, length - url.length))}${url}@git.example/x`, {});
  await runtime.flush();
  expect(filesHolding(workspace.locations.state, CANARY)).toEqual([]);
});

it('a question that ended is not kept with the secrets it showed', async () => {
  await using workspace = tempWorkspace();
  const runtime = await workspace.runtime({ approve: approver('once') });
  await runtime.call('write', {
    path: '.npmrc',
    content: `password: ${CANARY}\nAuthorization: Bearer ${CANARY}\n`,
  });
  await runtime[Symbol.asyncDispose]();
  expect(filesHolding(workspace.locations.state, CANARY)).toEqual([]);
});

it('a floor of the user is one', async () => {
  await using workspace = tempWorkspace();
  const rules: Rule[] = [
    { action: 'ask', permission: 'fs.write', floor: true },
    { action: 'allow', permission: 'fs.write' },
  ];
  const runtime = await workspace.runtime({ rules, approve: approver('deny') });
  expect((await runtime.call('write', { path: 'a', content: '' })).outcome).toBe('denied');
});

it('a pipe in the audit folder does not hang the start', async () => {
  await using workspace = tempWorkspace();
  const env = environmentOf(workspace);
  const audit = join(env['XDG_STATE_HOME']!, 'handrail/audit');
  mkdirSync(audit, { recursive: true, mode: 0o700 });
  spawnSync('mkfifo', [join(audit, 'chain_x.jsonl')]);
  const script = `${import.meta.dirname}/../../bin/handrail.js`;
  const { error } = spawnSync(process.execPath, [script, 'call', 'list'], {
    cwd: workspace.root,
    env,
    timeout: 5_000,
  });
  expect(error).toBeUndefined();
});

it('many wrong arguments make a short message', async () => {
  await using workspace = tempWorkspace();
  const runtime = await workspace.runtime();
  const args = Object.fromEntries(Array.from({ length: 50_000 }, (_, index) => [`o${index}`, 1]));
  const { result } = await runtime.call('read', { path: 'a', ...args });
  expect(result.error?.message.length).toBeLessThan(10_000);
});

it('a file of 3 GB is replaced, or refused with a reason', async () => {
  await using workspace = tempWorkspace({ sparse: '' });
  truncateSync(join(workspace.root, 'sparse'), 3e9);
  const runtime = await workspace.runtime({ rules: ALLOW });
  expect((await runtime.call('write', { path: 'sparse', content: 'x' })).result.error?.code).not.toBe(
    'E_INTERNAL',
  );
});

it('a runtime can be disposed twice', async () => {
  await using workspace = tempWorkspace();
  const runtime = await workspace.runtime();
  await runtime[Symbol.asyncDispose]();
  await expect(runtime[Symbol.asyncDispose]()).resolves.toBeUndefined();
});

it('audit show escapes what steers a terminal', async () => {
  await using workspace = tempWorkspace();
  await handrail(workspace, ['call', '--', '\u009b2J\u202egnp']);
  const { stdout } = await handrail(workspace, ['audit', 'list', '--json']);
  const [{ call_id }] = JSON.parse(stdout) as [{ call_id: string }];
  expect((await handrail(workspace, ['audit', 'show', call_id])).stdout).not.toMatch(
    /[\u0080-\u009f\u2028-\u202e]/,
  );
});

it.each(['CON/x.txt', 'a/aux/b', 'COM\u00b9'])('%s is a Windows device', async (path) => {
  await using workspace = tempWorkspace();
  const runtime = await workspace.runtime({ rules: ALLOW });
  expect((await runtime.call('write', { path, content: '' })).result.error?.code).toBe('E_INVALID_PATH');
});

it('new content does not inherit setuid', async () => {
  await using workspace = tempWorkspace({ program: 'old' });
  chmodSync(join(workspace.root, 'program'), 0o4755);
  const runtime = await workspace.runtime({ rules: ALLOW });
  await runtime.call('write', { path: 'program', content: 'new' });
  expect(statSync(join(workspace.root, 'program')).mode & 0o6000).toBe(0);
});

it.each(['.\u00dfh'])('%j folds to .ssh', (name) => {
  expect(foldPath(name)).toBe('.ssh');
});

it('deleting a tree keeps nothing of what must not be deleted, nor of a huge file', async () => {
  await using workspace = tempWorkspace({ 'tree/a.txt': 'a', 'tree/.ssh/id': CANARY });
  const runtime = await workspace.runtime({ rules: ALLOW });
  expect((await runtime.call('delete', { path: 'tree' })).outcome).toBe('denied');
  await runtime.flush();
  const { stdout } = spawnSync('grep', ['-rl', CANARY, workspace.locations.state], { encoding: 'utf8' });
  expect(stdout).toBe('');
});
