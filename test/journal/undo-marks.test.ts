/** Which turns count as taken back, after undos of undos, of calls, and of what had to be left alone. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Runtime } from '../../src/index.ts';
import { type TempWorkspace, tempWorkspace } from '../support/temp-workspace.ts';
import { openAudit } from './fixtures/open-audit.ts';
import { treeOf } from './fixtures/tree.ts';
import { actionsOf, work } from './fixtures/work.ts';

const textOf = ({ root }: TempWorkspace, path = 'f'): string => readFileSync(join(root, path), 'utf8');

/** The turns of work that count as taken back. */
async function takenBack(runtime: Runtime): Promise<string[]> {
  const turns = await runtime.turns();
  return turns.filter(({ kind, undone_by }) => kind === 'work' && undone_by !== null).map(({ id }) => id);
}

describe('undo of an undo', () => {
  it('of an undo leaves the work taken back, and so on', async () => {
    await using workspace = tempWorkspace({ f: '0', g: '0' });
    const runtime = await workspace.runtime({ mode: 'auto' });
    await work(runtime, 'turn-1', [['write', 'g', '1']]);
    await work(runtime, 'turn-2', [['write', 'f', '1']]);
    let { turn } = await runtime.undo();
    const seen: unknown[] = [];
    for (let times = 0; times < 4; times++) {
      seen.push([textOf(workspace), await takenBack(runtime)]);
      ({ turn } = await runtime.undo({ turn: turn! }));
    }
    expect(seen).toEqual([
      ['0', ['turn-2']],
      ['1', []],
      ['0', ['turn-2']],
      ['1', []],
    ]);
    expect((await runtime.undo({ turn: turn! })).takenBack).toEqual([turn]);
    expect((await runtime.undo()).turns).toEqual(['turn-2']);
    expect((await runtime.undo()).turns).toEqual(['turn-1']);
  });

  it('by its call is the same as by its turn', async () => {
    await using workspace = tempWorkspace({ f: '0' });
    const runtime = await workspace.runtime({ mode: 'auto' });
    await work(runtime, 'turn-1', [['write', 'f', '1']]);
    const { turn } = await runtime.undo();
    await runtime.flush();
    await using audit = openAudit(workspace.locations);
    const [undo] = await audit.list({ limit: 1 });
    expect(await runtime.undo({ call: undo!.call_id })).toMatchObject({ turns: [turn], takenBack: [turn] });
    expect([textOf(workspace), await takenBack(runtime)]).toEqual(['1', []]);
    expect((await runtime.undo()).turns).toEqual(['turn-1']);
    expect(textOf(workspace)).toBe('0');
  });
});

describe('undo of a call', () => {
  it('takes back its turn where that holds nothing else, and otherwise leaves the rest of it', async () => {
    await using workspace = tempWorkspace({ f: '0', g: '0' });
    const runtime = await workspace.runtime({ mode: 'auto' });
    const [only] = await work(runtime, 'turn-1', [['write', 'g', '1']]);
    const [, last] = await work(runtime, 'turn-2', [
      ['write', 'f', '1'],
      ['write', 'f', '2'],
    ]);
    expect(await runtime.undo({ call: last!.callId })).toMatchObject({ turns: ['turn-2'], takenBack: [] });
    expect(await runtime.undo({ call: only!.callId })).toMatchObject({ takenBack: ['turn-1'] });
    expect([textOf(workspace), textOf(workspace, 'g')]).toEqual(['1', '0']);
    expect(actionsOf(await runtime.undo())).toEqual({ f: 'restore' });
    expect([textOf(workspace), await takenBack(runtime)]).toEqual(['0', ['turn-2', 'turn-1']]);
  });
});

describe('undo that changes nothing', () => {
  it('makes no turn, and a turn of which all was left alone can be taken back later', async () => {
    await using workspace = tempWorkspace({ f: '0' });
    const runtime = await workspace.runtime({ mode: 'auto' });
    await work(runtime, 'turn-1', [['write', 'f', '1']]);
    await work(runtime, 'turn-2', [['write', 'f', '2']]);
    expect(await runtime.undo({ turn: 'turn-1' })).toEqual({
      turns: ['turn-1'],
      takenBack: [],
      steps: [{ path: 'f', action: 'conflict', reason: 'it was changed since' }],
    });
    expect((await runtime.turns()).map(({ kind }) => kind)).toEqual(['work', 'work']);
    await runtime.undo({ turn: 'turn-2' });
    expect((await runtime.undo({ turn: 'turn-1' })).takenBack).toEqual(['turn-1']);
    expect(textOf(workspace)).toBe('0');
  });

  it('goes on to the turn before where a hand had taken back all of the last one', async () => {
    await using workspace = tempWorkspace({ f: '0' });
    const runtime = await workspace.runtime({ mode: 'auto' });
    await work(runtime, 'turn-1', [['write', 'f', '1']]);
    await work(runtime, 'turn-2', [['write', 'f', '2']]);
    workspace.write('f', '1');
    expect(await runtime.undo()).toEqual({
      turns: ['turn-2'],
      takenBack: ['turn-2'],
      steps: [{ path: 'f', action: 'keep' }],
    });
    expect((await runtime.undo()).turns).toEqual(['turn-1']);
    expect(textOf(workspace)).toBe('0');
  });

  it('leaves nothing behind where there is no turn to take back', async () => {
    await using workspace = tempWorkspace({ f: '0' });
    const runtime = await workspace.runtime({ mode: 'auto' });
    await expect(runtime.undo()).rejects.toMatchObject({ code: 'E_NOT_FOUND' });
    expect([await runtime.turns(), Object.keys(treeOf(workspace.root))]).toEqual([[], ['f']]);
  });
});
