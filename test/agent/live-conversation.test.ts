import { describe, expect, it } from 'vitest';
import { openAgents } from '../../src/agent/open-agents.ts';
import { agentGround, allOf, endOf, only } from './agent-ground.ts';

describe('Conversation', () => {
  it('streams an answer and ends the turn', async () => {
    await using ground = await agentGround([{ text: 'Hello there.', usage: { input: 30, output: 4 } }]);
    const conversation = await ground.open();
    const events = await allOf(conversation.say('Hi'));
    expect(events.map(({ type }) => type)).toEqual([
      'turn-started',
      'step-started',
      'text-added',
      'text-added',
      'turn-ended',
    ]);
    expect(endOf(events)).toEqual({
      type: 'turn-ended',
      depth: 0,
      reason: 'done',
      text: 'Hello there.',
      usage: { inputTokens: 30, outputTokens: 4 },
    });
    expect(conversation.model).toBe('openai/scripted');
    expect(ground.model.requests[0]).toMatchObject({ model: 'scripted', authorization: 'Bearer a-key' });
  });

  it('makes calls and hands their results back, each in the turn', async () => {
    await using ground = await agentGround(
      [
        {
          text: 'I look.',
          calls: [
            { tool: 'read', args: { path: 'a.txt' }, id: 'same' },
            { tool: 'read', args: { path: 'b.txt' }, id: 'same' },
          ],
        },
        { text: 'One and two.' },
      ],
      { files: { 'a.txt': 'one\n', 'b.txt': 'two\n' } },
    );
    const conversation = await ground.open();
    const events = await allOf(conversation.say('What is in the files?'));
    const [, , assistant, ...results] = ground.model.requests[1]!.messages;
    expect(results.map(({ content }) => JSON.parse(String(content)).content)).toEqual(['one', 'two']);
    const ids = assistant!.tool_calls!.map(({ id }) => id);
    expect(new Set(ids).size).toBe(2);
    expect(results.map(({ tool_call_id: id }) => id)).toEqual(ids);
    expect(only(events, 'tool-ended').map(({ tool, outcome }) => [tool, outcome])).toEqual([
      ['read', 'ok'],
      ['read', 'ok'],
    ]);
  });

  it('goes on after a denied call, whose reason the model reads', async () => {
    await using ground = await agentGround(
      [{ calls: [{ tool: 'write', args: { path: 'a.txt', content: 'x' } }] }, { text: 'Then I leave it.' }],
      { mode: 'read-only' },
    );
    const events = await allOf((await ground.open()).say('Write.'));
    expect(only(events, 'tool-ended').map(({ outcome }) => outcome)).toEqual(['denied']);
    expect(ground.model.lastHeard).toContain('read-only');
    expect(endOf(events)).toMatchObject({ reason: 'done', text: 'Then I leave it.' });
  });

  it('goes on in another process by its id, and is listed with its first words', async () => {
    await using ground = await agentGround([{ text: 'Noted.' }, { text: 'It was 7.' }]);
    const first = await ground.open();
    await allOf(first.say('The number is 7.\nKeep it.'));
    const runtime = await ground.workspace.runtime();
    const agents = openAgents(runtime, { environment: ground.environment });
    expect(await agents.list()).toMatchObject([
      { id: first.session.id, title: 'The number is 7.', turns: 1 },
    ]);
    const second = await agents.open({ id: first.session.id });
    expect(second.said).toEqual([
      { by: 'user', text: 'The number is 7.\nKeep it.' },
      { by: 'assistant', text: 'Noted.' },
    ]);
    await allOf(second.say('Which number?'));
    expect(ground.model.requests[1]!.messages.map(({ content }) => content)).toEqual([
      expect.any(String),
      'The number is 7.\nKeep it.',
      'Noted.',
      'Which number?',
    ]);
  });

  it('lets a second turn wait for the first', async () => {
    await using ground = await agentGround([{ text: 'One.' }, { text: 'Two.' }]);
    const conversation = await ground.open();
    const [first, second] = await Promise.all([allOf(conversation.say('1')), allOf(conversation.say('2'))]);
    expect([endOf(first).text, endOf(second).text]).toEqual(['One.', 'Two.']);
    expect(ground.model.requests[1]!.messages).toHaveLength(4);
  });
});
