/** Questions and their answers over the API, with real calls that wait. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ApiFailure } from '../../../../src/client/index.ts';
import type { CallResponse, Runtime } from '../../../../src/index.ts';
import { projectRegistry } from '../../../../src/project-registry.ts';
import type { Approvals } from '../../../../src/store/tables.ts';
import { shared } from '../../../support/shared.ts';
import { type TempWorkspace, tempWorkspace } from '../../../support/temp-workspace.ts';
import { AS, type Serving, serving } from '../serving.ts';
import { clientOf } from './asking.ts';

let server: Serving;
let other: TempWorkspace;
let elsewhere: Runtime;
shared(async (stack) => {
  server = stack.use(await serving());
  other = stack.use(tempWorkspace({ 'a.txt': 'old\n' }));
  elsewhere = await other.runtime({ wait: true, readConfig: true, locations: server.workspace.locations });
});

interface Asked extends AsyncDisposable {
  readonly id: string;
  readonly call: Promise<CallResponse>;
}

/** A call that waits; what is not answered by the end is denied. */
async function asked(
  tool = 'write',
  args: unknown = { path: 'new.txt', content: 'new\n' },
  runtime = server.runtime,
): Promise<Asked> {
  const call = runtime.call(tool, args);
  const [question] = (await server.questions.whenOpen()) as [Approvals];
  const { id } = question;
  const isApproval = !('kind' in (JSON.parse(question.request) as object));
  return {
    id,
    call,
    async [Symbol.asyncDispose]() {
      await server.questions.answer(id, isApproval ? { answer: 'deny' } : { kind: 'declined' });
      await call;
    },
  };
}

const HIDDEN = 'shown with the approval key';

describe('listApprovals, showApproval', () => {
  it('show a question whole to the person, with what an answer can be', async () => {
    await using question = await asked();
    const shown = await clientOf(server).showApproval(question);
    expect(shown).toMatchObject({
      id: question.id,
      workspace: server.workspace.root,
      isEditable: true,
      request: {
        tool: 'write',
        args: { path: 'new.txt', content: 'new\n' },
        accesses: [{ permission: 'fs.read' }, { permission: 'fs.write', resolved: 'new.txt' }],
        alwaysRule: { action: 'allow' },
        preview: { kind: 'diff', text: expect.stringContaining('+new') as string },
      },
    });
    expect(await clientOf(server).listApprovals()).toEqual({ approvals: [shown] });
  });

  it('show the parts of a command', async () => {
    await using question = await asked('bash', { command: 'FOO=1 make "$X" && rm -r build > log.txt' });
    const { request } = await clientOf(server).showApproval(question);
    expect(request).toMatchObject({
      accesses: expect.arrayContaining([
        expect.objectContaining({ command: expect.objectContaining({ words: ['make', null] }) as unknown }),
        expect.objectContaining({
          command: expect.objectContaining({ words: ['rm', '-r', 'build'] }) as unknown,
        }),
      ]) as unknown,
    });
  });

  it('tell who has no key that there is one, and nothing of what it is about', async () => {
    const args = { path: 'secret-name.txt', content: 'secret\n' };
    await using question = await asked('write', args);
    const shown = await clientOf(server, 'agent').showApproval(question);
    expect(shown).toMatchObject({
      isEditable: false,
      request: { tool: 'write', hash: HIDDEN, args: HIDDEN, accesses: [] },
    });
    expect(await clientOf(server, 'agent').listApprovals()).toEqual({ approvals: [shown] });
    expect(JSON.stringify(shown)).not.toContain('secret');
  });

  it('show questions of agents', async () => {
    await using question = await asked('ask_user', { message: 'Which?', choices: ['one', 'two'] });
    expect(await clientOf(server).showApproval(question)).toMatchObject({
      request: { kind: 'choice', message: 'Which?', choices: ['one', 'two'] },
      isEditable: false,
    });
    expect(await clientOf(server, 'agent').showApproval(question)).toMatchObject({
      request: { hash: HIDDEN, message: HIDDEN, choices: [] },
    });
  });

  it('know only what is open', async () => {
    const question = await asked();
    await question[Symbol.asyncDispose]();
    await expect(clientOf(server).showApproval(question)).rejects.toMatchObject({
      status: 409,
      message: 'The question is not open any more (used).',
    });
    await expect(clientOf(server).showApproval({ id: 'apr_none' })).rejects.toMatchObject({ status: 404 });
    expect(await clientOf(server).listApprovals()).toEqual({ approvals: [] });
  });
});

describe('answerApproval', () => {
  it('lets the call pass that waits, once, and the audit names where the yes came from', async () => {
    for (const [headers, by] of [
      [AS.person, 'api'],
      [{ ...AS.person, origin: server.url.origin }, 'page'],
    ] as const) {
      await using question = await asked('write', { path: `${by}.txt`, content: 'new\n' });
      const path = `/api/approvals/${question.id}/answer`;
      expect(await server.post(path, headers, { answer: 'once' })).toMatchObject({
        status: 200,
        body: '{"answered":"once"}',
      });
      const { outcome, callId } = await question.call;
      expect(outcome).toBe('ok');
      await server.runtime.flush();
      expect((await server.records.audit.show(callId))?.at(-1)).toMatchObject({ approver: by });
      expect((await server.post(path, headers, { answer: 'once' })).status).toBe(409);
    }
  });

  it('takes other arguments, once they were looked at', async () => {
    await using question = await asked();
    const client = clientOf(server);
    const edit = (args: unknown) => client.answerApproval({ id: question.id, answer: 'edit', args });
    await expect(edit({ path: 'new.txt' })).rejects.toThrow('"content" is missing');
    await expect(edit({ path: '../out/s.txt', content: 'x' })).rejects.toThrow('outside');
    expect(await edit({ path: 'edited.txt', content: 'mine\n' })).toEqual({ answered: 'edit' });
    expect(await question.call).toMatchObject({ outcome: 'ok' });
    expect(readFileSync(join(server.workspace.root, 'edited.txt'), 'utf8')).toBe('mine\n');
  });

  it('takes them for another workspace where that is a registered project', async () => {
    const args = { path: 'a.txt', content: 'new\n' };
    const edited = { answer: 'edit', args: { path: 'b.txt', content: 'mine\n' } } as const;
    const client = clientOf(server);
    await elsewhere.call('read', { path: 'a.txt' });
    {
      await using question = await asked('write', args, elsewhere);
      expect(await client.showApproval(question)).toMatchObject({ isEditable: false });
      await expect(client.answerApproval({ id: question.id, ...edited })).rejects.toThrow(
        '"edit" is not offered',
      );
      expect(await client.answerApproval({ id: question.id, answer: 'deny' })).toEqual({ answered: 'deny' });
    }
    const { store } = server.state;
    const registry = projectRegistry({ store, locations: server.workspace.locations });
    const { id: project } = await registry.add({ folder: other.root });
    await using question = await asked('write', args, elsewhere);
    // Whatever project a request is about: questions are those of all.
    for (const one of [client, clientOf(server, 'person', { project })])
      expect(await one.showApproval(question)).toMatchObject({ isEditable: true });
    await expect(
      client.answerApproval({ id: question.id, answer: 'edit', args: { path: 'b.txt' } }),
    ).rejects.toThrow('"content" is missing');
    await client.answerApproval({ id: question.id, ...edited });
    expect(await question.call).toMatchObject({ outcome: 'ok' });
    expect(readFileSync(join(other.root, 'b.txt'), 'utf8')).toBe('mine\n');
    await using own = await asked();
    expect(await clientOf(server, 'person', { project }).showApproval(own)).toMatchObject({
      isEditable: true,
    });
  });

  it('answers a question of an agent, and says what is wrong with an answer', async () => {
    await using question = await asked('ask_user', { message: 'Which?', choices: ['one', 'two'] });
    const { id } = question;
    const client = clientOf(server);
    await expect(client.answerApproval({ id, answer: 'once' })).rejects.toThrow('no answer to a question');
    await expect(client.answerApproval({ id, kind: 'choice', choice: 'three' })).rejects.toThrow(
      'none of the choices',
    );
    expect(await client.answerApproval({ id, kind: 'choice', choice: 'two' })).toEqual({
      answered: 'choice',
    });
    expect((await question.call).reply).toEqual({ ok: true, answer: 'two' });
  });

  it('is for the person', async () => {
    await using question = await asked();
    const refused = clientOf(server, 'agent').answerApproval({ id: question.id, answer: 'once' });
    await expect(refused).rejects.toMatchObject({ status: 403 });
    await expect(refused).rejects.toThrow(ApiFailure);
    expect(await server.questions.pending()).toHaveLength(1);
  });

  it('refuses what is no answer', async () => {
    await using question = await asked();
    for (const body of [
      {},
      { answer: 'yes' },
      { answer: 'edit' },
      { answer: 'edit', args: {} },
      { answer: 'edit', args: {}, reason: 'x' },
      { answer: 'once', args: {} },
      { answer: 'once', by: 'somebody' },
      { kind: 'choice', choice: 'once' },
      { answer: 'deny', reason: 'x'.repeat(2_001) },
      ['once'],
    ]) {
      const { status, body: text } = await server.post(
        `/api/approvals/${question.id}/answer`,
        AS.person,
        body,
      );
      expect([status, JSON.parse(text)]).toMatchObject([400, { error: { code: 'E_INVALID_ARGS' } }]);
    }
    expect(await server.questions.pending()).toHaveLength(1);
  });
});

describe('pastCallsFor', () => {
  it('counts the calls that were asked about and would have passed', async () => {
    const client = clientOf(server);
    const writes = { path: 'often.txt', content: 'new\n' };
    for (const args of [writes, { ...writes, path: 'seldom.txt' }, writes]) {
      await using question = await asked('write', args);
      await client.answerApproval({ id: question.id, answer: 'once' });
      await question.call;
    }
    await server.runtime.call('read', { path: 'often.txt' });
    await using question = await asked('write', writes);
    const { covered, calls } = await client.pastCallsFor(question);
    expect(covered).toBe(2);
    expect(calls).toBeGreaterThan(3);
    await expect(clientOf(server, 'agent').pastCallsFor(question)).rejects.toMatchObject({ status: 403 });
  });

  it('has nothing to count where "always" is not offered, or nothing is asked', async () => {
    await using question = await asked('ask_user', { message: 'Which?', choices: ['one', 'two'] });
    await expect(clientOf(server).pastCallsFor(question)).rejects.toMatchObject({ status: 400 });
    await expect(clientOf(server).pastCallsFor({ id: 'apr_none' })).rejects.toMatchObject({ status: 404 });
  });

  it('says that it does not know a workspace', async () => {
    await using unknown = tempWorkspace({ 'a.txt': 'old\n' });
    const runtime = await unknown.runtime({ wait: true, locations: server.workspace.locations });
    await using question = await asked('write', { path: 'b.txt', content: 'x' }, runtime);
    await expect(clientOf(server).pastCallsFor(question)).rejects.toMatchObject({ code: 'E_NO_PROJECT' });
  });
});
