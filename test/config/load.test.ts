/** Which settings count: the flag's over the project's over the user's over the default, and none by default. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Mode, Runtime, RuntimeOptions } from '../../src/index.ts';
import { environmentOf, handrail } from '../support/command-line.ts';
import { type TempWorkspace, tempWorkspace } from '../support/temp-workspace.ts';

const WRITE = { path: 'src/a.ts', content: '' };

describe('createRuntime with readConfig', () => {
  it("takes a user's file that is not there for no settings", async () => {
    await using workspace = tempWorkspace();
    expect(await settingsOf(await start(workspace))).toEqual({ dialect: 'handrail', mode: 'ask' });
  });

  it.each([
    ['is empty', '', 'line 1'],
    ['is no JSON', '{ "mode": ', 'line 1'],
    ['has an unknown setting', '{ "moed": "auto" }', 'did you mean "mode"?'],
    ['names an unknown dialect', '{ "dialect": "codr" }', 'There is no dialect "codr"'],
    ['has a rule that can not be used', '{ "rules": [{ "action": "deny" }] }', 'rules.0.permission'],
  ])("does not start where the user's file %s", async (_, text, hint) => {
    await using workspace = tempWorkspace();
    writeUserFile(workspace, text);
    await expect(start(workspace)).rejects.toMatchObject({
      code: 'E_INVALID_ARGS',
      message: expect.stringContaining(hint),
    });
    const ran = await handrail(workspace, ['call', 'list']);
    expect(ran).toEqual({ exitCode: 2, stdout: '', stderr: expect.stringContaining(hint) });
  });

  it("does not start where the user's file is a folder", async () => {
    await using workspace = tempWorkspace();
    mkdirSync(userFile(workspace), { recursive: true });
    await expect(start(workspace)).rejects.toMatchObject({ name: 'Failure' });
  });

  it.each<[string, LayerTexts, { dialect: string; mode: Mode }]>([
    ['the default', {}, { dialect: 'handrail', mode: 'ask' }],
    ["the user's", { user: both('coder', 'auto') }, { dialect: 'coder', mode: 'auto' }],
    ["the project's", { project: both('codelab', 'read-only') }, { dialect: 'codelab', mode: 'read-only' }],
    [
      "the project's over the user's",
      { user: both('coder', 'auto'), project: both('codelab', 'read-only') },
      { dialect: 'codelab', mode: 'read-only' },
    ],
    [
      "each setting's own layer",
      { user: '{ "dialect": "coder", "mode": "auto" }', project: '{ "mode": "reversible" }' },
      { dialect: 'coder', mode: 'reversible' },
    ],
    [
      "the flag's over all",
      {
        user: both('coder', 'auto'),
        project: both('codelab', 'read-only'),
        flags: { dialect: 'handrail', mode: 'ask' },
      },
      { dialect: 'handrail', mode: 'ask' },
    ],
  ])('has %s', async (_, { user, project, flags }, settings) => {
    await using workspace = tempWorkspace();
    if (user !== undefined) writeUserFile(workspace, user);
    if (project !== undefined) await trustedProject(workspace, project);
    expect(await settingsOf(await start(workspace, flags))).toEqual(settings);
  });

  it.each([
    ['an allow of the project over an ask of the user', 'ask', 'allow', 'ok'],
    ['an ask of the project over an allow of the user', 'allow', 'ask', 'denied'],
    ['a deny of the user over an allow of the project', 'deny', 'allow', 'denied'],
    ['a deny of the project over an allow of the user', 'allow', 'deny', 'denied'],
  ])('has %s', async (_, user, project, outcome) => {
    await using workspace = tempWorkspace();
    writeUserFile(workspace, rule(user));
    await trustedProject(workspace, rule(project));
    const runtime = await start(workspace);
    expect(await runtime.call('write', WRITE)).toMatchObject({ outcome });
    expect(runtime.policySummary().layers).toEqual([
      { name: 'defaults', rules: expect.any(Number) },
      { name: 'user', rules: 1 },
      { name: 'project', rules: 1 },
    ]);
  });

  it('leaves out rules that are bound to another workspace', async () => {
    await using workspace = tempWorkspace();
    await using other = tempWorkspace();
    writeUserFile(workspace, rule('allow', { workspace: other.root }));
    expect(await (await start(workspace)).call('write', WRITE)).toMatchObject({ outcome: 'denied' });
    writeUserFile(workspace, rule('allow', { workspace: workspace.root }));
    expect(await (await start(workspace)).call('write', WRITE)).toMatchObject({ outcome: 'ok' });
  });
});

describe('createRuntime without readConfig', () => {
  it('looks at no settings file, not even at a broken one', async () => {
    await using workspace = tempWorkspace();
    await trustedProject(workspace, both('coder', 'auto'));
    writeUserFile(workspace, '{ broken');
    const runtime = await start(workspace, { readConfig: false });
    expect(await settingsOf(runtime)).toEqual({ dialect: 'handrail', mode: 'ask' });
    expect(runtime.projectSettings).toBe('none');
  });
});

interface LayerTexts {
  readonly user?: string;
  readonly project?: string;
  readonly flags?: Partial<RuntimeOptions>;
}

function both(dialect: string, mode: Mode): string {
  return JSON.stringify({ dialect, mode });
}

function rule(action: string, more: object = {}): string {
  return JSON.stringify({ rules: [{ action, permission: 'fs.write', path: 'src/', ...more }] });
}

/** A runtime that reads what the command line reads, and trusts what was trusted there. */
function start(workspace: TempWorkspace, options: Partial<RuntimeOptions> = {}): Promise<Runtime> {
  const environment = environmentOf(workspace);
  const locations = {
    home: workspace.locations.home,
    state: join(environment['XDG_STATE_HOME']!, 'handrail'),
    config: join(environment['XDG_CONFIG_HOME']!, 'handrail'),
  };
  return workspace.runtime({ locations, readConfig: true, ...options });
}

function userFile(workspace: TempWorkspace): string {
  return join(environmentOf(workspace)['XDG_CONFIG_HOME']!, 'handrail/config.jsonc');
}

function writeUserFile(workspace: TempWorkspace, text: string): void {
  mkdirSync(dirname(userFile(workspace)), { recursive: true });
  writeFileSync(userFile(workspace), text);
}

async function trustedProject(workspace: TempWorkspace, text: string): Promise<void> {
  workspace.write('.handrail/config.jsonc', text);
  expect(await handrail(workspace, ['trust', '--yes'])).toMatchObject({ exitCode: 0 });
}

async function settingsOf(runtime: Runtime): Promise<{ dialect: string; mode: Mode }> {
  const { dialect, mode } = await runtime.openSession();
  return { dialect: dialect.name, mode };
}
