import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { shared } from '../../support/shared.ts';
import { type TempWorkspace, tempWorkspace } from '../../support/temp-workspace.ts';
import { PERSON, socketServer, type SocketServer } from './socket-server.ts';

let workspace: TempWorkspace;
let server: SocketServer;

shared(async (stack) => {
  workspace = stack.use(tempWorkspace({ 'a.txt': 'here\n' }));
  server = stack.use(await socketServer(workspace, { socketLimits: { ideAwayMs: 300 } }));
});

const read = { type: 'tool_call', tool_name: 'read_file', args: { path: 'a.txt' } };

describe('role ide', () => {
  it('runs the calls of the session, and its results are theirs', async () => {
    const ide = await server.connect('/ws/runs?role=ide');
    const client = await server.connect('/ws/runs');
    client.send({ ...read, call_id: 'c1' });
    expect(await ide.whenGot({ type: 'tool_call', call_id: 'c1' })).toEqual({
      type: 'tool_call',
      call_id: 'c1',
      tool_name: 'read_file',
      arguments: { path: 'a.txt' },
      requires_approval: false,
      seq: expect.any(Number),
    });
    ide.send({ type: 'tool_result', call_id: 'c1', result: { content: 'of the IDE\n', encoding: 'utf-8' } });
    expect(await client.whenGot({ type: 'tool_result', call_id: 'c1' })).toMatchObject({
      result: { content: 'of the IDE\n', encoding: 'utf-8' },
    });
    client.send({ ...read, call_id: 'c2' });
    await ide.whenGot({ call_id: 'c2' });
    ide.send({
      type: 'tool_result',
      call_id: 'c2',
      error: { code: 'FILE_NOT_FOUND', message: 'It is gone.' },
    });
    expect(await client.whenGot({ type: 'tool_result', call_id: 'c2' })).toMatchObject({
      error: { message: 'It is gone.', details: { ide: 'FILE_NOT_FOUND' } },
    });
    client.send({ ...read, call_id: 'c3' });
    await ide.whenGot({ call_id: 'c3' });
    ide.send({ type: 'tool_result', call_id: 'c3', result: { content: 7 } });
    expect(await client.whenGot({ type: 'tool_result', call_id: 'c3' })).toMatchObject({
      error: { message: expect.stringContaining('its result is not one') },
    });
    ide.send({ type: 'tool_result', call_id: 'c3', result: {} });
    expect(await ide.whenGot({ type: 'error' })).toMatchObject({ error_code: 'INVALID_CALL_ID' });
    ide.send({ ...read, call_id: 'c4' });
    expect(await ide.whenGot({ error_code: 'UNSUPPORTED' })).toMatchObject({ call_id: 'c4' });
    ide.cut();
    client.cut();
  });

  it('is handed only what the policy lets pass, and a person has approved; undo knows nothing of it', async () => {
    const ide = await server.connect('/ws/decided?role=ide');
    const person = await server.connect('/ws/decided', PERSON);
    expect(await person.call('c1', 'read_file', { path: '../out/s.txt' })).toMatchObject({
      error: { code: 'PATH_OUTSIDE_WORKSPACE' },
    });
    const args = { path: 'made.txt', content: 'new\n' };
    person.send({ type: 'tool_call', call_id: 'c2', tool_name: 'write_file', args });
    await person.whenGot({ type: 'tool_call', call_id: 'c2' });
    expect(ide.received).toEqual([]);
    person.send({ type: 'hitl_decision', call_id: 'c2', decision: 'approve' });
    expect(await ide.whenGot({ call_id: 'c2' })).toMatchObject({ arguments: args, requires_approval: false });
    ide.send({ type: 'tool_result', call_id: 'c2', result: { success: true, bytes_written: 4 } });
    expect(await person.whenGot({ type: 'tool_result', call_id: 'c2' })).toMatchObject({
      result: { success: true, bytes_written: 4 },
    });
    expect(existsSync(join(workspace.root, 'made.txt'))).toBe(false);
    await server.runtime.flush();
    const [call] = await server.records.audit.list({ workspace: workspace.root, limit: 1 });
    expect((await server.records.audit.show(call!.call_id))?.at(-1)).toMatchObject({
      tool_call_id: 'c2',
      effects: [{ path: 'made.txt', change: 'updated', reversible: false }],
    });
    ide.cut();
    person.cut();
  });

  it('finds its calls again when it comes back, and is replaced by the next one', async () => {
    const first = await server.connect('/ws/back?role=ide');
    const client = await server.connect('/ws/back');
    client.send({ ...read, call_id: 'c1' });
    await first.whenGot({ call_id: 'c1' });
    first.cut();
    const second = await server.connect(`/ws/back?role=ide&after=${first.seq}`);
    client.send({ ...read, call_id: 'c2' });
    await second.whenGot({ call_id: 'c2' });
    expect(second.received.map(({ call_id }) => call_id)).toEqual(['c2']);
    const third = await server.connect('/ws/back?role=ide');
    await third.whenGot({ call_id: 'c2' });
    expect(third.received.map(({ call_id }) => call_id)).toEqual(['c1', 'c2']);
    expect(await second.closed).toMatchObject({ code: 4001 });
    for (const call_id of ['c1', 'c2'])
      third.send({ type: 'tool_result', call_id, result: { content: call_id } });
    expect(await client.whenGot({ type: 'tool_result', call_id: 'c1' })).toMatchObject({
      result: { content: 'c1' },
    });
    expect(await client.whenGot({ type: 'tool_result', call_id: 'c2' })).toMatchObject({
      result: { content: 'c2' },
    });
    third.cut();
    await third.closed;
    expect(await client.call('c3', 'read_file', { path: 'a.txt' })).toMatchObject({
      error: { code: 'TIMEOUT' },
    });
    client.cut();
  });
});
