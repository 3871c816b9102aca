import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findChecks } from '../../src/agent/find-checks.ts';
import { changesCode } from '../../src/agent/verify.ts';
import type { AgentEvent } from '../../src/agent/conversation.ts';
import type { ModelReply } from '../support/scripted-model.ts';
import { tempWorkspace } from '../support/temp-workspace.ts';
import { agentGround, allOf, endOf, only } from './agent-ground.ts';

const FILES = {
  Makefile: 'test:\n\t@grep -q good a.js || { echo "a.js is not good"; exit 1; }\n',
  'a.js': 'old\n',
};

const write = (content: string, path = 'a.js'): ModelReply => ({
  calls: [{ tool: 'write', args: { path, content } }],
});

function verdicts(events: readonly AgentEvent[]): string[] {
  return only(events, 'verify-ended').map(({ command, verdict }) => `${command}: ${verdict}`);
}

describe('the check after a turn', () => {
  it('sends the agent back to what fails, until it passes', async () => {
    await using ground = await agentGround(
      [write('bad\n'), { text: 'Done.' }, write('good\n'), { text: 'Mended.' }],
      { files: FILES, mode: 'reversible' },
    );
    const events = await allOf((await ground.open()).say('Change it.'));
    expect(verdicts(events)).toEqual(['make test: failed', 'make test: passed']);
    expect(String(ground.model.requests[2]!.messages.at(-1)!.content)).toContain('a.js is not good');
    expect(endOf(events)).toMatchObject({ reason: 'done', text: 'Mended.' });
    expect(endOf(events).trouble).toBeUndefined();
  });

  it('sends it back twice at most, and says that it still fails', async () => {
    await using ground = await agentGround(
      (_request, number) => (number % 2 === 0 ? write(`bad ${number}\n`) : { text: 'Done.' }),
      { files: FILES, mode: 'reversible' },
    );
    const events = await allOf((await ground.open()).say('Change it.'));
    expect(verdicts(events)).toEqual(Array.from({ length: 3 }, () => 'make test: failed'));
    expect(endOf(events)).toMatchObject({
      reason: 'done',
      trouble: { message: expect.stringContaining('make test') },
    });
  });

  it('is not made again where the agent changed nothing since', async () => {
    await using ground = await agentGround(
      [write('bad\n'), { text: 'Done.' }, { text: 'It failed before.' }],
      {
        files: FILES,
        mode: 'reversible',
      },
    );
    const events = await allOf((await ground.open()).say('Change it.'));
    expect(verdicts(events)).toEqual(['make test: failed']);
    expect(endOf(events)).toMatchObject({ text: 'It failed before.', trouble: {} });
  });

  it('is made for what a command or a sub-agent changed, too', async () => {
    const command = { calls: [{ tool: 'bash', args: { command: 'echo good > a.js' } }] };
    const handOver = { calls: [{ tool: 'task', args: { agent: 'general', objective: 'Write.' } }] };
    await using ground = await agentGround(
      ({ messages }, number) => {
        if (String(messages[1]!.content).startsWith('Your task'))
          return messages.length === 2 ? write('good again\n') : { text: 'Ok.' };
        return [command, { text: 'Done.' }, handOver][number] ?? { text: 'Done.' };
      },
      { files: FILES, mode: 'auto' },
    );
    const conversation = await ground.open();
    const first = await allOf(conversation.say('Change it.'));
    expect(verdicts(first)).toEqual(['make test: passed']);
    expect(verdicts(await allOf(conversation.say('Again.')))).toEqual(['make test: passed']);
  });

  it('is not made for documentation, or where nothing was changed', async () => {
    await using ground = await agentGround(
      [write('# x\n', 'docs/x.js'), write('x\n', 'y.md'), { text: 'Done.' }],
      {
        files: FILES,
        mode: 'reversible',
      },
    );
    expect(verdicts(await allOf((await ground.open()).say('Document it.')))).toEqual([]);
  });

  it('obeys the policy: what is denied is not run', async () => {
    await using ground = await agentGround([write('bad\n'), { text: 'Done.' }], {
      files: FILES,
      mode: 'reversible',
      rules: [{ action: 'deny', permission: 'proc.exec', command: 'make *' }],
    });
    const events = await allOf((await ground.open()).say('Change it.'));
    expect(verdicts(events)).toEqual(['make test: denied']);
    expect(ground.model.requests).toHaveLength(2);
  });

  it('that can not run here is no fault of the agent', async () => {
    await using ground = await agentGround([write('x\n'), { text: 'Done.' }], {
      files: FILES,
      mode: 'reversible',
    });
    const settings = { verify: { commands: ['no-such-checker --all'] } };
    const events = await allOf((await ground.openWith(settings)).say('Change it.'));
    expect(verdicts(events)).toEqual(['no-such-checker --all: environment']);
    expect(ground.model.requests).toHaveLength(2);
    expect(endOf(events).trouble).toBeUndefined();
  });

  it('can be several, in the order of the settings, or switched off', async () => {
    await using ground = await agentGround(
      (_request, number) => (number % 2 === 0 ? write(`${number}\n`) : { text: 'Done.' }),
      { files: FILES, mode: 'reversible' },
    );
    const two = await ground.openWith({ verify: { commands: ['true', 'exit 3'], attempts: 0 } });
    expect(verdicts(await allOf(two.say('Change it.')))).toEqual(['true: passed', 'exit 3: failed']);
    const none = await ground.openWith({ verify: { off: true } });
    expect(verdicts(await allOf(none.say('Change it.')))).toEqual([]);
    expect(readFileSync(join(ground.workspace.root, 'a.js'), 'utf8')).toBe('2\n');
  });
});

describe('findChecks', () => {
  const npm = (test?: string): string => JSON.stringify({ scripts: test === undefined ? {} : { test } });
  it.each<[what: string, files: Readonly<Record<string, string>>, commands: readonly string[]]>([
    ['Go', { 'go.mod': 'module x\n' }, ['go test ./...']],
    ['Rust', { 'Cargo.toml': '' }, ['cargo test']],
    ['Python', { 'pyproject.toml': '' }, ['pytest']],
    ['Python with a list of packages', { 'requirements.txt': '' }, ['pytest']],
    ['Node', { 'package.json': npm('node --test') }, ['npm test']],
    ['Node with pnpm', { 'package.json': npm('node --test'), 'pnpm-lock.yaml': '' }, ['pnpm test']],
    ['Node without tests', { 'package.json': npm('echo "Error: no test specified" && exit 1') }, []],
    ['Node without scripts', { 'package.json': npm() }, []],
    ['Node and make', { 'package.json': '{', Makefile: 'all:\n\ntest: all\n' }, ['make test']],
    ['make without tests', { Makefile: 'TEST := 1\ntest := 2\nall:\n' }, []],
    ['nothing known', {}, []],
  ])('finds how %s is checked', async (_what, files, commands) => {
    await using workspace = tempWorkspace(files);
    const { agentPorts } = await workspace.runtime();
    expect(await findChecks(agentPorts)).toEqual(commands);
  });
});

describe('changesCode', () => {
  it.each([
    ['src/a.ts', true],
    ['a.MD', false],
    ['docs/a.ts', false],
    ['src/docs/a.ts', true],
    ['notes.txt', false],
    ['a.adoc', false],
    ['.git/index', false],
    ['.github/workflows/x.yml', true],
  ])('of %s is %s', (path, expected) => {
    expect(changesCode([{ path, change: 'updated', reversible: true }])).toBe(expected);
  });
});
