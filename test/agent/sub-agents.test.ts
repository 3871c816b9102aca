import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ModelReply, ModelRequest } from '../support/scripted-model.ts';
import { tempWorkspace } from '../support/temp-workspace.ts';
import { agentGround, allOf, endOf, only } from './agent-ground.ts';

const FILES = { 'a.txt': 'one\n' };

function handOver(agent: string, objective = 'Do it.'): ModelReply {
  return { calls: [{ tool: 'task', args: { agent, objective } }] };
}

/** What the model is told first: whose turn it is to speak. */
function isChild({ messages }: ModelRequest): boolean {
  return String(messages[1]!.content).startsWith('Your task: ');
}

/** A model whose parent hands one task over, and whose child goes by a script of its own. */
function family(agent: string, child: readonly ModelReply[]): (request: ModelRequest) => ModelReply {
  let [said, heard] = [0, 0];
  return (request) => {
    if (isChild(request)) return child[said++] ?? { text: 'The child is done.' };
    return heard++ === 0 ? handOver(agent) : { text: 'The parent is done.' };
  };
}

const write = (content: string) => ({ tool: 'write', args: { path: 'b.txt', content } });

describe('a sub-agent', () => {
  it('works on its task, and its parent reads its last words', async () => {
    await using ground = await agentGround(
      family('explore', [{ calls: [{ tool: 'read', args: { path: 'a.txt' } }] }, { text: 'It says one.' }]),
      { files: FILES, mode: 'reversible' },
    );
    const events = await allOf((await ground.open()).say('Find out.'));
    expect(JSON.parse(ground.model.lastHeard)).toEqual({
      ok: true,
      agent: 'explore',
      summary: 'It says one.',
    });
    expect(
      events
        .filter(({ type }) => type !== 'text-added' && type !== 'step-started')
        .map(({ type, depth }) => [type, depth]),
    ).toEqual([
      ['turn-started', 0],
      ['tool-called', 0],
      ['agent-started', 1],
      ['tool-called', 1],
      ['tool-ended', 1],
      ['agent-ended', 1],
      ['tool-ended', 0],
      ['turn-ended', 0],
    ]);
    expect(endOf(events)).toMatchObject({ reason: 'done', usage: { inputTokens: 40, outputTokens: 20 } });
  });

  it('changes files in the turn of its parent, and undo takes them back with it', async () => {
    await using ground = await agentGround(family('general', [{ calls: [write('child\n')] }]), {
      files: FILES,
      mode: 'reversible',
    });
    const events = await allOf((await ground.open()).say('Write.'));
    const { turn } = only(events, 'turn-started')[0]!;
    const path = join(ground.workspace.root, 'b.txt');
    expect(readFileSync(path, 'utf8')).toBe('child\n');
    expect((await ground.runtime.turns()).map(({ id }) => id)).toEqual([turn]);
    await ground.runtime.undo({ turn });
    expect(existsSync(path)).toBe(false);
  });

  it.each<[what: string, parent: string, child: string]>([
    ['its own definition lacks', 'build', 'explore'],
    ['its parent lacks', 'plan', 'general'],
  ])('can not do what %s', async (_what, parent, child) => {
    const command = { tool: 'bash', args: { command: 'echo x > b.txt' } };
    await using ground = await agentGround(family(child, [{ calls: [write('x'), command] }]), {
      files: FILES,
      mode: 'auto',
    });
    const events = await allOf((await ground.open({ agent: parent })).say('Write.'));
    const ended = only(events, 'tool-ended').filter(({ depth }) => depth === 1);
    expect(ended).toHaveLength(2);
    expect(ended.filter(({ outcome }) => outcome === 'ok')).toEqual([]);
    expect(existsSync(join(ground.workspace.root, 'b.txt'))).toBe(false);
    const asked = ground.model.requests.find(isChild)!;
    expect(asked.tools!.map(({ function: { name } }) => name)).not.toContain('write');
  });

  it('hands nothing on, and leaves the list of its parent alone', async () => {
    const todos = { tool: 'todowrite', args: { todos: [] } };
    const task = { tool: 'task', args: { agent: 'general', objective: 'Again.' } };
    await using ground = await agentGround(family('general', [{ calls: [task, todos] }]), { mode: 'auto' });
    const events = await allOf((await ground.open()).say('Go.'));
    const ended = only(events, 'tool-ended').filter(({ depth }) => depth === 1);
    expect(ended.map(({ reply }) => (reply as { code: string }).code)).toEqual(['E_NO_TOOL', 'E_NO_TOOL']);
    expect(ground.model.requests.filter(isChild)).toHaveLength(2);
  });

  it('shares what the user granted to its parent for the session, and no other', async () => {
    const asked: string[] = [];
    await using ground = await agentGround(
      (request) => {
        if (isChild(request))
          return request.messages.length === 2 ? { calls: [write('2')] } : { text: 'Ok.' };
        const number = request.messages.filter(({ role }) => role === 'assistant').length;
        return [{ calls: [write('1')] }, handOver('general')][number] ?? { text: 'Ok.' };
      },
      {
        mode: 'ask',
        rules: [{ action: 'allow', permission: 'agent.spawn' }],
        approve: async ({ tool }) => {
          asked.push(tool);
          return { answer: 'session', by: 'test' };
        },
      },
    );
    const events = await allOf((await ground.open()).say('Write twice.'));
    expect(only(events, 'tool-ended').map(({ outcome }) => outcome)).toEqual(['ok', 'ok', 'ok']);
    expect(asked).toEqual(['write']);
  });

  it('is asked about in mode ask, and denied where nobody is there', async () => {
    await using ground = await agentGround([handOver('explore')], { mode: 'ask' });
    const events = await allOf((await ground.open()).say('Find out.'));
    expect(only(events, 'tool-ended')).toMatchObject([{ outcome: 'denied' }]);
    expect(ground.model.requests.filter(isChild)).toEqual([]);
  });

  it('is one to hand tasks to, by a name that there is', async () => {
    await using ground = await agentGround([handOver('build'), handOver('nobody')], { mode: 'auto' });
    const events = await allOf((await ground.open()).say('Go.'));
    expect(only(events, 'tool-ended').map(({ reply }) => (reply as { error: string }).error)).toEqual([
      'args: The agent build is not one to hand tasks to. There are general, explore.',
      'args: There is no agent "nobody". There are general, explore.',
    ]);
  });

  it('ends with the turn that is cancelled', async () => {
    await using ground = await agentGround(family('general', [{ text: 'Half', hangs: true }]), {
      mode: 'auto',
    });
    const cancel = new AbortController();
    const events = [];
    for await (const event of (await ground.open()).say('Go.', { signal: cancel.signal })) {
      events.push(event);
      if (event.type === 'text-added') cancel.abort();
    }
    expect(only(events, 'tool-ended')).toMatchObject([{ outcome: 'cancelled' }]);
    expect(endOf(events).reason).toBe('cancelled');
  });
});

describe('task.run', () => {
  it('says what is missing where no model is configured', async () => {
    await using workspace = tempWorkspace();
    const runtime = await workspace.runtime({ mode: 'auto' });
    const { reply } = await runtime.call('task', { agent: 'explore', objective: 'Look.' });
    expect(reply).toEqual({
      ok: false,
      error:
        'There is no model here that a sub-agent could think with. Do the task yourself, or let the user connect a model: HANDRAIL_MODEL, and the key of its provider.',
      code: 'E_UNSUPPORTED',
    });
  });

  it('refuses an empty objective', async () => {
    await using ground = await agentGround([], { mode: 'auto' });
    const { reply } = await ground.runtime.call('task', { agent: 'explore', objective: ' \n' });
    expect(reply).toMatchObject({ ok: false, code: 'E_INVALID_ARGS' });
  });

  it('works for a caller without a conversation', async () => {
    await using ground = await agentGround([{ text: 'Found.' }], { mode: 'auto' });
    const { reply } = await ground.runtime.call('task', { agent: 'explore', objective: 'Look.' });
    expect(reply).toEqual({ ok: true, agent: 'explore', summary: 'Found.' });
  });
});
