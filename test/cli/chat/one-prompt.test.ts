/** `handrail chat -p` as a script uses it: real processes, a scripted model behind a real endpoint. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { connectedTo } from '../../support/chat.ts';
import { handrail } from '../../support/command-line.ts';
import { type ModelReply, scriptedModel } from '../../support/scripted-model.ts';
import { tempWorkspace } from '../../support/temp-workspace.ts';

const WRITE: readonly ModelReply[] = [
  { text: 'I write it.', calls: [{ tool: 'write', args: { path: 'a.txt', content: 'new\n' } }] },
  { text: 'Written, with \u001b[31mcolour.', usage: { input: 20, output: 4 } },
];

describe('handrail chat -p', () => {
  it('prints one JSON object, and takes what is piped in for context', async () => {
    await using workspace = tempWorkspace();
    await using model = await scriptedModel(WRITE);
    const ran = await handrail(
      workspace,
      ['chat', '-p', 'Write it.', '--output', 'json', '--yes'],
      'piped in\n',
      connectedTo(model),
    );
    expect({ exitCode: ran.exitCode, stderr: ran.stderr }).toEqual({ exitCode: 0, stderr: '' });
    expect(JSON.parse(ran.stdout)).toEqual({
      text: expect.stringMatching(/Written, with \u001b\[31mcolour\.$/),
      reason: 'done',
      session: expect.stringMatching(/^ses_/),
      turn: expect.stringMatching(/^turn_/),
      model: 'openai/scripted',
      usage: { inputTokens: 30, outputTokens: 9 },
      changed: [{ path: 'a.txt', change: 'created' }],
    });
    expect(ran.stdout).not.toContain('\u001b');
    expect(model.requests[0]?.messages.at(-1)?.content).toBe('Write it.\n\npiped in\n');
    expect(readFileSync(join(workspace.root, 'a.txt'), 'utf8')).toBe('new\n');
    const { session } = JSON.parse(ran.stdout) as { session: string };
    const listed = await handrail(workspace, ['chat', '--sessions']);
    expect(listed.stdout.split('\n')[1]).toMatch(new RegExp(`${session} +1 +Write it\\.$`));
  });

  it('ends with 3 where something was denied, since nobody can be asked', async () => {
    await using workspace = tempWorkspace();
    await using model = await scriptedModel(WRITE);
    const ran = await handrail(workspace, ['chat', '-p', 'Write it.'], '', connectedTo(model));
    expect(ran.exitCode).toBe(3);
    expect(ran.stderr).toContain('handrail: what it wanted of write was denied.\n');
    expect(ran.stdout).toContain(String.raw`Written, with \u001b[31mcolour.`);
    expect(JSON.stringify(model.requests.at(-1)?.messages.at(-1))).toContain('Nobody can be asked here');
  });

  it('prints every event as a line of JSON, tokens masked', async () => {
    await using workspace = tempWorkspace();
    const token = `ghp_${'a1B2'.repeat(9)}`;
    await using model = await scriptedModel([{ text: `The token is ${token}.` }]);
    const ran = await handrail(
      workspace,
      ['chat', '-p', 'Say it.', '--output', 'stream-json'],
      '',
      connectedTo(model),
    );
    const events = ran.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { type: string });
    expect(events.map(({ type }) => type)).toEqual(
      expect.arrayContaining(['turn-started', 'step-started', 'text-added', 'turn-ended']),
    );
    expect(events.at(-1)?.type).toBe('turn-ended');
    expect(ran.stdout).not.toContain(token);
    expect(ran.exitCode).toBe(0);
  });

  it('ends with 1 and says why where the model can not be asked', async () => {
    await using workspace = tempWorkspace();
    await using model = await scriptedModel([{ refusal: { status: 401, message: 'wrong key' } }]);
    const ran = await handrail(
      workspace,
      ['chat', '-p', 'Hello', '--output', 'json'],
      '',
      connectedTo(model),
    );
    expect(ran.exitCode).toBe(1);
    expect(JSON.parse(ran.stdout)).toMatchObject({
      reason: 'failed',
      trouble: { message: expect.any(String) },
    });
    expect(ran.stderr).toContain('handrail: ');
  });

  it('says in three lines how to connect a model where there is none', async () => {
    await using workspace = tempWorkspace();
    const ran = await handrail(workspace, ['chat', '-p', 'Hello']);
    expect({ exitCode: ran.exitCode, stdout: ran.stdout }).toEqual({ exitCode: 2, stdout: '' });
    expect(ran.stderr.trim().split('\n')).toHaveLength(3);
    expect(ran.stderr).toMatch(/ANTHROPIC_API_KEY[^]*OPENAI_BASE_URL[^]*--demo/);
  });
});

describe('handrail chat --demo', () => {
  it('replays a session on a real project, shows its question answered, and takes it back', async () => {
    await using workspace = tempWorkspace();
    const ran = await handrail(workspace, ['chat', '--demo']);
    expect({ exitCode: ran.exitCode, stderr: ran.stderr }).toEqual({ exitCode: 0, stderr: '' });
    const story = [
      'This is a replay.',
      '✗ bash sh test.sh',
      '✓ grep Wrold',
      '  | +name=${1:-World}',
      'the replay says yes, once',
      '✓ edit greet.sh',
      'Now the test again.',
      '✓ bash sh test.sh',
      'changed greet.sh +1 −1',
      '› /undo',
      'restored   greet.sh',
    ];
    const places = story.map((line) => ran.stdout.indexOf(line));
    expect(places).toEqual(places.toSorted((one, other) => one - other));
    expect(places).not.toContain(-1);
  });
});
