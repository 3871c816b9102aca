/** A file name is data: it is never run, never taken for an option. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { tempWorkspace } from '../support/temp-workspace.ts';
import { ALIVE, type Attack, expectAllowed, testAttacks } from './attack-case.ts';
import { callOn, PLANTED, toolsThat } from './file-tools.ts';
import { commandLine, library, type ToolCall } from './surfaces.ts';
import { readWithShell, removeWithProgram } from './undefended.ts';

const COMMANDS = [
  '$(touch CAN).txt',
  '`touch CAN`',
  'x;touch CAN',
  'a\ntouch CAN',
  '|touch CAN',
  '&touch CAN',
];
const OPTIONS = ['-rf', '--help'];

/** Writes, reads and deletes a file of that name with every tool, and finds nothing else in the workspace. */
async function useAsName(name: string): Promise<void> {
  await using workspace = tempWorkspace(ALIVE);
  const surface = await library(workspace);
  for (const tool of [...toolsThat('write'), ...toolsThat('read')]) {
    await expectAllowed(surface, workspace, callOn(tool, name));
  }
  expect(readFileSync(join(workspace.root, name), 'utf8')).toBe(PLANTED);
  expect(readdirSync(workspace.root).sort()).toEqual([name, 'alive.txt'].sort());
  const [remove] = toolsThat('delete');
  await expectAllowed(surface, workspace, callOn(remove!, name));
  expect(readdirSync(workspace.root)).toEqual(['alive.txt']);
}

function commandName(name: string): Attack {
  return {
    id: 'FS-10',
    title: `${JSON.stringify(name)} (CVE-2026-35021, CVE-2025-53107)`,
    attack: () => useAsName(name),
    bites: async () => {
      await using workspace = tempWorkspace();
      readWithShell(workspace, name);
      expect(readdirSync(workspace.root)).toHaveLength(1);
    },
  };
}

function optionName(name: string): Attack {
  return {
    id: 'FS-10',
    title: JSON.stringify(name),
    attack: () => useAsName(name),
    // The program ends well, and the file is still there.
    bites: async () => {
      await using workspace = tempWorkspace({ [name]: '' });
      removeWithProgram(workspace, name);
      expect(readdirSync(workspace.root)).toEqual([name]);
    },
  };
}

describe('file names', () => {
  testAttacks([...COMMANDS.map(commandName), ...OPTIONS.map(optionName)]);

  it('are data on the command line as well', async () => {
    await using workspace = tempWorkspace(ALIVE);
    const call: ToolCall = { dialect: 'coder', tool: 'write', args: { path: COMMANDS[0], content: '' } };
    await expectAllowed(commandLine(workspace), workspace, call);
    expect(readdirSync(workspace.root).sort()).toEqual([COMMANDS[0], 'alive.txt']);
  });
});
