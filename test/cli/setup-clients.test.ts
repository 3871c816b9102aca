/** What a setup makes of each client's settings, in the workspace and of the user, and that all of it can be taken back. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type ClientName, clients } from '../../src/cli/setup/clients.ts';
import { treeOf } from '../journal/fixtures/tree.ts';
import { environmentOf, handrail, LAUNCHER } from '../support/command-line.ts';
import { type TempWorkspace, tempWorkspace } from '../support/temp-workspace.ts';
import { CASES, type Files } from './fixtures/setup-cases.ts';

const names = Object.keys(clients) as ClientName[];

function pathOf(workspace: TempWorkspace, name: string): string {
  if (name.startsWith('~/')) return join(workspace.locations.home, name.slice(2));
  if (name.startsWith('$/')) return join(environmentOf(workspace)['XDG_CONFIG_HOME']!, name.slice(2));
  return join(workspace.root, name);
}

function put(workspace: TempWorkspace, files: Files): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(pathOf(workspace, name)), { recursive: true });
    writeFileSync(pathOf(workspace, name), text);
  }
}

function texts(workspace: TempWorkspace, files: Files): Files {
  return Object.fromEntries(
    Object.keys(files).map((name) => [name, readFileSync(pathOf(workspace, name), 'utf8')]),
  );
}

function filledIn(workspace: TempWorkspace, files: Files): Files {
  const fill = (text: string): string =>
    text
      .replaceAll('NODE', process.execPath)
      .replaceAll('SCRIPT', LAUNCHER)
      .replaceAll('ROOT', workspace.root);
  return Object.fromEntries(Object.entries(files).map(([name, text]) => [name, fill(text)]));
}

describe('handrail setup', () => {
  it.each(names)(
    '%s: writes what it takes in the workspace, once, and takes it back to the byte',
    async (name) => {
      await using workspace = tempWorkspace();
      const { before, after } = CASES[name];
      put(workspace, before);
      const tree = treeOf(workspace.root);
      expect(await handrail(workspace, ['setup', name, '--yes'])).toMatchObject({ exitCode: 0 });
      expect(texts(workspace, after)).toEqual(filledIn(workspace, after));
      const written = treeOf(workspace.root);
      expect(Object.keys(written).filter((path) => !(path in tree))).toEqual(
        expect.arrayContaining(Object.keys(after).filter((path) => !(path in before))),
      );
      expect(await handrail(workspace, ['setup', name, '--yes'])).toMatchObject({ exitCode: 0, stdout: '' });
      expect(treeOf(workspace.root)).toEqual(written);
      expect(await handrail(workspace, ['setup', name, '--remove', '--yes'])).toMatchObject({ exitCode: 0 });
      expect(treeOf(workspace.root)).toEqual(tree);
      expect(treeOf(workspace.locations.home)).toEqual({});
    },
  );

  it.each(names)("%s: writes the user's own settings with --user, and takes them back", async (name) => {
    await using workspace = tempWorkspace();
    const { user } = CASES[name];
    expect(await handrail(workspace, ['setup', name, '--user', '--yes'])).toMatchObject({ exitCode: 0 });
    expect(texts(workspace, user)).toEqual(filledIn(workspace, user));
    expect(treeOf(workspace.root)).toEqual({});
    const args = ['setup', name, '--user', '--remove', '--yes'];
    expect(await handrail(workspace, args)).toMatchObject({ exitCode: 0 });
    for (const file of Object.keys(user)) expect(existsSync(pathOf(workspace, file))).toBe(false);
  });
});
