/** Questions of agents to their user: answered by whoever comes first, once, also for a process that died meanwhile. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Prompter, RuntimeEvent, UserAnswer } from '../../src/index.ts';
import { startCall } from '../support/asking.ts';
import { prompter } from '../support/prompter.ts';
import { openQuestions, userQuestionOf } from '../support/questions.ts';
import { type TempWorkspace, tempWorkspace } from '../support/temp-workspace.ts';

const ASK = { message: 'Which database?', choices: ['SQLite', 'Postgres'] };
const SQLITE: UserAnswer = { kind: 'choice', choice: 'SQLite' };
const GO_ON = 'Go on without the answer, or put the question into your reply to the user.';

function waitOnly({ locations }: TempWorkspace, seconds: number): void {
  mkdirSync(locations.config);
  const settings = { approvals: { timeoutSeconds: seconds } };
  writeFileSync(join(locations.config, 'config.jsonc'), JSON.stringify(settings));
}

describe('a question to the user', () => {
  it('goes to the prompter of the runtime, and to that of the call before it', async () => {
    await using workspace = tempWorkspace();
    const prompt = prompter(SQLITE);
    const runtime = await workspace.runtime({ prompt });
    const session = await runtime.openSession();
    expect((await runtime.call('ask_user', ASK, { session })).reply).toEqual({ ok: true, answer: 'SQLite' });
    const own = prompter({ kind: 'choice', choice: 'Postgres' });
    expect((await runtime.call('ask_user', ASK, { prompt: own })).reply).toEqual({
      ok: true,
      answer: 'Postgres',
    });
    expect(prompt.asked).toEqual([
      {
        id: expect.stringMatching(/^que_/),
        hash: expect.stringMatching(/^[0-9a-f]{64}$/),
        callId: expect.stringMatching(/^call_/),
        session: session.id,
        dialect: 'handrail',
        tool: 'ask_user',
        kind: 'choice',
        message: ASK.message,
        choices: ASK.choices,
      },
    ]);
  });

  it('takes a text where there are no choices', async () => {
    await using workspace = tempWorkspace();
    const runtime = await workspace.runtime({ prompt: prompter({ kind: 'text', text: 'blue\nno, green' }) });
    const { reply } = await runtime.call('ask_user', { message: 'Which colour?' });
    expect(reply).toEqual({ ok: true, answer: 'blue\nno, green' });
  });

  it('fails at once where nobody is there, with the way to go on, and asks nothing', async () => {
    await using workspace = tempWorkspace();
    const runtime = await workspace.runtime();
    await using questions = openQuestions(workspace.locations.state);
    const { outcome, result } = await runtime.call('ask_user', ASK);
    expect({ outcome, ...result.error }).toMatchObject({
      outcome: 'denied',
      code: 'E_DENIED',
      message: 'Nobody can be asked here.',
      details: { hint: GO_ON },
    });
    expect(await questions.all()).toEqual([]);
  });

  it('is a row that another process answers, once', async () => {
    await using workspace = tempWorkspace();
    const runtime = await workspace.runtime({ wait: true });
    await using questions = openQuestions(workspace.locations.state);
    const asking = runtime.call('ask_user', ASK);
    const [open] = await questions.whenOpen();
    expect(userQuestionOf(open!)).toMatchObject({ id: open!.id, hash: open!.hash, ...ASK });
    expect(await questions.answer(open!.id, SQLITE)).toBe(true);
    expect(await questions.answer(open!.id, { kind: 'choice', choice: 'Postgres' })).toBe(false);
    expect((await asking).reply).toEqual({ ok: true, answer: 'SQLite' });
    expect(await questions.find(open!.id)).toMatchObject({ state: 'used', request: '{}', answer: null });
  });

  it('waits where somebody is known to be there, and lets go of its own prompter for an answer from elsewhere', async () => {
    await using workspace = tempWorkspace();
    const letGo = Promise.withResolvers<void>();
    const prompt: Prompter = (_question, signal) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => {
          letGo.resolve();
          reject(new Error('no longer wanted'));
        });
      });
    const runtime = await workspace.runtime();
    await using questions = openQuestions(workspace.locations.state);
    await using _watch = await questions.someoneWatches();
    for (const options of [{}, { prompt }]) {
      const asking = runtime.call('ask_user', ASK, options);
      const [open] = await questions.whenOpen();
      await questions.answer(open!.id, SQLITE);
      expect(await asking).toMatchObject({ outcome: 'ok' });
    }
    await expect(letGo.promise).resolves.toBeUndefined();
  });

  it('is declined with a reason that the agent reads', async () => {
    await using workspace = tempWorkspace();
    const prompt = prompter({ kind: 'declined', reason: 'You decide.', by: 'somebody' });
    const runtime = await workspace.runtime({ prompt });
    const { outcome, result } = await runtime.call('ask_user', ASK);
    expect({ outcome, ...result.error }).toMatchObject({
      outcome: 'denied',
      code: 'E_DENIED',
      message: 'You decide.',
      details: { hint: GO_ON },
    });
  });

  it('ends in time, and takes no answer afterwards', async () => {
    await using workspace = tempWorkspace();
    waitOnly(workspace, 1);
    const runtime = await workspace.runtime({ wait: true, readConfig: true });
    await using questions = openQuestions(workspace.locations.state);
    const asking = runtime.call('ask_user', ASK);
    const [open] = await questions.whenOpen();
    expect((await asking).result.error).toMatchObject({
      code: 'E_DENIED',
      message: 'Nobody answered in time.',
    });
    await expect.poll(() => questions.pending()).toEqual([]);
    expect(await questions.answer(open!.id, SQLITE)).toBe(false);
  });

  it('is left to the same call where the caller can not wait', async () => {
    await using workspace = tempWorkspace();
    mkdirSync(workspace.locations.config);
    writeFileSync(
      join(workspace.locations.config, 'config.jsonc'),
      '{ "approvals": { "pendingAfterSeconds": 1 } }',
    );
    const runtime = await workspace.runtime({ wait: true, readConfig: true });
    await using questions = openQuestions(workspace.locations.state);
    const pending = await runtime.call('ask_user', ASK, { canWait: false });
    expect(pending.result.error).toMatchObject({ code: 'E_PENDING' });
    const [open] = await questions.whenOpen();
    await questions.answer(open!.id, SQLITE);
    expect((await runtime.call('ask_user', ASK, { canWait: false })).reply).toEqual({
      ok: true,
      answer: 'SQLite',
    });
  });

  it('survives the process that asked: the same call of the next one takes the answer, another does not', async () => {
    await using workspace = tempWorkspace();
    await workspace.runtime();
    await using questions = openQuestions(workspace.locations.state);
    const killed = startCall(workspace, 'ses_same', 'ask_user', ASK);
    const [open] = await questions.whenOpen();
    await killed.kill();
    expect(await questions.answer(open!.id, SQLITE)).toBe(true);
    const other = startCall(workspace, 'ses_same', 'ask_user', { ...ASK, choices: ['SQLite', 'MySQL'] });
    const [asked] = await questions.whenOpen();
    await other.kill();
    expect(asked!.id).not.toBe(open!.id);
    const again = startCall(workspace, 'ses_same', 'ask_user', ASK);
    expect(JSON.parse(await again.outcome)).toEqual({ ok: true, answer: 'SQLite' });
    expect(await questions.find(open!.id)).toMatchObject({ state: 'used' });
  });

  it('is closed when its call is cancelled', async () => {
    await using workspace = tempWorkspace();
    const runtime = await workspace.runtime({ wait: true });
    await using questions = openQuestions(workspace.locations.state);
    const stop = new AbortController();
    const asking = runtime.call('ask_user', ASK, { signal: stop.signal });
    const [open] = await questions.whenOpen();
    stop.abort();
    expect(await asking).toMatchObject({ outcome: 'cancelled' });
    await expect.poll(async () => (await questions.find(open!.id))?.state).toBe('expired');
  });

  it('is told to those who listen, and masked', async () => {
    await using workspace = tempWorkspace();
    const token = `ghp_${'a1B2'.repeat(9)}`;
    const prompt = prompter(({ kind, ...question }) =>
      kind === 'choice' && 'choices' in question
        ? { kind: 'choice', choice: question.choices[1]! }
        : { kind: 'declined' },
    );
    const runtime = await workspace.runtime({ prompt });
    const heard: RuntimeEvent[] = [];
    runtime.subscribe((event) => heard.push(event));
    const { reply } = await runtime.call('ask_user', { message: `Is it ${token}?`, choices: ['no', token] });
    // What the agent wrote is what it gets back.
    expect(reply).toEqual({ ok: true, answer: token });
    const [question] = prompt.asked;
    expect(heard.map(({ type }) => type)).toEqual([
      'call-started',
      'question-asked',
      'question-answered',
      'call-ended',
    ]);
    expect(heard[1]).toMatchObject({ question });
    expect(heard[2]).toMatchObject({ question: question!.id, answer: 'choice' });
    expect(JSON.stringify(heard.slice(0, 3))).not.toContain(token);
  });

  it.each<[what: string, answer: unknown, said: string]>([
    ['none of the choices', { kind: 'choice', choice: 'MySQL' }, 'That is none of the choices.'],
    ['a text', { kind: 'text', text: 'SQLite' }, 'That is an answer to another kind of question.'],
    ['an approval', { answer: 'once' }, 'That is an answer to another kind of question.'],
  ])('takes %s for no answer', async (_what, answer, said) => {
    await using workspace = tempWorkspace();
    const runtime = await workspace.runtime({ prompt: prompter(answer as UserAnswer) });
    const { result } = await runtime.call('ask_user', ASK);
    expect(result.error).toMatchObject({
      code: 'E_DENIED',
      message: `The answer did not fit the question. ${said}`,
    });
  });

  it('is asked in mode read-only, too, and is denied by a rule', async () => {
    await using workspace = tempWorkspace();
    const prompt = prompter(SQLITE);
    const readOnly = await workspace.runtime({ prompt, mode: 'read-only' });
    expect(await readOnly.call('ask_user', ASK)).toMatchObject({ outcome: 'ok' });
    const denying = await workspace.runtime({ prompt, rules: [{ action: 'deny', permission: 'user.ask' }] });
    expect(await denying.call('ask_user', ASK)).toMatchObject({
      outcome: 'denied',
      result: { error: { code: 'E_POLICY_DENIED' } },
    });
    expect(prompt.asked).toHaveLength(1);
  });
});
