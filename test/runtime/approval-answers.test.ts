/** What each answer to a question does, and how far it reaches. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Approver, Rule } from '../../src/index.ts';
import { closedRecords } from '../security/evidence.ts';
import { approver } from '../support/approver.ts';
import { type TempWorkspace, tempWorkspace } from '../support/temp-workspace.ts';

const WRITE = { path: 'a.txt', content: 'new\n' };

describe('the answer once', () => {
  it('counts for the call, and not for the same call again', async () => {
    await using workspace = tempWorkspace();
    const approve = approver('once');
    const runtime = await workspace.runtime({ approve, readConfig: true });
    for (const asked of [1, 2]) {
      expect(await runtime.call('write', WRITE)).toMatchObject({ outcome: 'ok' });
      expect(approve.asked).toHaveLength(asked);
    }
    expect(existsSync(configFile(workspace))).toBe(false);
  });
});

describe('the answer session', () => {
  it('counts for the tool and the place in the session, and for nothing else', async () => {
    await using workspace = tempWorkspace({ 'b.txt': '' });
    const approve = approver('session');
    const runtime = await workspace.runtime({ approve, readConfig: true });
    const session = await runtime.openSession();
    await runtime.call('write', WRITE, { session });
    await runtime.call('write', { ...WRITE, content: 'newer\n' }, { session });
    expect(approve.asked).toHaveLength(1);
    await runtime.call('write', { ...WRITE, path: 'b.txt' }, { session });
    await runtime.call('delete', { path: 'a.txt' }, { session });
    await runtime.call('write', WRITE, { session: await runtime.openSession() });
    expect(approve.asked.map(({ tool, args }) => [tool, args])).toEqual([
      ['write', WRITE],
      ['write', { ...WRITE, path: 'b.txt' }],
      ['delete', { path: 'a.txt' }],
      ['write', WRITE],
    ]);
    expect(existsSync(configFile(workspace))).toBe(false);
  });

  it('is no more than once where the caller itself wants a human to look', async () => {
    await using workspace = tempWorkspace({ 'a.txt': '' });
    const approve = approver('session');
    const runtime = await workspace.runtime({ approve });
    for (const tool_call_id of ['1', '2']) {
      const request = { tool_call_id, name: 'read', args: { path: 'a.txt' }, requires_approval: true };
      expect(await runtime.execute(request)).toMatchObject({ outcome: 'ok' });
    }
    expect(approve.asked.map(({ scope, alwaysRule }) => [scope, alwaysRule])).toEqual([
      ['single_action', undefined],
      ['single_action', undefined],
    ]);
  });
});

describe('the answer deny', () => {
  it('reaches the agent with its reason, changes nothing, and is no answer to the next call', async () => {
    await using workspace = tempWorkspace({ 'a.txt': 'old\n' });
    const approve = approver('deny', 'Keep the old one.');
    const runtime = await workspace.runtime({ approve });
    for (const asked of [1, 2]) {
      expect(await runtime.call('write', WRITE)).toMatchObject({
        outcome: 'denied',
        result: { error: { code: 'E_DENIED', message: 'Keep the old one.' } },
      });
      expect(approve.asked).toHaveLength(asked);
    }
    expect(readFileSync(join(workspace.root, 'a.txt'), 'utf8')).toBe('old\n');
  });
});

describe('the answer edit', () => {
  it('runs with the other arguments and tells the audit of both', async () => {
    await using workspace = tempWorkspace();
    const edited = { path: 'b.txt', content: 'edited\n' };
    const runtime = await workspace.runtime({ approve: edit(edited) });
    expect(await runtime.call('write', WRITE)).toMatchObject({
      outcome: 'ok',
      result: { artifacts: { files_changed: ['b.txt'] } },
    });
    await runtime.flush();
    expect(existsSync(join(workspace.root, 'a.txt'))).toBe(false);
    expect(readFileSync(join(workspace.root, 'b.txt'), 'utf8')).toBe('edited\n');
    expect(closedRecords(workspace.locations.state)).toMatchObject([
      { args: WRITE, edited_args: edited, accesses: [{ resolved: 'b.txt' }, { resolved: 'b.txt' }] },
    ]);
  });

  it.each<[string, unknown, string]>([
    ['to a protected place', { path: '.git/config', content: '' }, 'E_POLICY_DENIED'],
    ["to Handrail's settings", { path: '.handrail/config.jsonc', content: '{}' }, 'E_POLICY_DENIED'],
    ['to what a rule denies', { path: 'secrets/key', content: '' }, 'E_POLICY_DENIED'],
    ['to the outside', { path: '../out/s.txt', content: '' }, 'E_OUTSIDE_WORKSPACE'],
    ['with a wrong type', { path: 7, content: '' }, 'E_INVALID_ARGS'],
    ['with an argument too many', { ...WRITE, mode: 'auto' }, 'E_INVALID_ARGS'],
    ['with one that is missing', { path: 'a.txt' }, 'E_INVALID_ARGS'],
    ['that is no object', null, 'E_INVALID_ARGS'],
  ])('%s is refused like any call', async (_, args, code) => {
    await using workspace = tempWorkspace();
    const rules: Rule[] = [{ action: 'deny', permission: 'fs.write', path: 'secrets/' }];
    const runtime = await workspace.runtime({ approve: edit(args), rules });
    const { result } = await runtime.call('write', WRITE);
    expect(result.error?.code).toBe(code);
    for (const path of ['a.txt', '.git', '.handrail', 'secrets'])
      expect(existsSync(join(workspace.root, path))).toBe(false);
  });

  it('grants nothing for later', async () => {
    await using workspace = tempWorkspace();
    let asked = 0;
    const approve: Approver = async () => {
      asked++;
      return { answer: 'edit', args: { ...WRITE, content: `${asked}\n` } };
    };
    const runtime = await workspace.runtime({ approve });
    await runtime.call('write', WRITE);
    await runtime.call('write', WRITE);
    expect(asked).toBe(2);
  });
});

function edit(args: unknown): Approver {
  return async () => ({ answer: 'edit', args });
}

function configFile({ locations }: TempWorkspace): string {
  return join(locations.config, 'config.jsonc');
}
