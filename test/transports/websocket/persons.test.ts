import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { tempRepository, type TempRepository } from '../../support/repository.ts';
import { shared } from '../../support/shared.ts';
import { AGENT, PERSON, socketServer, type SocketServer } from './socket-server.ts';

let workspace: TempRepository;
let server: SocketServer;

shared(async (stack) => {
  workspace = stack.use(
    tempRepository({
      'src/config.js': 'const config = {};\n',
      'src/auth.js': '1\n2\n3\n4\n5\n6\n7\n8\n9\n',
    }),
  );
  server = stack.use(await socketServer(workspace));
});

const contentOf = (path: string): string => readFileSync(join(workspace.root, path), 'utf8');

describe('persons', () => {
  it("does the document's first example: read, then write once a person says so", async () => {
    const client = await server.connect('/ws/first', PERSON);
    expect(await client.call('call_001', 'read_file', { path: 'src/config.js' })).toMatchObject({
      result: { content: 'const config = {};\n' },
    });
    const args = { path: 'src/config.js', content: 'const config = { updated: true };\n' };
    client.send({
      type: 'tool_call',
      tool_name: 'write_file',
      call_id: 'call_002',
      args,
      requires_approval: true,
    });
    expect(await client.whenGot({ type: 'tool_call', call_id: 'call_002' })).toMatchObject({
      tool_name: 'write_file',
      arguments: args,
      requires_approval: true,
      question: { preview: { kind: 'diff' } },
    });
    client.send({ type: 'hitl_decision', call_id: 'call_002', decision: 'approve' });
    expect(await client.whenGot({ type: 'tool_result', call_id: 'call_002' })).toMatchObject({
      result: { success: true },
    });
    expect(contentOf('src/config.js')).toBe(args.content);
    await client.whenGot({ type: 'hitl_response', call_id: 'call_002', status: 'closed' });
    client.cut();
    workspace.commit('config');
  });

  it("does the document's second example: diff, review of its chunks, and the patch with those chosen", async () => {
    const before = contentOf('src/auth.js');
    const changed = before.replace('1\n', 'one\n').replace('9\n', 'nine\n');
    workspace.write('src/auth.js', changed);
    const client = await server.connect('/ws/second', PERSON);
    const { result } = await client.call('call_003', 'git.diff', { path: '.' });
    const { diff } = result as { diff: string };
    workspace.git('checkout', '--', 'src/auth.js');
    client.send({
      type: 'tool_call',
      tool_name: 'apply_patch_review',
      call_id: 'call_004',
      args: { diff, message: 'Review your changes' },
    });
    const asked = await client.whenGot({ type: 'tool_call', call_id: 'call_004' });
    expect(asked).toMatchObject({
      arguments: {
        message: expect.stringContaining('Review your changes'),
        chunks: [{ number: 1 }, { number: 2 }],
      },
    });
    client.send({
      type: 'tool_result',
      call_id: 'call_004',
      result: { action: 'apply', chunks_selected: [2] },
    });
    const reviewed = await client.whenGot({ type: 'tool_result', call_id: 'call_004' });
    expect(reviewed).toMatchObject({ result: { action: 'apply', chunks_selected: [2], chunks_total: 2 } });
    const { filtered_diff } = reviewed['result'] as { filtered_diff: string };
    client.send({
      type: 'tool_call',
      tool_name: 'apply_patch',
      call_id: 'call_005',
      args: { diff: filtered_diff },
    });
    await client.whenGot({ type: 'tool_call', call_id: 'call_005' });
    client.send({ type: 'hitl_decision', call_id: 'call_005', decision: 'approve' });
    expect(await client.whenGot({ type: 'tool_result', call_id: 'call_005' })).toMatchObject({
      result: { success: true, files_modified: ['src/auth.js'] },
    });
    expect(contentOf('src/auth.js')).toBe(before.replace('9\n', 'nine\n'));
    client.cut();
  });

  it('lets a person answer from elsewhere, and nobody else', async () => {
    const agent = await server.connect('/ws/apart', AGENT);
    const person = await server.connect('/ws/apart', PERSON);
    agent.send({
      type: 'tool_call',
      call_id: 'c1',
      tool_name: 'write_file',
      args: { path: 'b.txt', content: 'b' },
    });
    await person.whenGot({ type: 'tool_call', call_id: 'c1' });
    agent.send({ type: 'hitl_decision', call_id: 'c1', decision: 'approve' });
    expect(await agent.whenGot({ type: 'error' })).toMatchObject({
      error_code: 'UNAUTHORIZED',
      call_id: 'c1',
    });
    agent.send({ type: 'tool_result', call_id: 'c1', result: {} });
    expect(await agent.whenGot({ error_code: 'UNSUPPORTED' })).toMatchObject({ call_id: 'c1' });
    person.send({
      type: 'hitl_decision',
      call_id: 'c1',
      decision: 'edit',
      modified_arguments: { path: 'c.txt', content: 'c' },
    });
    expect(await agent.whenGot({ type: 'tool_result', call_id: 'c1' })).toHaveProperty('result');
    expect(contentOf('c.txt')).toBe('c');
    agent.send({
      type: 'tool_call',
      call_id: 'c2',
      tool_name: 'write_file',
      args: { path: 'd.txt', content: 'd' },
    });
    await person.whenGot({ type: 'tool_call', call_id: 'c2' });
    person.send({ type: 'hitl_decision', call_id: 'c2', decision: 'reject', feedback: 'Not there.' });
    expect(await agent.whenGot({ type: 'tool_result', call_id: 'c2' })).toMatchObject({
      error: { code: 'PERMISSION_DENIED', message: expect.stringContaining('Not there.') },
    });
    expect(agent.received.some(({ type }) => type === 'tool_call')).toBe(false);
    person.send({ type: 'hitl_decision', call_id: 'c2', decision: 'approve' });
    expect(await person.whenGot({ error_code: 'INVALID_CALL_ID' })).toMatchObject({ call_id: 'c2' });
    agent.cut();
    person.cut();
  });

  it('hears a person whose message is called as one of an agent was', async () => {
    const agent = await server.connect('/ws/named', AGENT);
    const person = await server.connect('/ws/named', PERSON);
    agent.send({ type: 'ack', seq: 0, message_id: 'm1' });
    await agent.whenGot({ type: 'ack', message_id: 'm1' });
    agent.send({
      type: 'tool_call',
      call_id: 'c1',
      tool_name: 'write_file',
      args: { path: 'e.txt', content: 'e' },
    });
    await person.whenGot({ type: 'tool_call', call_id: 'c1' });
    person.send({ type: 'hitl_decision', message_id: 'm1', call_id: 'c1', decision: 'reject' });
    expect(await agent.whenGot({ type: 'tool_result', call_id: 'c1' })).toHaveProperty('error');
    agent.cut();
    person.cut();
  });

  it('gives an answer to none of two calls that have the same id', async () => {
    const person = await server.connect('/ws/twins', PERSON);
    const session = await server.runtime.openSession({ id: 'twins', dialect: 'codelab' });
    const asked = ['harmful.txt', 'harmless.txt'].map((path) =>
      server.runtime.call('write_file', { path, content: '' }, { session, id: 'c1' }),
    );
    await expect.poll(() => person.received.filter(({ type }) => type === 'tool_call').length).toBe(2);
    person.send({ type: 'hitl_decision', call_id: 'c1', decision: 'approve' });
    expect(await person.whenGot({ type: 'error' })).toMatchObject({ error_code: 'INVALID_CALL_ID' });
    for (const { id } of await server.records.approvals.pending())
      await server.records.approvals.answer(id, { answer: 'deny' });
    for (const call of asked) expect(await call).toMatchObject({ outcome: 'denied' });
    person.cut();
  });

  it('takes the answer to what an agent asks', async () => {
    const client = await server.connect('/ws/asked', PERSON);
    const args = { message: 'Go on?', actions: ['approve', 'deny', 'review'] };
    client.send({ type: 'tool_call', call_id: 'c1', tool_name: 'prompt_user', args });
    expect(await client.whenGot({ type: 'tool_call', call_id: 'c1' })).toMatchObject({
      arguments: { message: 'Go on?', actions: args.actions },
    });
    client.send({
      type: 'hitl_decision',
      call_id: 'c1',
      decision: 'edit',
      modified_arguments: { action: 'dance' },
    });
    expect(await client.whenGot({ type: 'error' })).toMatchObject({
      content: 'That is none of the choices.',
    });
    client.send({ type: 'tool_result', call_id: 'c1', result: { action: 'review' } });
    expect(await client.whenGot({ type: 'tool_result', call_id: 'c1' })).toMatchObject({
      result: { action: 'review' },
    });
    client.cut();
  });

  it('denies at once where no person is there', async () => {
    const agent = await server.connect('/ws/alone', AGENT);
    const args = { path: 'e.txt', content: 'e' };
    expect(await agent.call('c1', 'write_file', args)).toMatchObject({
      error: { code: 'PERMISSION_DENIED' },
    });
    agent.cut();
  });

  it('shows what waits to who comes later, also after a restart, and goes on with the same call', async () => {
    const call = {
      type: 'tool_call',
      call_id: 'c1',
      tool_name: 'write_file',
      args: { path: 'later.txt', content: 'later\n' },
    };
    await using first = await socketServer(workspace);
    const before = await first.connect('/ws/restart', PERSON);
    before.send(call);
    await before.whenGot({ type: 'tool_call', call_id: 'c1' });
    const again = await first.connect('/ws/restart', PERSON);
    await again.whenGot({ type: 'tool_call', call_id: 'c1' });
    await first[Symbol.asyncDispose]();
    expect(await before.closed).toMatchObject({ code: 1001 });

    await using second = await socketServer(workspace);
    const after = await second.connect(`/ws/restart?after=${before.seq}`, PERSON);
    expect(await after.whenGot({ type: 'tool_call', call_id: 'c1' })).toMatchObject({
      requires_approval: true,
    });
    expect(await after.whenGot({ type: 'error' })).toMatchObject({ error_code: 'MISSED' });
    after.send({ type: 'hitl_decision', call_id: 'c1', decision: 'approve' });
    await after.whenGot({ type: 'hitl_response', call_id: 'c1' });
    after.send(call);
    expect(await after.whenGot({ type: 'tool_result', call_id: 'c1' })).toMatchObject({
      result: { success: true },
    });
    expect(contentOf('later.txt')).toBe('later\n');
    after.cut();
  });
});
