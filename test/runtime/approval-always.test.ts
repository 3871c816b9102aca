/** The answer that holds from now on: the rule it writes, how far that reaches, and where it is not offered. */
import {
  existsSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseConfig } from '../../src/config/parse.ts';
import { CONFIG_TEMPLATE } from '../../src/config/template.ts';
import { trust, trustContent } from '../../src/config/trust.ts';
import { localHost } from '../../src/host/local/host.ts';
import { type Approver, createRuntime, type Rule, type RuntimeOptions } from '../../src/index.ts';
import { openState } from '../../src/open-state.ts';
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
    'two\\\\slashes',
    'end\\',
    '!not',
    '**',
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

  it('counts for a path of any length, and does not stop the next start', async () => {
    await using workspace = tempWorkspace();
    const path = Array.from({ length: 6 }, () => 'd'.repeat(200)).join('/');
    const first = await workspace.runtime({ approve: approver('always'), readConfig: true });
    await first.call('write', { ...WRITE, path });
    const next = await workspace.runtime({ readConfig: true });
    expect(await next.call('write', { path, content: 'newer\n' })).toMatchObject({ outcome: 'ok' });
  });

  it('is written behind a link, which stays, and the file keeps its mode', async () => {
    await using workspace = tempWorkspace();
    const target = join(workspace.outside, 'dotfile');
    writeFileSync(target, OWN_SETTINGS, { mode: 0o640 });
    mkdirSync(workspace.locations.config);
    symlinkSync(target, configFile(workspace));
    const runtime = await workspace.runtime({ approve: approver('always'), readConfig: true });
    await runtime.call('write', WRITE);
    expect(readlinkSync(configFile(workspace))).toBe(target);
    expect(readFileSync(target, 'utf8')).toContain('"/a.txt"');
    expect(statSync(target).mode & 0o777).toBe(0o640);
  });

  it('writes the rule that was shown, whatever who answers does to the question', async () => {
    await using workspace = tempWorkspace();
    const approve: Approver = async ({ alwaysRule }) => {
      Object.assign(alwaysRule!, { permission: '*', exact: undefined });
      (alwaysRule!.path as string[]).push('**');
      return { answer: 'always' };
    };
    const runtime = await workspace.runtime({ approve, readConfig: true });
    await runtime.call('write', WRITE);
    expect(parseConfig(readFileSync(configFile(workspace), 'utf8'), 'it')).toMatchObject({
      rules: [{ permission: ['fs.read', 'fs.write'], path: ['/a.txt'], exact: true }],
    });
  });

  it.each([
    ['is broken', '{ "mode": ', 'line 1'],
    ['is empty', '', 'line 1'],
    ['has an unknown setting', '{ "moed": "ask" }', 'did you mean "mode"?'],
  ])(
    'counts for the session where the file %s by the time of the answer, and says so',
    async (_, text, why) => {
      await using workspace = tempWorkspace();
      let asked = 0;
      const approve: Approver = async ({ alwaysRule }) => {
        expect(alwaysRule).toBeDefined();
        asked++;
        writeConfig(workspace, text);
        return { answer: 'always' };
      };
      const runtime = await workspace.runtime({ approve, readConfig: true });
      const said: unknown[] = [];
      runtime.subscribe((event) => event.type === 'approval-answered' && said.push(event.notRemembered));
      for (const _call of [1, 2]) expect(await runtime.call('write', WRITE)).toMatchObject({ outcome: 'ok' });
      expect(readFileSync(configFile(workspace), 'utf8')).toBe(text);
      expect({ asked, said }).toEqual({ asked: 1, said: [expect.stringContaining(why)] });
    },
  );
});

describe('the offer of always', () => {
  it.each<[string, Partial<RuntimeOptions>, (workspace: TempWorkspace) => void]>([
    ['settings files do not count', { readConfig: false }, () => undefined],
    ["the user's file broke meanwhile", {}, (workspace) => writeConfig(workspace, '{ "mode": ')],
    ['the folder of it can not be made', {}, ({ locations }) => writeFileSync(locations.config, '')],
    [
      'the file is a link that leads nowhere by now',
      {},
      (workspace) => {
        mkdirSync(workspace.locations.config);
        symlinkSync('gone', configFile(workspace));
      },
    ],
    ['a rule of the caller asks', { rules: [{ action: 'ask', permission: 'fs.write' }] }, () => undefined],
  ])('is not made where %s; the answer then counts for the session', async (_, options, change) => {
    await using workspace = tempWorkspace();
    const approve = approver('always');
    const runtime = await workspace.runtime({ approve, readConfig: true, ...options });
    change(workspace);
    for (const _call of [1, 2]) expect(await runtime.call('write', WRITE)).toMatchObject({ outcome: 'ok' });
    expect(approve.asked.map(({ alwaysRule }) => alwaysRule)).toEqual([undefined]);
  });

  it('is not made where a rule of the workspace asks, and is where it is a rule of the user', async () => {
    const asks = '{ "rules": [{ "action": "ask", "permission": "fs.write" }] }';
    await using workspace = tempWorkspace({ '.handrail/config.jsonc': asks });
    const options = { readConfig: true, approve: approver('deny') };
    const untrusted = await workspace.runtime(options);
    await untrusted.call('write', WRITE);
    await trustIn(workspace);
    const trusted = await workspace.runtime(options);
    await trusted.call('write', WRITE);
    writeConfig(workspace, asks);
    await using other = tempWorkspace();
    const elsewhere = await other.runtime({ ...options, locations: workspace.locations });
    await elsewhere.call('write', WRITE);
    expect(options.approve.asked.map(({ alwaysRule }) => alwaysRule !== undefined)).toEqual([
      true,
      false,
      true,
    ]);
  });

  it('is not made for a floor, and no rule is written there', async () => {
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

function configFile({ locations }: TempWorkspace): string {
  return join(locations.config, 'config.jsonc');
}

function writeConfig(workspace: TempWorkspace, text: string): void {
  mkdirSync(workspace.locations.config, { recursive: true });
  writeFileSync(configFile(workspace), text);
}

async function trustIn({ root, locations }: TempWorkspace): Promise<void> {
  await using state = openState(locations);
  const { host } = localHost(root, locations.home);
  using _host = host;
  await trust(state.store.database, host.clock, root, (await trustContent(host.files))!);
}

function commentsIn(text: string): string[] {
  return text.match(/\/\/.*$|\/\*.*\*\//gm) ?? [];
}
