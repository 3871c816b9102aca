/** Two agents, and a person, in one workspace: nobody's work is overwritten or undone without a word. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { CallResponse, Runtime } from '../../src/index.ts';
import { treeOf } from '../journal/fixtures/tree.ts';
import { actionsOf } from '../journal/fixtures/work.ts';
import { type TempWorkspace, tempWorkspace } from '../support/temp-workspace.ts';

function agent(workspace: TempWorkspace): Promise<Runtime> {
  return workspace.runtime({ mode: 'reversible', environment: { PATH: process.env['PATH'] } });
}

/** Runs a command that waits in the middle until the other work is done. */
async function meanwhile(
  runtime: Runtime,
  command: string,
  other: () => Promise<unknown>,
): Promise<CallResponse> {
  const started = Promise.withResolvers<void>();
  let said = '';
  const running = runtime.call(
    'bash',
    { command, timeout: 60 },
    {
      listener: (event) => {
        if (event.type === 'output-added' && (said += event.text).includes('ready')) started.resolve();
      },
    },
  );
  await started.promise;
  await other();
  return running;
}

/** A change of a file in place is seen through a view as well. */
const UNTIL_DONE = 'echo ready; until grep -q open gate; do sleep 0.05; done';

describe('a command', () => {
  it('is refused as a whole where another agent changed one of its files meanwhile', async () => {
    await using workspace = tempWorkspace({ 'a.txt': 'a\n', 'b.txt': 'b\n', gate: 'shut\n' });
    const [one, other] = [await agent(workspace), await agent(workspace)];
    const command = `echo one > a.txt; echo one > b.txt; ${UNTIL_DONE}`;
    const { result, outcome } = await meanwhile(one, command, async () => {
      await other.call('write', { path: 'b.txt', content: 'other\n' });
      workspace.write('gate', 'open\n');
    });
    expect([outcome, result.error]).toMatchObject([
      'failed',
      {
        code: 'E_CONFLICT',
        message:
          '"b.txt" was changed by somebody else since the command began. Nothing of what it changed was taken over.',
        details: { paths: ['b.txt'], exit_code: 0, stdout: 'ready\n' },
      },
    ]);
    expect(treeOf(workspace.root)).toMatchObject({ 'a.txt': 'file 644 a\n', 'b.txt': 'file 644 other\n' });
  });

  it('is taken over beside what another agent changed elsewhere, and each is undone by itself', async () => {
    await using workspace = tempWorkspace({ 'a.txt': 'a\n', 'b.txt': 'b\n', gate: 'shut\n' });
    const [one, other] = [await agent(workspace), await agent(workspace)];
    const ran = await meanwhile(one, `echo one > a.txt; ${UNTIL_DONE}`, async () => {
      await other.call('bash', { command: 'echo other > b.txt' });
      workspace.write('gate', 'open\n');
    });
    expect(ran.effects).toEqual([{ path: 'a.txt', change: 'updated', reversible: true }]);
    expect(actionsOf(await other.undo({ call: ran.callId }))).toEqual({ 'a.txt': 'restore' });
    expect(readFileSync(join(workspace.root, 'b.txt'), 'utf8')).toBe('other\n');
  });

  it('is not taken back where another agent went on from it', async () => {
    await using workspace = tempWorkspace({ 'a.txt': 'a\n' });
    const [one, other] = [await agent(workspace), await agent(workspace)];
    const { callId } = await one.call('bash', { command: 'echo one > a.txt; echo one > made.txt' });
    await other.call('bash', { command: 'echo other >> a.txt' });
    const report = await one.undo({ call: callId });
    expect(actionsOf(report)).toEqual({ 'a.txt': 'conflict: it was changed since', 'made.txt': 'remove' });
    expect(readFileSync(join(workspace.root, 'a.txt'), 'utf8')).toBe('one\nother\n');
  });

  it('that is cancelled changes nothing', async () => {
    await using workspace = tempWorkspace({ 'a.txt': 'a\n' });
    const runtime = await agent(workspace);
    const stop = new AbortController();
    const { outcome } = await runtime.call(
      'bash',
      { command: 'echo x > a.txt; echo ready; sleep 60' },
      { signal: stop.signal, listener: (event) => event.type === 'output-added' && stop.abort() },
    );
    expect([outcome, treeOf(workspace.root)]).toEqual(['cancelled', { 'a.txt': 'file 644 a\n' }]);
  });

  it('whose time is up counts for what it did', async () => {
    await using workspace = tempWorkspace({ 'a.txt': 'a\n' });
    const runtime = await agent(workspace);
    const { result, effects } = await runtime.call('bash', {
      command: 'echo x > a.txt; sleep 60',
      timeout: 1,
    });
    expect([result.error?.code, effects.length]).toEqual(['E_TOOL_TIMEOUT', 1]);
    await runtime.undo();
    expect(treeOf(workspace.root)).toEqual({ 'a.txt': 'file 644 a\n' });
  });
});

describe('what a command may not change', () => {
  it('makes all of it count for nothing', async () => {
    const script = 'echo x > a.txt; git init -q sub; echo "echo hi" > sub/.git/hooks/pre-commit\n';
    await using workspace = tempWorkspace({ 'a.txt': 'a\n', 'run.sh': script });
    const before = treeOf(workspace.root);
    const runtime = await agent(workspace);
    const { outcome, result, effects } = await runtime.call('bash', { command: 'sh ./run.sh' });
    expect([outcome, result.error?.code, effects]).toEqual(['denied', 'E_POLICY_DENIED', []]);
    expect(result.error?.message).toContain('"sub/.git/hooks/pre-commit"');
    expect(treeOf(workspace.root)).toEqual(before);
    expect((await runtime.call('bash', { command: 'git init -q sub' })).outcome).toBe('ok');
    expect(existsSync(join(workspace.root, 'sub/.git/HEAD'))).toBe(true);
  });
});
