/** An undo in the audit: opened, decided and closed like a call. */
import { describe, expect, it } from 'vitest';
import { tempWorkspace } from '../support/temp-workspace.ts';
import { openAudit } from './fixtures/open-audit.ts';
import { work } from './fixtures/work.ts';

describe('auditedUndo', () => {
  it('writes down what was wanted, what was decided and what was done, and the audit holds', async () => {
    await using workspace = tempWorkspace({ 'a.txt': 'a\n', 'b.txt': 'b\n', 'c.txt': 'c\n' });
    const runtime = await workspace.runtime({ mode: 'auto' });
    await work(runtime, 'turn-1', [
      ['write', 'a.txt', 'changed\n'],
      ['write', 'made.txt', 'made\n'],
      ['delete', 'b.txt'],
      ['write', 'c.txt', 'changed\n'],
    ]);
    workspace.write('c.txt', 'by hand\n');
    await runtime.undo({ turn: 'turn-1' }, { by: 'somebody' });
    await runtime.flush();

    await using audit = openAudit(workspace.locations);
    const lines = (await audit.lines()).slice(-3);
    const head = {
      call_id: expect.stringMatching(/^call_/),
      tool_call_id: expect.stringMatching(/^call_/),
      trace_id: expect.stringMatching(/^[0-9a-f]{32}$/),
      session: expect.stringMatching(/^ses_/),
      turn: expect.any(String),
      workspace: workspace.root,
      dialect: 'human',
      name: 'undo',
      args: { turn: 'turn-1' },
    };
    const decision = { decision: 'allow', rule: 'human', approver: 'somebody' };
    const place = { seq: expect.any(Number), prev: expect.any(String), at: expect.any(Number) };
    expect(lines).toEqual([
      { ...place, ...head, event: 'opened' },
      {
        ...place,
        ...decision,
        event: 'decided',
        call_id: expect.stringMatching(/^call_/),
        workspace: workspace.root,
        accesses: expect.any(Array),
      },
      {
        ...place,
        ...head,
        ...decision,
        event: 'closed',
        ok: true,
        outcome: 'ok',
        artifacts: { files_changed: expect.any(Array) },
        duration_ms: expect.any(Number),
      },
    ]);
    const [opened, decided, closed] = lines;
    expect(new Set(lines.map((line) => 'call_id' in line && line.call_id)).size).toBe(1);
    expect(opened!.seq + 2).toBe(closed!.seq);
    const byPath = (one: { resource: string }, other: { resource: string }): number =>
      one.resource < other.resource ? -1 : 1;
    expect(decided?.event === 'decided' && [...decided.accesses].sort(byPath)).toEqual([
      { permission: 'fs.write', resource: 'a.txt', resolved: 'a.txt' },
      { permission: 'fs.write', resource: 'b.txt', resolved: 'b.txt' },
      { permission: 'fs.delete', resource: 'made.txt', resolved: 'made.txt' },
    ]);
    expect(closed?.event === 'closed' && [...closed.artifacts!.files_changed!].sort()).toEqual([
      'a.txt',
      'b.txt',
      'made.txt',
    ]);
    expect(await audit.problems()).toEqual([]);
    expect(await audit.list({ workspace: workspace.root, limit: 1 })).toMatchObject([
      { name: 'undo', dialect: 'human', outcome: 'ok', decision: 'allow', rule: 'human' },
    ]);
  });

  it('writes down an undo that found nothing as failed, with nothing decided', async () => {
    await using workspace = tempWorkspace();
    const runtime = await workspace.runtime();
    await expect(runtime.undo()).rejects.toMatchObject({ code: 'E_NOT_FOUND' });
    await runtime.flush();
    await using audit = openAudit(workspace.locations);
    const lines = await audit.lines();
    expect(lines.map(({ event }) => event)).toEqual(['opened', 'closed']);
    expect(lines[1]).toMatchObject({
      name: 'undo',
      args: { last: 1 },
      ok: false,
      outcome: 'failed',
      error: { code: 'E_NOT_FOUND', message: 'There is no turn to take back.' },
      approver: 'library',
    });
    expect(lines[1]).not.toHaveProperty('artifacts');
    expect(await audit.problems()).toEqual([]);
  });

  it('writes nothing down about a dry run', async () => {
    await using workspace = tempWorkspace();
    const runtime = await workspace.runtime({ mode: 'auto' });
    await work(runtime, 'turn-1', [['write', 'made.txt', 'made\n']]);
    await runtime.flush();
    await using audit = openAudit(workspace.locations);
    const before = await audit.lines();
    expect((await runtime.undo({ last: 1 }, { dryRun: true })).steps).toHaveLength(1);
    await expect(runtime.undo({ turn: 'turn-2' }, { dryRun: true })).rejects.toMatchObject({
      code: 'E_NOT_FOUND',
    });
    await runtime.flush();
    expect(await audit.lines()).toEqual(before);
  });

  it('has the undo of an undo like any other', async () => {
    await using workspace = tempWorkspace({ 'a.txt': 'a\n' });
    const runtime = await workspace.runtime({ mode: 'auto' });
    await work(runtime, 'turn-1', [['delete', 'a.txt']]);
    const { turn } = await runtime.undo();
    await runtime.undo({ turn: turn! });
    await runtime.flush();
    await using audit = openAudit(workspace.locations);
    const decided = (await audit.lines()).flatMap((line) =>
      line.event === 'decided' ? [line.accesses.map(({ permission }) => permission)] : [],
    );
    expect(decided).toEqual([['fs.delete'], ['fs.write'], ['fs.delete']]);
    expect(await audit.problems()).toEqual([]);
  });
});
