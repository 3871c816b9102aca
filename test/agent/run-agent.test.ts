import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { agentGround, allOf, endOf, only } from './agent-ground.ts';

const FILES = { 'a.txt': 'one\n' };
const READ = { tool: 'read', args: { path: 'a.txt' } };

describe('a provider in trouble', () => {
  it('is asked again after 503 and 429, and waits as long as it is told to', async () => {
    await using ground = await agentGround([
      { refusal: { status: 503, message: 'Overloaded.' } },
      { refusal: { status: 429, message: 'Slow down.', headers: { 'retry-after-ms': '7' } } },
      { text: 'Here I am.' },
    ]);
    const events = await allOf((await ground.open()).say('Hi'));
    expect(only(events, 'retrying')).toMatchObject([
      { attempt: 1, reason: 'HTTP 503: Overloaded.', afterMs: 150 },
      { attempt: 2, reason: 'HTTP 429: Slow down.', afterMs: 7 },
    ]);
    expect(endOf(events)).toMatchObject({ reason: 'done', text: 'Here I am.' });
  });

  it('is not asked again where it refuses, and the turn says what to do', async () => {
    await using ground = await agentGround([{ refusal: { status: 401, message: 'Wrong key.' } }]);
    const events = await allOf((await ground.open()).say('Hi'));
    expect(endOf(events)).toMatchObject({
      reason: 'failed',
      trouble: {
        message: 'The model openai/scripted could not be asked. HTTP 401: Wrong key.',
        hint: 'Look at the key in your environment.',
      },
    });
    expect(ground.model.requests).toHaveLength(1);
  });

  it('is not waited for longer than a minute', async () => {
    await using ground = await agentGround([
      { refusal: { status: 429, message: 'Tomorrow.', headers: { 'retry-after': '86400' } } },
    ]);
    const events = await allOf((await ground.open()).say('Hi'));
    expect(endOf(events)).toMatchObject({
      reason: 'failed',
      trouble: { hint: expect.stringContaining('later') },
    });
  });

  it('loses nothing of an answer that breaks off', async () => {
    await using ground = await agentGround([
      { text: 'The first half', isCut: true },
      { text: ' and the rest.' },
    ]);
    const conversation = await ground.open();
    const events = await allOf(conversation.say('Hi'));
    expect(endOf(events)).toMatchObject({ reason: 'done', text: 'The first half and the rest.' });
    expect(ground.model.requests[1]!.messages.slice(2)).toMatchObject([
      { role: 'assistant', content: 'The first half' },
      { role: 'user', content: expect.stringContaining('broke off') },
    ]);
  });
});

describe('a call of the model', () => {
  it('with broken JSON is answered with what is wrong with it', async () => {
    await using ground = await agentGround(
      [{ calls: [{ tool: 'read', args: '{"path": "a.txt"' }] }, { calls: [READ] }, { text: 'It says one.' }],
      { files: FILES },
    );
    const events = await allOf((await ground.open()).say('Read.'));
    expect(String(ground.model.requests[1]!.messages.at(-1)!.content)).toMatch(
      /^The arguments of read are not JSON: .+ Make the call again/,
    );
    expect(only(events, 'tool-ended').map(({ outcome }) => outcome)).toEqual(['failed', 'ok']);
    expect(endOf(events).text).toBe('It says one.');
  });

  it('of a tool that is not there is answered with the nearest one', async () => {
    await using ground = await agentGround([{ calls: [{ tool: 'raed', args: {} }] }]);
    await allOf((await ground.open()).say('Read.'));
    expect(ground.model.lastHeard).toContain('Did you mean read');
  });

  it('may be written as text where it makes no others', async () => {
    await using ground = await agentGround(
      [{ text: 'I look: {"tool": "read", "args": {"path": "a.txt"}}' }, { text: 'It says one.' }],
      { files: FILES },
    );
    const events = await allOf((await ground.open()).say('Read.'));
    expect(ground.model.requests[1]!.messages.at(-1)).toMatchObject({
      role: 'user',
      content: expect.stringMatching(/^Result of read: .*"content":"one"/),
    });
    expect(endOf(events)).toMatchObject({ reason: 'done', text: 'It says one.' });
  });

  it('is only text where the model makes others', async () => {
    const quoted = 'The file says {"tool": "read", "args": {"path": "a.txt"}}.';
    await using ground = await agentGround([{ calls: [READ] }, { text: quoted }], { files: FILES });
    const events = await allOf((await ground.open()).say('Read.'));
    expect(endOf(events).text).toBe(quoted);
    expect(ground.model.requests).toHaveLength(2);
  });

  it('with a dot in its name is known without it', async () => {
    await using ground = await agentGround([{ calls: [{ tool: 'git_status', args: {} }] }], {
      dialect: 'codelab',
    });
    const events = await allOf((await ground.open()).say('Status.'));
    expect(only(events, 'tool-called')).toMatchObject([{ tool: 'git.status' }]);
    expect(ground.model.requests[0]!.tools!.map(({ function: { name } }) => name)).toContain('git_status');
  });

  it('that changes something waits for the one before it', async () => {
    const edit = (from: string, to: string) => ({
      tool: 'edit',
      args: { path: 'a.txt', old_string: from, new_string: to },
    });
    await using ground = await agentGround([{ calls: [READ, edit('one', 'two'), edit('two', 'three')] }], {
      files: FILES,
      mode: 'reversible',
    });
    await allOf((await ground.open()).say('Count.'));
    expect(readFileSync(join(ground.workspace.root, 'a.txt'), 'utf8')).toBe('three\n');
  });
});

describe('an agent', () => {
  it('that goes in circles is told once, then stopped', async () => {
    await using ground = await agentGround(() => ({ calls: [READ] }), { files: FILES });
    const events = await allOf((await ground.open()).say('Read.'));
    expect(endOf(events)).toMatchObject({
      reason: 'going-in-circles',
      trouble: { hint: expect.any(String) },
    });
    expect(ground.model.requests).toHaveLength(5);
    const told = ground.model.lastHeard;
    expect(told).not.toContain('same call');
    const notes = ground.model.requests[4]!.messages.filter(({ content }) =>
      String(content).includes('same call'),
    );
    expect(notes).toHaveLength(1);
  });

  it('stops after its steps, and goes on when it is told to', async () => {
    const settings = { agents: { quick: { kind: 'primary', description: 'Quick.', maxSteps: 2 } } };
    await using ground = await agentGround((_request, number) =>
      number < 2 ? { calls: [{ tool: 'glob', args: { pattern: `${number}*` } }] } : { text: 'Now.' },
    );
    const conversation = await ground.openWith(settings, { agent: 'quick' });
    expect(endOf(await allOf(conversation.say('Search.')))).toMatchObject({ reason: 'step-limit' });
    expect(endOf(await allOf(conversation.say('Go on.')))).toMatchObject({ reason: 'done', text: 'Now.' });
  });

  it('that only plans has no tool that writes, and its commands only read', async () => {
    await using ground = await agentGround(
      [
        {
          calls: [
            { tool: 'write', args: { path: 'a.txt', content: 'x' } },
            { tool: 'bash', args: { command: 'rm a.txt' } },
          ],
        },
        { text: 'A plan.' },
      ],
      { files: FILES, mode: 'auto' },
    );
    const events = await allOf((await ground.open({ agent: 'plan' })).say('Plan.'));
    const told = ground.model.requests[0]!.tools!.map(({ function: { name } }) => name);
    expect(told).toContain('bash');
    expect(told).not.toContain('write');
    expect(only(events, 'tool-ended').map(({ outcome }) => outcome)).toEqual(['failed', 'denied']);
    expect(readFileSync(join(ground.workspace.root, 'a.txt'), 'utf8')).toBe('one\n');
  });
});

describe('a cancelled turn', () => {
  it('keeps what was said, and every call has a result', async () => {
    await using ground = await agentGround(
      [
        { calls: [{ tool: 'bash', args: { command: 'echo begun; sleep 600' } }, READ] },
        { text: 'Half of', hangs: true },
        { text: 'Well.' },
      ],
      { files: FILES, mode: 'auto', rules: [{ action: 'allow', permission: 'proc.exec' }] },
    );
    const conversation = await ground.open();
    const first = new AbortController();
    const events = [];
    for await (const event of conversation.say('Wait.', { signal: first.signal })) {
      events.push(event);
      if (event.type === 'tool-output') first.abort();
    }
    expect(endOf(events).reason).toBe('cancelled');
    expect(only(events, 'tool-ended').map(({ outcome }) => outcome)).toEqual(['cancelled']);
    const second = new AbortController();
    for await (const event of conversation.say('Talk.', { signal: second.signal }))
      if (event.type === 'text-added') second.abort();
    await allOf(conversation.say('And now?'));
    expect(ground.model.requests[2]!.messages.slice(1)).toMatchObject([
      { role: 'user', content: 'Wait.' },
      { role: 'assistant', tool_calls: [{}, {}] },
      { role: 'tool', content: expect.stringContaining('cancel') },
      { role: 'tool', content: expect.stringContaining('before this call was begun') },
      { role: 'user', content: 'Talk.' },
      { role: 'assistant', content: 'Half of' },
      { role: 'user', content: 'And now?' },
    ]);
  });

  it('is one that nobody listens to any more', async () => {
    await using ground = await agentGround([{ text: 'Half of', hangs: true }, { text: 'Well.' }]);
    const conversation = await ground.open();
    for await (const event of conversation.say('Talk.')) if (event.type === 'text-added') break;
    expect(endOf(await allOf(conversation.say('And now?'))).text).toBe('Well.');
  });
});
