/** The order of a call's steps, told by what each of them leaves: questions, audit lines, files. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { defineDialect, defineOperation, defineTool, type Dialect, type Runtime } from '../../src/index.ts';
import type { AuditLine } from '../../src/journal/audit-record.ts';
import { approver } from '../support/approver.ts';
import { type TempWorkspace, tempWorkspace } from '../support/temp-workspace.ts';

function linesNow({ locations }: TempWorkspace): AuditLine[] {
  const folder = join(locations.state, 'audit');
  const texts = readdirSync(folder).flatMap((name) => readFileSync(join(folder, name), 'utf8').split('\n'));
  return texts.filter((text) => text !== '').map((text) => JSON.parse(text) as AuditLine);
}

async function audited(workspace: TempWorkspace, runtime: Runtime): Promise<Record<string, unknown>[]> {
  await runtime.flush();
  return linesNow(workspace).map(({ seq: _seq, prev: _previous, ...record }) => record);
}

const TEXT = expect.any(String) as string;
const NUMBER = expect.any(Number) as number;

describe('runCall', () => {
  it('audits a good call whole: opened, decided before anything changes, closed', async () => {
    await using workspace = tempWorkspace();
    const approve = approver('once');
    const runtime = await workspace.runtime({ approve });
    const session = await runtime.openSession({ id: 'ses_test' });
    const request = {
      tool_call_id: 'c1',
      name: 'write',
      args: { path: 'a.txt', content: 'x' },
      trace_id: 't1',
    };
    const { callId } = await runtime.execute(request, { session, turn: 'turn_1' });
    const head = {
      call_id: callId,
      tool_call_id: 'c1',
      trace_id: 't1',
      session: 'ses_test',
      turn: 'turn_1',
      workspace: workspace.root,
      dialect: 'handrail',
      name: 'write',
      args: { path: 'a.txt', content: 'x' },
    };
    const accesses = ['fs.read', 'fs.write'].map((permission) => ({
      permission,
      resource: 'a.txt',
      resolved: 'a.txt',
    }));
    const decision = { decision: 'ask', rule: 'dialect:handrail#2', approver: 'callback', accesses };
    expect(await audited(workspace, runtime)).toEqual([
      { event: 'opened', at: NUMBER, ...head },
      { event: 'decided', at: NUMBER, call_id: callId, workspace: workspace.root, ...decision },
      {
        event: 'closed',
        at: NUMBER,
        ...head,
        version: '1.0.0',
        operation: 'fs.write',
        ok: true,
        outcome: 'ok',
        ...decision,
        artifacts: { files_changed: ['a.txt'] },
        effects: [{ path: 'a.txt', change: 'created', reversible: true }],
        duration_ms: NUMBER,
      },
    ]);
  });

  it('audits a read with two lines', async () => {
    await using workspace = tempWorkspace({ 'a.txt': 'x' });
    const runtime = await workspace.runtime();
    await runtime.call('read', { path: 'a.txt' });
    expect((await audited(workspace, runtime)).map(({ event }) => event)).toEqual(['opened', 'closed']);
  });

  it.each([
    ['an unknown tool', 'raed', { path: 'a.txt' }, 'E_NO_TOOL', 'failed'],
    ['a tool of a name that every object has', 'constructor', {}, 'E_NO_TOOL', 'failed'],
    ['wrong arguments', 'write', { path: 'a.txt' }, 'E_INVALID_ARGS', 'failed'],
    ['arguments that are no object', 'write', 'a.txt', 'E_INVALID_ARGS', 'failed'],
    ['a path outside', 'write', { path: '../a.txt', content: '' }, 'E_OUTSIDE_WORKSPACE', 'failed'],
    ['a path that can not be one', 'write', { path: 'a\0b', content: '' }, 'E_INVALID_PATH', 'failed'],
    ['a protected place', 'write', { path: '.git/config', content: '' }, 'E_POLICY_DENIED', 'denied'],
    ['a file that is not there', 'delete', { path: 'gone' }, 'E_NOT_FOUND', 'failed'],
  ])('audits %s, and asks nobody about it', async (_, tool, args, code, outcome) => {
    await using workspace = tempWorkspace();
    const approve = approver('once');
    const runtime = await workspace.runtime({ approve });
    const response = await runtime.call(tool, args);
    expect(response).toMatchObject({ outcome, result: { ok: false, payload: null, error: { code } } });
    expect(await audited(workspace, runtime)).toMatchObject([
      { event: 'opened', name: tool, call_id: response.callId },
      {
        event: 'closed',
        name: tool,
        ok: false,
        outcome,
        error: { code, message: TEXT },
        duration_ms: NUMBER,
      },
    ]);
    expect(approve.asked).toEqual([]);
    expect(readdirSync(workspace.root)).toEqual([]);
  });

  it('audits a denial by a rule and one by a human, and changes nothing', async () => {
    await using workspace = tempWorkspace();
    const approve = approver('deny', 'Not now.');
    const rules = [{ action: 'deny', permission: 'fs.write', path: 'frozen', reason: 'Frozen.' }] as const;
    const runtime = await workspace.runtime({ approve, rules });
    await runtime.call('write', { path: 'frozen/a.txt', content: '' });
    await runtime.call('write', { path: 'free.txt', content: '' });
    const closed = (await audited(workspace, runtime)).filter(({ event }) => event === 'closed');
    expect(closed).toMatchObject([
      {
        outcome: 'denied',
        decision: 'deny',
        rule: 'user#1',
        error: { code: 'E_POLICY_DENIED', message: 'Frozen.' },
      },
      {
        outcome: 'denied',
        decision: 'ask',
        rule: 'dialect:handrail#2',
        error: { code: 'E_DENIED', message: 'Not now.' },
      },
    ]);
    expect(approve.asked.map(({ args }) => args)).toEqual([{ path: 'free.txt', content: '' }]);
    expect(readdirSync(workspace.root)).toEqual([]);
  });

  it('writes the decision down after the yes and before the operation runs', async () => {
    await using workspace = tempWorkspace();
    const seen: string[][] = [];
    const look = (): void => void seen.push(linesNow(workspace).map(({ event }) => event));
    const runtime = await workspace.runtime({
      dialects: [dialectOf(look)],
      dialect: 'looking',
      approve: async () => {
        look();
        return { answer: 'once' };
      },
    });
    expect((await runtime.call('look', {})).outcome).toBe('ok');
    expect(seen).toEqual([['opened'], ['opened', 'decided']]);
  });

  it('masks secrets in the audit and tokens in the question, and neither in the file', async () => {
    await using workspace = tempWorkspace();
    const approve = approver('once');
    const runtime = await workspace.runtime({ approve });
    const token = `ghp_${'a1B2'.repeat(9)}`;
    const content = `password = "correct horse battery"\nremote: ${token}\n`;
    await runtime.call('write', { path: 'settings.ini', content });
    const audit = JSON.stringify(await audited(workspace, runtime));
    expect([audit.includes('correct horse'), audit.includes(token), audit.includes('settings.ini')]).toEqual([
      false,
      false,
      true,
    ]);
    expect(approve.asked.length).toBe(1);
    expect(JSON.stringify(approve.asked)).not.toContain(token);
    expect(readFileSync(join(workspace.root, 'settings.ini'), 'utf8')).toBe(content);
  });

  it('gives every call an id of its own, which the reply carries where the caller gave none', async () => {
    await using workspace = tempWorkspace();
    const runtime = await workspace.runtime();
    const responses = [await runtime.call('list', {}), await runtime.call('list', {})];
    expect(new Set(responses.map(({ callId }) => callId)).size).toBe(2);
    expect(responses.map(({ result }) => result.tool_call_id)).toEqual(responses.map(({ callId }) => callId));
  });

  it('turns a bug of an operation into E_INTERNAL, audited like the rest', async () => {
    await using workspace = tempWorkspace();
    const fall = (): never => {
      throw new TypeError('x is undefined');
    };
    const runtime = await workspace.runtime({
      dialects: [dialectOf(fall)],
      dialect: 'looking',
      approve: approver('once'),
    });
    const { outcome, result } = await runtime.call('look', {});
    expect({ outcome, error: result.error }).toEqual({
      outcome: 'failed',
      error: {
        code: 'E_INTERNAL',
        message: 'Handrail has a bug: x is undefined',
        details: { hint: 'Nothing else was run for this call. Please report it with the audit record.' },
      },
    });
    expect((await audited(workspace, runtime)).at(-1)).toMatchObject({
      event: 'closed',
      error: { code: 'E_INTERNAL' },
    });
  });
});

describe('rehearseCall', () => {
  it('says what would be decided and asked, and neither asks, runs nor audits', async () => {
    await using workspace = tempWorkspace();
    const approve = approver('once');
    const runtime = await workspace.runtime({ approve });
    const { decision, request } = await runtime.approvalRequest('write', { path: 'a.txt', content: 'x\n' });
    expect(decision).toMatchObject({ action: 'ask', rule: 'dialect:handrail#2' });
    expect(request).toMatchObject({
      tool: 'write',
      operation: 'fs.write',
      preview: { kind: 'diff', text: '--- /dev/null\n+++ b/a.txt\n@@ -0,0 +1 @@\n+x\n' },
    });
    expect(await runtime.approvalRequest('list', {})).toEqual({
      decision: { action: 'allow', rule: 'dialect:handrail#1' },
      accesses: [{ permission: 'fs.read', resource: '.', resolved: '.' }],
    });
    expect(await runtime.approvalRequest('delete', { path: '.ssh' })).toMatchObject({
      decision: { action: 'deny', rule: 'protected' },
    });
    await expect(runtime.approvalRequest('raed', {})).rejects.toMatchObject({ code: 'E_NO_TOOL' });
    expect([approve.asked, await audited(workspace, runtime)]).toEqual([[], []]);
    expect(existsSync(join(workspace.root, 'a.txt'))).toBe(false);
  });

  it('shows the question that is then asked, bound to the same hash', async () => {
    await using workspace = tempWorkspace();
    const approve = approver('once');
    const runtime = await workspace.runtime({ approve });
    const args = { path: 'a.txt', content: 'x\n' };
    const { request } = await runtime.approvalRequest('write', args);
    await runtime.call('write', args);
    expect(approve.asked.map(({ hash, preview }) => ({ hash, preview }))).toEqual([
      { hash: request?.hash, preview: request?.preview },
    ]);
  });
});

/** A dialect whose one tool asks first and then does as told. */
function dialectOf(run: () => void): Dialect {
  const operation = defineOperation({
    name: 'looking.look',
    summary: 'Looks.',
    input: z.strictObject({}),
    output: z.strictObject({}),
    permissions: ['state.write'],
    effect: 'state',
    access: () => [{ permission: 'state.write', resource: 'here' }],
    async run() {
      run();
      return {};
    },
  });
  const look = defineTool({
    name: 'look',
    version: '1.0.0',
    description: 'Look.',
    args: z.strictObject({}),
    returns: z.object({}),
    operation,
    toInput: () => ({}),
  });
  return defineDialect({
    name: 'looking',
    paths: { absolute: 'refused' },
    tools: [look],
    reply: ({ result }) => result,
  });
}
