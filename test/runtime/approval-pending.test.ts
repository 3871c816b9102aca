/** Callers that can't wait for a person: told in time that the question is open, and given its answer when they come back. */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { CallResponse, Runtime, Session } from '../../src/index.ts';
import { openQuestions } from '../support/questions.ts';
import { type TempWorkspace, tempWorkspace } from '../support/temp-workspace.ts';

const WRITE = { path: 'a.txt', content: 'new\n' };
const PENDING = { outcome: 'failed', result: { error: { code: 'E_PENDING' } } };

/** A runtime whose callers wait for a second. */
async function impatient(workspace: TempWorkspace): Promise<Runtime> {
  mkdirSync(workspace.locations.config);
  const settings = '{ "approvals": { "pendingAfterSeconds": 1 } }';
  writeFileSync(join(workspace.locations.config, 'config.jsonc'), settings);
  return workspace.runtime({ wait: true, readConfig: true });
}

function write(runtime: Runtime, session: Session, content = WRITE.content): Promise<CallResponse> {
  return runtime.call('write', { ...WRITE, content }, { session, canWait: false });
}

describe("a caller that can't wait", () => {
  it('is told which question is open, and how it goes on', async () => {
    await using workspace = tempWorkspace();
    const runtime = await impatient(workspace);
    await using questions = openQuestions(workspace.locations.state);
    const response = await write(runtime, await runtime.openSession());
    const [open] = await questions.pending();
    expect(response).toMatchObject(PENDING);
    expect(response.reply).toEqual({
      ok: false,
      error: expect.stringMatching(
        new RegExp(
          `The question ${open!.id} is open; nothing was done yet\\. Send exactly the same call again [^]*approvals answer ${open!.id} once`,
        ),
      ),
      code: 'E_PENDING',
    });
    expect(existsSync(join(workspace.root, 'a.txt'))).toBe(false);
  });

  it('is given the answer by the same call, once', async () => {
    await using workspace = tempWorkspace();
    const runtime = await impatient(workspace);
    await using questions = openQuestions(workspace.locations.state);
    const session = await runtime.openSession();
    expect(await write(runtime, session)).toMatchObject(PENDING);
    const [open] = await questions.pending();
    await questions.answer(open!.id, { answer: 'once', by: 'elsewhere' });
    expect(await write(runtime, session)).toMatchObject({ outcome: 'ok' });
    expect(await questions.find(open!.id)).toMatchObject({ state: 'used' });
    expect(await write(runtime, session)).toMatchObject(PENDING);
  });

  it('reads a no that was given meanwhile', async () => {
    await using workspace = tempWorkspace();
    const runtime = await impatient(workspace);
    await using questions = openQuestions(workspace.locations.state);
    const session = await runtime.openSession();
    await write(runtime, session);
    const [open] = await questions.pending();
    await questions.answer(open!.id, { answer: 'deny', reason: 'Keep the old one.' });
    expect(await write(runtime, session)).toMatchObject({
      outcome: 'denied',
      result: { error: { code: 'E_DENIED', message: 'Keep the old one.' } },
    });
  });

  it('goes on with the same question when it comes back too early', async () => {
    await using workspace = tempWorkspace();
    const runtime = await impatient(workspace);
    await using questions = openQuestions(workspace.locations.state);
    const session = await runtime.openSession();
    await write(runtime, session);
    const [open] = await questions.pending();
    const again = write(runtime, session);
    await questions.answer(open!.id, { answer: 'once' });
    expect(await again).toMatchObject({ outcome: 'ok' });
    expect(await questions.all()).toHaveLength(1);
  });

  it.each([
    ['another session', 'new\n', true],
    ['another call', 'other\n', false],
  ])('does not give the answer to %s', async (_what, content, inOther) => {
    await using workspace = tempWorkspace();
    const runtime = await impatient(workspace);
    await using questions = openQuestions(workspace.locations.state);
    const session = await runtime.openSession();
    await write(runtime, session);
    const [open] = await questions.pending();
    await questions.answer(open!.id, { answer: 'once' });
    const other = inOther ? await runtime.openSession() : session;
    expect(await write(runtime, other, content)).toMatchObject(PENDING);
    expect(await questions.find(open!.id)).toMatchObject({ state: 'answered' });
  });

  it('is asked anew when nobody answered in time', async () => {
    await using workspace = tempWorkspace();
    mkdirSync(workspace.locations.config);
    const settings = '{ "approvals": { "pendingAfterSeconds": 1, "timeoutSeconds": 2 } }';
    writeFileSync(join(workspace.locations.config, 'config.jsonc'), settings);
    const runtime = await workspace.runtime({ wait: true, readConfig: true });
    await using questions = openQuestions(workspace.locations.state);
    const session = await runtime.openSession();
    await write(runtime, session);
    const [open] = await questions.pending();
    await questions.whenOpen(0);
    expect(await write(runtime, session)).toMatchObject(PENDING);
    expect((await questions.pending())[0]!.id).not.toBe(open!.id);
  });
});
