/** What each answer to a question does, and how far it reaches. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseConfig } from '../../src/config/parse.ts';
import { CONFIG_TEMPLATE } from '../../src/config/template.ts';
import { type Approver, createRuntime, type Rule } from '../../src/index.ts';
import { closedRecords } from '../security/evidence.ts';
import { approver } from '../support/approver.ts';
import { type TempWorkspace, tempWorkspace } from '../support/temp-workspace.ts';

const WRITE = { path: 'a.txt', content: 'new\n' };
const OWN_SETTINGS = `// Mine.
{
  // Why: because.
  "mode": "ask",
  "rules": [
    // The first one.
    { "action": "deny", "permission": "fs.write", "path": "secrets/" },
  ],
  /* The end. */
}
`;

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

describe('the answer always', () => {
  it("writes the narrowest rule into the user's file, which was not there", async () => {
    await using workspace = tempWorkspace();
    const approve = approver('always');
    const runtime = await workspace.runtime({ approve, readConfig: true });
    await runtime.call('write', WRITE);
    const rule = {
      action: 'allow',
      permission: ['fs.read', 'fs.write'],
      path: ['/a.txt'],
      exact: true,
      tool: ['write'],
      workspace: workspace.root,
    };
    expect(approve.asked[0]?.alwaysRule).toEqual(rule);
    const text = readFileSync(configFile(workspace), 'utf8');
    expect(parseConfig(text, 'it')).toEqual({ rules: [rule] });
    expect(commentsIn(text)).toEqual(commentsIn(CONFIG_TEMPLATE));
  });

  it('keeps what stands in the file, and its comments', async () => {
    await using workspace = tempWorkspace();
    writeConfig(workspace, OWN_SETTINGS);
    const runtime = await workspace.runtime({ approve: approver('always'), readConfig: true });
    await runtime.call('write', WRITE);
    await runtime.call('delete', { path: 'a.txt' });
    const text = readFileSync(configFile(workspace), 'utf8');
    expect(commentsIn(text)).toEqual(commentsIn(OWN_SETTINGS));
    expect(parseConfig(text, 'it')).toEqual({
      mode: 'ask',
      rules: [
        { action: 'deny', permission: 'fs.write', path: 'secrets/' },
        expect.objectContaining({ action: 'allow', path: ['/a.txt'], tool: ['write'] }),
        expect.objectContaining({ action: 'allow', permission: ['fs.delete'], tool: ['delete'] }),
      ],
    });
  });

  it('counts at once and in the next process, for this workspace, tool and path alone', async () => {
    await using workspace = tempWorkspace();
    await using other = tempWorkspace();
    const first = await workspace.runtime({ approve: approver('always'), readConfig: true });
    await first.call('write', WRITE);
    await first[Symbol.asyncDispose]();

    const approve = approver('deny');
    const next = await workspace.runtime({ approve, readConfig: true });
    expect(await next.call('write', { ...WRITE, content: 'newer\n' })).toMatchObject({ outcome: 'ok' });
    expect(approve.asked).toEqual([]);
    for (const path of ['a.txt2', 'b.txt', 'd/a.txt', 'A.txt'])
      expect(await next.call('write', { ...WRITE, path })).toMatchObject({ outcome: 'denied' });
    expect(await next.call('delete', { path: 'a.txt' })).toMatchObject({ outcome: 'denied' });
    const elsewhere = await other.runtime({ approve, readConfig: true, locations: workspace.locations });
    expect(await elsewhere.call('write', WRITE)).toMatchObject({ outcome: 'denied' });
    expect(approve.asked).toHaveLength(6);
  });

  it.each([
    '[id].ts',
    '*.txt',
    'a{b,c}',
    '!(x)',
    'what?',
    'back\\slash',
    "it's",
    'a b',
    'cost$',
    '+(a)',
    '"q"',
  ])('means the very name %j', async (path) => {
    await using workspace = tempWorkspace();
    const first = await workspace.runtime({ approve: approver('always'), readConfig: true });
    await first.call('write', { path, content: '' });
    const approve = approver('deny');
    const next = await workspace.runtime({ approve, readConfig: true });
    expect(await next.call('write', { path, content: 'x' })).toMatchObject({ outcome: 'ok' });
    for (const similar of ['i.ts', 'a.txt', 'ab', 'y', 'whats', 'backslash', 'its', 'cost', 'a', 'q'])
      expect(await next.call('write', { path: similar, content: '' })).toMatchObject({ outcome: 'denied' });
  });

  it('counts for the session and writes nothing where settings files do not count', async () => {
    await using workspace = tempWorkspace();
    writeConfig(workspace, OWN_SETTINGS);
    const approve = approver('always');
    const runtime = await workspace.runtime({ approve });
    await runtime.call('write', WRITE);
    await runtime.call('write', WRITE);
    expect(approve.asked).toHaveLength(1);
    expect(readFileSync(configFile(workspace), 'utf8')).toBe(OWN_SETTINGS);
  });

  it('is not offered for a floor, and writes no rule there', async () => {
    await using workspace = tempWorkspace();
    const rules: Rule[] = [{ action: 'ask', permission: 'fs.write', floor: true }];
    const approve = approver('always');
    const options = { approve, rules, readConfig: true, workspace: workspace.root };
    for (const asked of [1, 2]) {
      await using runtime = await createRuntime({ ...options, locations: workspace.locations });
      expect(await runtime.call('write', WRITE)).toMatchObject({ outcome: 'ok' });
      expect(approve.asked.map(({ scope, alwaysRule }) => [scope, alwaysRule])).toEqual(
        Array.from({ length: asked }, () => ['session', undefined]),
      );
    }
    expect(existsSync(configFile(workspace))).toBe(false);
  });
});

function edit(args: unknown): Approver {
  return async () => ({ answer: 'edit', args });
}

function configFile({ locations }: TempWorkspace): string {
  return join(locations.config, 'config.jsonc');
}

function writeConfig(workspace: TempWorkspace, text: string): void {
  mkdirSync(workspace.locations.config);
  writeFileSync(configFile(workspace), text);
}

function commentsIn(text: string): string[] {
  return text.match(/\/\/.*$|\/\*.*\*\//gm) ?? [];
}
