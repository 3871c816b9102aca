/** Whole requests: their fields, what is wrong with others, and which versions are served. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { toolCallResultSchema } from '../../src/runtime/envelope.ts';
import { approver } from '../support/approver.ts';
import { type TempWorkspace, tempWorkspace } from '../support/temp-workspace.ts';

const READ = { tool_call_id: 'c1', name: 'read', args: { path: 'a.txt' } };

function closedLines({ locations }: TempWorkspace): Record<string, unknown>[] {
  const folder = join(locations.state, 'audit');
  return readdirSync(folder)
    .flatMap((name) => readFileSync(join(folder, name), 'utf8').trim().split('\n'))
    .map((line) => JSON.parse(line) as Record<string, unknown>)
    .filter(({ event }) => event === 'closed');
}

describe('execute', () => {
  it('answers in the envelope, whatever the dialect', async () => {
    await using workspace = tempWorkspace({ 'a.txt': 'x\n' });
    const runtime = await workspace.runtime();
    const { result, outcome } = await runtime.execute({
      ...READ,
      trace_id: 't1',
      timestamp: 1_700_000_000_000,
    });
    expect({ result, outcome }).toEqual({
      outcome: 'ok',
      result: {
        tool_call_id: 'c1',
        ok: true,
        payload: {
          path: 'a.txt',
          content: 'x',
          startLine: 1,
          endLine: 1,
          hasEarlier: false,
          hasLater: false,
          isTail: false,
          cutLines: 0,
          totalBytes: 2,
        },
        error: null,
        duration_ms: expect.any(Number) as number,
      },
    });
    await runtime.flush();
    expect(closedLines(workspace)).toMatchObject([{ tool_call_id: 'c1', trace_id: 't1' }]);
  });

  it('gives results that hold the schema: good, failed, denied and with changes', async () => {
    await using workspace = tempWorkspace({ 'a.txt': 'x\n' });
    const runtime = await workspace.runtime({ approve: approver('once') });
    const requests = [
      READ,
      { ...READ, args: { path: '../x' } },
      { ...READ, args: { path: '.ssh/x' } },
      { ...READ, name: 'write', args: { path: 'b.txt', content: '' } },
      'nonsense',
    ];
    const results = [];
    for (const request of requests) results.push((await runtime.execute(request)).result);
    expect(results.map((result) => toolCallResultSchema.safeParse(result).success)).toEqual(
      requests.map(() => true),
    );
    expect(results[3]?.artifacts).toEqual({ files_changed: ['b.txt'] });
  });

  it.each([
    ['nothing', undefined],
    ['null', null],
    ['a text', 'read a.txt'],
    ['a list', [READ]],
    ['no id', { name: 'read', args: {} }],
    ['an empty id', { ...READ, tool_call_id: '' }],
    ['an id of 201 characters', { ...READ, tool_call_id: 'x'.repeat(201) }],
    ['an id that is a number', { ...READ, tool_call_id: 1 }],
    ['no name', { tool_call_id: 'c1', args: {} }],
    ['no arguments', { tool_call_id: 'c1', name: 'read' }],
    ['arguments that are a list', { ...READ, args: ['a.txt'] }],
    ['arguments that are text', { ...READ, args: '{"path":"a.txt"}' }],
    ['an unknown permission', { ...READ, requested_permissions: ['fs.raed'] }],
    ['requires_approval as text', { ...READ, requires_approval: 'false' }],
    ['a field too many', { ...READ, approved: true }],
    ['the field __proto__', JSON.parse('{"tool_call_id":"c1","name":"read","args":{},"__proto__":{}}')],
  ])('refuses a request with %s, and audits it', async (_, request) => {
    await using workspace = tempWorkspace({ 'a.txt': 'x\n' });
    const runtime = await workspace.runtime();
    const { result, outcome } = await runtime.execute(request);
    expect({ outcome, ...result }).toMatchObject({
      outcome: 'failed',
      ok: false,
      payload: null,
      error: {
        code: 'E_INVALID_ARGS',
        message: expect.stringMatching(/^This is not a tool call request\. /) as string,
        details: { hint: 'It needs tool_call_id, name and args.' },
      },
    });
    await runtime.flush();
    expect(closedLines(workspace)).toMatchObject([{ ok: false, error: { code: 'E_INVALID_ARGS' } }]);
  });

  it('names the field that is wrong', async () => {
    await using workspace = tempWorkspace();
    const runtime = await workspace.runtime();
    const { result } = await runtime.execute({ ...READ, tool_call_id: 1, requires_approval: 'no' });
    expect(result.error?.message).toBe(
      'This is not a tool call request. "tool_call_id": expected string, received number; "requires_approval": expected boolean, received string.',
    );
  });

  it('narrows a call to requested_permissions', async () => {
    await using workspace = tempWorkspace();
    const approve = approver('once');
    const runtime = await workspace.runtime({ approve });
    const write = { tool_call_id: 'c2', name: 'write', args: { path: 'b.txt', content: '' } };
    expect((await runtime.execute({ ...write, requested_permissions: ['fs.read'] })).result.error).toEqual({
      code: 'E_POLICY_DENIED',
      message: 'The call limited itself to fs.read, but needs fs.write.',
      details: { rule: 'request:requested-permissions' },
    });
    expect(existsSync(join(workspace.root, 'b.txt'))).toBe(false);
    expect(
      (await runtime.execute({ ...write, requested_permissions: ['fs.read', 'fs.write'] })).outcome,
    ).toBe('ok');
    expect(approve.asked.length).toBe(1);
  });

  it('raises allow to ask by requires_approval, and lowers nothing by its absence', async () => {
    await using workspace = tempWorkspace({ 'a.txt': 'x\n' });
    const runtime = await workspace.runtime();
    const outcome = async (request: object): Promise<string> => (await runtime.execute(request)).outcome;
    const write = { tool_call_id: 'c2', name: 'write', args: { path: 'b.txt', content: '' } };
    expect(await outcome({ ...READ, requires_approval: true })).toBe('denied');
    expect(await outcome({ ...READ, requires_approval: false })).toBe('ok');
    expect(await outcome({ ...write, requires_approval: false })).toBe('denied');
  });
});

describe('the version of a request', () => {
  // `read` of coder is at 1.1.0.
  it.each(['1', '1.0', '1.0.0', '1.0.99', '1.1', '1.1.0'])('%s is served by 1.1.0', async (version) => {
    await using workspace = tempWorkspace({ 'a.txt': 'x\n' });
    const runtime = await workspace.runtime({ dialect: 'coder' });
    expect((await runtime.execute({ ...READ, version })).outcome).toBe('ok');
  });

  it.each([
    '0.9.0',
    '1.1.1',
    '1.2',
    '2',
    '2.0.0',
    'latest',
    'v1.0.0',
    '1.0.0-beta',
    '1.x',
    ' 1',
    '1.1.0.0',
    '__proto__',
  ])('%s is not', async (version) => {
    await using workspace = tempWorkspace({ 'a.txt': 'x\n' });
    const runtime = await workspace.runtime({ dialect: 'coder' });
    expect((await runtime.execute({ ...READ, version })).result.error).toEqual({
      code: 'E_VERSION',
      message: `The tool read is at version 1.1.0; ${JSON.stringify(version)} is not served.`,
      details: { hint: 'Leave the version out, or ask for 1.1.0.' },
    });
  });
});
