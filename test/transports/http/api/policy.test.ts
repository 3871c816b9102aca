/** The policy over the API: the rules as they are written, rehearsals, and replays. */
import { describe, expect, it } from 'vitest';
import type { Client } from '../../../../src/client/index.ts';
import { shared } from '../../../support/shared.ts';
import { AS, type Serving, serving } from '../serving.ts';

const DENIES = '{ "rules": [{ "action": "deny", "permission": "fs.read", "path": "a.txt" /* no more */ }] }';

let server: Serving;
let person: Client;
let agent: Client;

shared(async (stack) => {
  server = stack.use(await serving());
  ({ agent, person } = server);
  await server.runtime.call('read', { path: 'a.txt' });
  await server.runtime.call('list', {});
});

describe('showPolicy', () => {
  it('shows every layer with its rules as they are written, and the files they stand in', async () => {
    const { mode, settings, layers } = await person.showPolicy();
    expect({ mode, settings }).toEqual({ mode: 'ask', settings: 'none' });
    expect(layers.map(({ name, file }) => [name, file])).toEqual([
      ['dialect', undefined],
      ['defaults', undefined],
      ['user', `${server.workspace.locations.config}/config.jsonc`],
      ['caller', undefined],
      ['project', `${server.workspace.root}/.handrail/config.jsonc`],
    ]);
    expect(layers[1]!.rules[0]).toMatchObject({ id: 'defaults#1', counts: true, rule: { action: 'ask' } });
  });

  it('cites rules as decisions do', async () => {
    const { decision } = await person.explainCall({ tool: 'read', args: { path: 'a.txt' } });
    const { layers } = await person.showPolicy();
    expect(layers.flatMap(({ rules }) => rules.map(({ id }) => id))).toContain(decision.rule);
  });

  it('knows no dialect that is not there', async () => {
    await expect(person.showPolicy({ dialect: 'klingon' })).rejects.toMatchObject({
      status: 400,
      hint: expect.stringContaining('handrail') as string,
    });
  });
});

describe('explainCall', () => {
  it('tells what would be decided, and by which rule, in a mode and a dialect', async () => {
    const write = { tool: 'write', args: { path: 'a.txt', content: 'new\n' } };
    expect((await agent.explainCall(write)).decision.action).toBe('ask');
    const codelab = { tool: 'write_file', args: { path: 'a.txt', content: '' }, dialect: 'codelab' };
    expect(await agent.explainCall({ ...codelab, mode: 'read-only' })).toMatchObject({
      decision: { action: 'deny', rule: 'mode:read-only' },
      accesses: [{ permission: 'fs.read' }, { permission: 'fs.write', resource: 'a.txt' }],
    });
  });

  it('shows a person what would change, and an agent nothing that stands in files', async () => {
    const write = { tool: 'write', args: { path: 'a.txt', content: 'new\n' } };
    expect((await person.explainCall(write)).preview?.text).toContain('-old');
    expect(JSON.stringify(await agent.explainCall(write))).not.toContain('old');
  });

  it('says what is wrong with a call that could not run', async () => {
    await expect(agent.explainCall({ tool: 'raed', args: {} })).rejects.toMatchObject({ code: 'E_NO_TOOL' });
  });
});

describe('replayPolicy', () => {
  it('tells which recorded calls changed settings would decide otherwise', async () => {
    expect(await person.replayPolicy({})).toEqual({ calls: 2, changed: 0, differences: [] });
    for (const of of ['user', 'project'] as const)
      expect(await person.replayPolicy({ settings: DENIES, of })).toEqual({
        calls: 2,
        changed: 1,
        differences: [
          {
            call_id: expect.any(String) as string,
            tool: 'handrail:read',
            before: 'allow',
            after: 'deny',
            rule: `${of}#1`,
          },
        ],
      });
  });

  it('looks at the newest calls alone where it is told to', async () => {
    expect(await person.replayPolicy({ settings: DENIES, limit: 1 })).toMatchObject({ calls: 1, changed: 0 });
  });

  it('refuses settings that could not be used', async () => {
    await expect(person.replayPolicy({ settings: '{ "rulez": [] }' })).rejects.toMatchObject({
      status: 400,
      message: expect.stringContaining('did you mean "rules"?') as string,
    });
  });
});

describe('a session that is open', () => {
  it('has its grants shown, and calls rehearsed in it', async () => {
    const write = { tool: 'write', args: { path: 'granted.txt', content: 'x\n' }, session: 'ses_granted' };
    await agent.openSession({ id: write.session });
    expect((await person.explainCall(write)).decision.action).toBe('ask');
    const call = agent.makeCall(write);
    const [question] = await server.questions.whenOpen();
    await person.answerApproval({ id: question!.id, answer: 'session' });
    await call;
    const { grants } = await person.showPolicy({ session: write.session });
    expect(grants).toContainEqual({ tool: 'write', permission: 'fs.write', resolved: 'granted.txt' });
    expect((await agent.explainCall(write)).decision.action).toBe('allow');
    await expect(agent.explainCall({ ...write, session: 'ses_none' })).rejects.toMatchObject({ status: 404 });
  });
});

describe('an agent without the approval key', () => {
  it('is refused the rules and their replay', async () => {
    expect((await server.send('/api/policy', { headers: AS.agent })).status).toBe(403);
    expect((await server.post('/api/policy/replay', AS.agent)).status).toBe(403);
  });
});
