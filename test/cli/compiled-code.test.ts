import { chmodSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { environmentOf, handrail } from '../support/command-line.ts';
import { tempWorkspace, type TempWorkspace } from '../support/temp-workspace.ts';

const READ = ['call', 'read', '{"path":"a.txt"}'];

describe('keepCompiledCode', () => {
  it('keeps it in the state folder once that is there, and nothing in the workspace', async () => {
    await using workspace = tempWorkspace({ 'a.txt': 'text\n' });
    await handrail(workspace, READ);
    expect(existsSync(compiledIn(workspace))).toBe(false);
    expect(await handrail(workspace, READ)).toMatchObject({ exitCode: 0, stderr: '' });
    expect(readdirSync(compiledIn(workspace))).toHaveLength(1);
    expect(readdirSync(workspace.root)).toEqual(['a.txt']);
  });

  it('makes no folder for a command that needs none', async () => {
    await using workspace = tempWorkspace();
    await handrail(workspace, ['--help']);
    expect(existsSync(stateOf(workspace))).toBe(false);
  });

  it('runs nothing from a folder that others may write to', async () => {
    await using workspace = tempWorkspace();
    mkdirSync(stateOf(workspace), { recursive: true });
    chmodSync(stateOf(workspace), 0o777);
    await handrail(workspace, ['--help']);
    expect(readdirSync(stateOf(workspace))).toEqual([]);
  });

  it('goes without it where it has no place', async () => {
    await using workspace = tempWorkspace({ 'a.txt': 'text\n' });
    mkdirSync(stateOf(workspace), { recursive: true, mode: 0o700 });
    writeFileSync(compiledIn(workspace), 'a file is in the way');
    expect(await handrail(workspace, READ)).toMatchObject({ exitCode: 0, stderr: '' });
  });
});

function stateOf(workspace: TempWorkspace): string {
  return join(environmentOf(workspace)['XDG_STATE_HOME']!, 'handrail');
}

function compiledIn(workspace: TempWorkspace): string {
  return join(stateOf(workspace), 'compiled');
}
