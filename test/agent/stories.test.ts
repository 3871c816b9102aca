/** Whole stories: a scripted model behind a real endpoint, the real loop, real tools in a small repository. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openAgents } from '../../src/agent/open-agents.ts';
import { scriptedAnthropic } from '../support/scripted-anthropic.ts';
import { tempWorkspace } from '../support/temp-workspace.ts';
import { agentGround, allOf, endOf, only } from './agent-ground.ts';

const TEST = 'if [ "$(sh sum.sh 2 3)" = 5 ]; then echo passed; else echo "2 + 3 is not 5"; exit 1; fi\n';
const REPOSITORY = {
  'sum.sh': 'echo $(($1 - $2))\n',
  'check.sh': TEST,
  Makefile: 'test:\n\t@sh check.sh\n',
  'README.md': '# Sums\n',
};
const FIX = { path: 'sum.sh', old_string: '$1 - $2', new_string: '$1 + $2' };

describe('a failing test', () => {
  it('is found, mended, checked, and the turn can be taken back', async () => {
    await using ground = await agentGround(
      [
        {
          calls: [
            { tool: 'bash', args: { command: 'make test' } },
            { tool: 'grep', args: { pattern: 'sum' } },
          ],
        },
        { calls: [{ tool: 'read', args: { path: 'sum.sh' } }] },
        { text: 'It subtracts.', calls: [{ tool: 'edit', args: FIX }] },
        { text: 'sum.sh adds now.' },
      ],
      { files: REPOSITORY, mode: 'reversible' },
    );
    const path = join(ground.workspace.root, 'sum.sh');
    execFileSync('git', ['init', '-q', ground.workspace.root]);
    const events = await allOf((await ground.open()).say('The test fails. Mend it.'));
    expect(
      only(events, 'tool-ended')
        .map(({ tool, outcome }) => `${tool} ${outcome}`)
        .sort(),
    ).toEqual(['bash failed', 'edit ok', 'grep ok', 'read ok']);
    expect(String(ground.model.requests[1]!.messages.at(-2)!.content)).toContain('2 + 3 is not 5');
    expect(only(events, 'verify-ended')).toMatchObject([
      { command: 'make test', verdict: 'passed', output: 'passed' },
    ]);
    expect(endOf(events)).toMatchObject({ reason: 'done', text: 'sum.sh adds now.' });
    const { turn } = only(events, 'turn-started')[0]!;
    await ground.runtime.undo({ turn });
    expect(readFileSync(path, 'utf8')).toBe(REPOSITORY['sum.sh']);
  });

  it('is mended after the user denied a command, whose reason the agent reads', async () => {
    await using ground = await agentGround(
      [
        { calls: [{ tool: 'bash', args: { command: 'rm check.sh' } }] },
        { calls: [{ tool: 'edit', args: FIX }] },
        { text: 'I mended it instead.' },
      ],
      {
        files: REPOSITORY,
        mode: 'ask',
        approve: async ({ tool }) =>
          tool === 'bash'
            ? { answer: 'deny', reason: 'Keep the test.', by: 'test' }
            : { answer: 'once', by: 'test' },
      },
    );
    const events = await allOf((await ground.open()).say('Make the test pass.'));
    expect(only(events, 'tool-ended').map(({ outcome }) => outcome)).toEqual(['denied', 'ok']);
    expect(String(ground.model.requests[1]!.messages.at(-1)!.content)).toContain('Keep the test.');
    expect(only(events, 'verify-ended')).toMatchObject([{ verdict: 'denied' }]);
    expect(endOf(events)).toMatchObject({ reason: 'done', text: 'I mended it instead.' });
    expect(existsSync(join(ground.workspace.root, 'check.sh'))).toBe(true);
  });
});

describe('a turn that a crash cut short', () => {
  it('leaves a conversation that goes on', async () => {
    await using ground = await agentGround([{ text: 'Where was I?' }]);
    const { conversations } = ground.runtime.agentPorts;
    const { id } = (await ground.open()).session;
    const about = { id, title: 'Read.', dialect: 'handrail', agent: 'build', model: 'scripted', mode: 'ask' };
    await conversations.beginTurn(about);
    const asked = { type: 'text', text: 'Read.' };
    const call = { type: 'tool-call', toolCallId: 'call_1', toolName: 'read', input: { path: 'a.txt' } };
    const user = { by: 'user', message: { role: 'user', content: [asked] } };
    const assistant = { by: 'assistant', message: { role: 'assistant', content: [call] } };
    for (const entry of [user, assistant]) await conversations.append(id, 'turn_1', JSON.stringify(entry));
    const events = await allOf((await ground.open({ id })).say('Go on.'));
    expect(endOf(events)).toMatchObject({ reason: 'done' });
    expect(ground.model.requests[0]!.messages.slice(1)).toMatchObject([
      { role: 'user', content: 'Read.' },
      { role: 'assistant', tool_calls: [{ id: 'call_1' }] },
      { role: 'tool', tool_call_id: 'call_1', content: expect.stringContaining('cut short') },
      { role: 'user', content: 'Go on.' },
    ]);
  });
});

describe('a conversation in the store', () => {
  it('holds no token that somebody wrote into it', async () => {
    const token = `ghp_${'a1B2'.repeat(9)}`;
    await using ground = await agentGround([{ text: `It is ${token}.` }]);
    const conversation = await ground.open();
    await allOf(conversation.say(`The token is ${token}.`));
    const again = await ground.open({ id: conversation.session.id });
    expect(JSON.stringify(again.said)).not.toContain(token);
    expect(JSON.stringify(await ground.agents.list())).not.toContain(token);
  });
});

describe('a model of Anthropic', () => {
  it('is spoken to in its own words', async () => {
    await using workspace = tempWorkspace(REPOSITORY);
    await using model = await scriptedAnthropic([
      { text: 'I look.', calls: [{ tool: 'read', args: { path: 'README.md' } }] },
      { text: 'Sums.', usage: { input: 20, output: 3 } },
    ]);
    const runtime = await workspace.runtime();
    const environment = {
      ANTHROPIC_API_KEY: 'a-key',
      ANTHROPIC_BASE_URL: model.url,
      HANDRAIL_MODEL: 'claude-scripted',
    };
    const conversation = await openAgents(runtime, { environment }).open();
    const events = await allOf(conversation.say('What is it?'));
    expect(conversation.model).toBe('anthropic/claude-scripted');
    expect(endOf(events)).toMatchObject({
      reason: 'done',
      text: 'Sums.',
      usage: { inputTokens: 30, outputTokens: 8 },
    });
    const [, second] = model.requests;
    expect(second).toMatchObject({ model: 'claude-scripted', key: 'a-key' });
    const [user, assistant, result] = second!.messages;
    expect(user).toMatchObject({ role: 'user', content: [{ text: 'What is it?' }] });
    const [, call] = assistant!.content;
    expect(call).toMatchObject({ type: 'tool_use', name: 'read', input: { path: 'README.md' } });
    expect(result!.content[0]).toMatchObject({ type: 'tool_result', tool_use_id: call!['id'] });
    expect(JSON.stringify(result!.content[0])).toContain('# Sums');
  });
});
