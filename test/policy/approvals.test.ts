/** The question to a human: what it is bound to, and every way it can end. */
import { describe, expect, it } from 'vitest';
import type { ResolvedAccess } from '../../src/policy/access.ts';
import { approvalHash, type ApprovalRequest, type Approver, ask } from '../../src/policy/approvals.ts';
import { approver } from '../support/approver.ts';

const ACCESS: ResolvedAccess = { permission: 'fs.write', resource: 'link.txt', resolved: 'a.txt' };
const CALL = { tool: 'write', version: '1.0.0', input: { path: 'a.txt', content: 'x' }, accesses: [ACCESS] };

const REQUEST: ApprovalRequest = {
  id: 'apr_1',
  hash: approvalHash(CALL),
  callId: 'call_1',
  session: 'ses_1',
  dialect: 'coder',
  tool: 'write',
  version: '1.0.0',
  operation: 'fs.write',
  args: {},
  accesses: [ACCESS],
  reason: 'It needs an approval.',
  rule: 'dialect:coder#2',
  scope: 'session',
};

const NEVER = new AbortController().signal;
const HINT = 'Do not send the same call again; go on another way, or ask the user.';

describe('approvalHash', () => {
  it('is the same for the same call', () => {
    expect(approvalHash(structuredClone(CALL))).toBe(REQUEST.hash);
    expect(REQUEST.hash).toMatch(/^[0-9a-f]{64}$/);
  });

  it.each([
    ['tool', { tool: 'edit' }],
    ['version', { version: '1.0.1' }],
    ['input', { input: { path: 'a.txt', content: 'y' } }],
    ['a path in the input', { input: { path: 'b.txt', content: 'x' } }],
    ['a permission', { accesses: [{ ...ACCESS, permission: 'fs.delete' as const }] }],
    ['a resource', { accesses: [{ ...ACCESS, resource: 'other.txt' }] }],
    ['where a link leads', { accesses: [{ ...ACCESS, resolved: 'other.txt' }] }],
    ['one more access', { accesses: [ACCESS, ACCESS] }],
    ['no access', { accesses: [] }],
    ['what it is shown to change', { preview: '-old\n+new\n' }],
    ['what it changed in a view', { changes: 'digest' }],
    ['a border that moved between the parts', { tool: 'write","1', version: '0.0' }],
  ])('changes with %s', (_, change) => {
    expect(approvalHash({ ...CALL, ...change })).not.toBe(REQUEST.hash);
  });
});

describe('ask', () => {
  it.each(['once', 'session'] as const)('gives back a yes: %s', async (answer) => {
    const approve = approver(answer);
    expect(await ask(REQUEST, approve, NEVER)).toEqual({ answer });
    expect(approve.asked).toEqual([REQUEST]);
  });

  it('gives back who said yes', async () => {
    const approve: Approver = async () => ({ answer: 'once', by: 'terminal' });
    expect(await ask(REQUEST, approve, NEVER)).toEqual({ answer: 'once', by: 'terminal' });
  });

  it('fails with the reason of a no', async () => {
    await expect(ask(REQUEST, approver('deny', 'Not on a Friday.'), NEVER)).rejects.toMatchObject({
      code: 'E_DENIED',
      message: 'Not on a Friday.',
      hint: HINT,
      details: { rule: 'dialect:coder#2' },
    });
    await expect(ask(REQUEST, approver('deny'), NEVER)).rejects.toMatchObject({
      code: 'E_DENIED',
      message: 'A human said no.',
    });
  });

  it('fails at once, with a way out, where nobody can be asked', async () => {
    await expect(ask(REQUEST, undefined, NEVER)).rejects.toMatchObject({
      code: 'E_DENIED',
      message: 'It needs an approval. Nobody can be asked here.',
      hint: expect.stringMatching(/^Approve this call \(.*`approve` callback.*\), or write a rule/) as string,
      details: { rule: 'dialect:coder#2' },
    });
  });

  it('counts silence as a no, and tells the approver that it is over', async () => {
    const { promise, signals, approve } = silent();
    await expect(ask(REQUEST, approve, NEVER, 1)).rejects.toMatchObject({
      code: 'E_DENIED',
      message: 'Nobody answered in time.',
      hint: HINT,
    });
    expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
    promise.resolve({ answer: 'once' });
  });

  it('is cancelled with the call, and tells the approver', async () => {
    const controller = new AbortController();
    const { signals, approve } = silent(() => controller.abort());
    await expect(ask(REQUEST, approve, controller.signal)).rejects.toMatchObject({
      code: 'E_CANCELLED',
      message: 'The call was cancelled.',
    });
    expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
  });

  it('asks nobody about a call that is cancelled already', async () => {
    const approve = approver('once');
    await expect(ask(REQUEST, approve, AbortSignal.abort())).rejects.toMatchObject({ name: 'AbortError' });
    expect(approve.asked).toEqual([]);
  });

  it('does not take an approver that fails for a yes', async () => {
    const trouble = new Error('The terminal is gone.');
    await expect(ask(REQUEST, () => Promise.reject(trouble), NEVER)).rejects.toBe(trouble);
  });

  it('takes the first word: a late yes changes nothing', async () => {
    const { promise, approve } = silent();
    const asked = ask(REQUEST, approve, NEVER, 1);
    await expect(asked).rejects.toMatchObject({ code: 'E_DENIED' });
    promise.resolve({ answer: 'session' });
    await expect(asked).rejects.toMatchObject({ code: 'E_DENIED' });
  });
});

/** An approver that does not answer by itself. */
function silent(onAsked: () => void = () => {}) {
  const promise = Promise.withResolvers<Awaited<ReturnType<Approver>>>();
  const signals: AbortSignal[] = [];
  const approve: Approver = (_, signal) => {
    signals.push(signal);
    queueMicrotask(onAsked);
    return promise.promise;
  };
  return { promise, signals, approve };
}
