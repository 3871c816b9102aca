/** The agent over the WebSocket: a real model's endpoint on loopback that follows a script. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type ModelReply, scriptedModel, type ScriptedModel } from '../../support/scripted-model.ts';
import { shared } from '../../support/shared.ts';
import { type TempWorkspace, tempWorkspace } from '../../support/temp-workspace.ts';
import { PERSON, socketServer, type SocketServer } from './socket-server.ts';

let model: ScriptedModel;
let workspace: TempWorkspace;
let server: SocketServer;
let script: ModelReply[] = [];

shared(async (stack) => {
  workspace = stack.use(tempWorkspace({ 'a.txt': 'old\n' }));
  model = stack.use(await scriptedModel(() => script.shift() ?? { text: 'Done.' }));
  server = stack.use(
    await socketServer(workspace, {
      environment: { OPENAI_BASE_URL: model.url, HANDRAIL_MODEL: 'scripted' },
    }),
  );
});

describe('Talk', () => {
  it('lets a person talk to the agent, approve what it does, and hear it as it speaks', async () => {
    const person = await server.connect('/ws/talk', PERSON);
    const agent = await server.connect('/ws/talk');
    script = [
      { text: 'I write it.', calls: [{ tool: 'write_file', args: { path: 'a.txt', content: 'new\n' } }] },
      { text: 'It is written.' },
    ];
    person.send({ type: 'user_message', content: 'Write new to a.txt', role: 'user', message_id: 'm1' });
    const asked = await person.whenGot({ type: 'tool_call', requires_approval: true });
    expect(asked).toMatchObject({ tool_name: 'write_file', arguments: { path: 'a.txt', content: 'new\n' } });
    person.send({ type: 'hitl_decision', call_id: asked['call_id'], decision: 'approve' });
    const final = await person.whenGot({ type: 'assistant_message', is_final: true });
    expect(final).toMatchObject({ content: expect.stringContaining('It is written.'), token: '' });
    await person.whenGot({ type: 'agent_status', status: 'idle' });
    const tokens = person.received.filter(({ is_final }) => is_final === false);
    expect(tokens.map(({ token }) => token).join('')).toContain('It is written.');
    expect(new Set(tokens.map(({ message_id }) => message_id))).toEqual(new Set([final['message_id']]));
    const statuses = person.received.flatMap(({ type, status }) => (type === 'agent_status' ? [status] : []));
    expect([...new Set(statuses)]).toEqual(['thinking', 'executing_tool', 'idle']);
    expect(readFileSync(join(workspace.root, 'a.txt'), 'utf8')).toBe('new\n');

    person.cut();
    const again = await server.connect('/ws/talk?after=0', PERSON);
    expect(await again.whenGot({ is_final: true })).toEqual(final);
    again.send({ type: 'user_message', content: 'And now?' });
    await again.whenGot({ content: 'Done.' });
    expect(JSON.stringify(model.requests.at(-1)!.messages)).toContain('Write new to a.txt');

    agent.send({ type: 'user_message', content: 'Me too' });
    expect(await agent.whenGot({ type: 'error' })).toMatchObject({ error_code: 'UNAUTHORIZED' });
    expect(agent.received).toHaveLength(1);
    again.cut();
    agent.cut();
  });

  it('goes on with another agent', async () => {
    const person = await server.connect('/ws/switch', PERSON);
    person.send({ type: 'switch_agent', agent_type: 'plan', content: 'Plan it.', reason: 'To think first' });
    expect(await person.whenGot({ type: 'agent_switched' })).toEqual({
      type: 'agent_switched',
      from_agent: 'build',
      to_agent: 'plan',
      reason: 'To think first',
      timestamp: expect.stringMatching(/^\d{4}-.*Z$/),
      seq: expect.any(Number),
    });
    await person.whenGot({ type: 'assistant_message', is_final: true, content: 'Done.' });
    person.send({ type: 'switch_agent', agent_type: 'wizard', content: '' });
    expect(await person.whenGot({ type: 'error' })).toMatchObject({
      error_code: 'INVALID_AGENT',
      content: expect.stringContaining('build'),
    });
    person.cut();
  });

  it('has the IDE run what the agent calls', async () => {
    const ide = await server.connect('/ws/both?role=ide', PERSON);
    script = [{ calls: [{ tool: 'read_file', args: { path: 'a.txt' } }] }, { text: 'I see.' }];
    ide.send({ type: 'user_message', content: 'Look at a.txt' });
    const call = await ide.whenGot({ type: 'tool_call', tool_name: 'read_file' });
    ide.send({ type: 'tool_result', call_id: call['call_id'], result: { content: 'unsaved text' } });
    await ide.whenGot({ type: 'assistant_message', is_final: true, content: 'I see.' });
    expect(model.lastHeard).toContain('unsaved text');
    ide.cut();
  });

  it('says what is missing where there is no model', async () => {
    await using bare = await socketServer(workspace);
    const person = await bare.connect('/ws/bare', PERSON);
    person.send({ type: 'user_message', content: 'Hello', message_id: 'm1' });
    expect(await person.whenGot({ type: 'error' })).toMatchObject({
      error_code: 'AGENT_ERROR',
      message_id: 'm1',
      content: expect.stringMatching(/model/i),
    });
    person.cut();
  });
});
