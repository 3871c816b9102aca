/** Changes that undo could not give back: where nobody was asked before, somebody is before they count. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Runtime } from '../../src/index.ts';
import { treeOf } from '../journal/fixtures/tree.ts';
import { actionsOf } from '../journal/fixtures/work.ts';
import { approver, type RecordingApprover } from '../support/approver.ts';
import { type TempWorkspace, tempWorkspace } from '../support/temp-workspace.ts';

const BIG = Buffer.alloc(3 * 1024 * 1024, 'no line is like another ');

/** A runtime that keeps a megabyte, in a workspace that holds more. */
async function withLittleRoom(approve: RecordingApprover): Promise<TempWorkspace & { agent: Runtime }> {
  const workspace = tempWorkspace({ 'a.txt': 'a\n', 'run.sh': 'rm big.bin; echo changed > a.txt\n' });
  workspace.write('big.bin', BIG);
  mkdirSync(workspace.locations.config);
  const settings = '{ "undo": { "quotaMegabytes": 1 } }';
  writeFileSync(join(workspace.locations.config, 'config.jsonc'), settings);
  const environment = { PATH: process.env['PATH'] };
  const agent = await workspace.runtime({ mode: 'reversible', readConfig: true, environment, approve });
  return { ...workspace, agent };
}

describe('a command that removes what can not be kept', () => {
  it('is asked about once that is known; a no leaves everything as it was', async () => {
    const approve = approver('deny');
    await using workspace = await withLittleRoom(approve);
    const before = treeOf(workspace.root);
    const { outcome } = await workspace.agent.call('bash', { command: 'sh ./run.sh' });
    expect([outcome, treeOf(workspace.root)]).toEqual(['denied', before]);
    const [asked, ...others] = approve.asked;
    expect(others).toEqual([]);
    expect(asked).toMatchObject({
      rule: 'mode:reversible',
      reason:
        'Undo could not take back what the command did to "big.bin": too large to be kept, or too much.',
      preview: { kind: 'diff' },
    });
    expect(asked!.preview!.text).toContain('It changes 2 entries: 1 updated, 1 deleted.');
    expect(asked!.preview!.text).toContain('"big.bin": file 644, 3145728 bytes -> nothing');
  });

  it('counts after a yes, and says what there is no way back from', async () => {
    await using workspace = await withLittleRoom(approver('once'));
    const { effects, result } = await workspace.agent.call('bash', { command: 'sh ./run.sh' });
    expect(effects).toEqual([
      { path: 'a.txt', change: 'updated', reversible: true },
      { path: 'big.bin', change: 'deleted', reversible: false },
    ]);
    expect(result.payload).toMatchObject({ undo: 'part' });
    expect(actionsOf(await workspace.agent.undo())).toEqual({
      'a.txt': 'restore',
      'big.bin': 'lost: its content was not kept',
    });
  });

  it('passes in the mode auto, where nobody wants to be asked about it', async () => {
    const approve = approver('deny');
    await using workspace = await withLittleRoom(approve);
    const session = await workspace.agent.openSession({ mode: 'auto' });
    const { outcome } = await workspace.agent.call('bash', { command: 'sh ./run.sh' }, { session });
    expect([outcome, approve.asked]).toEqual(['ok', []]);
  });
});
