/** Questions that a client shows to its person, in both eras: asked in the middle of a call, or given back and answered with the next request. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ElicitResult } from '@modelcontextprotocol/client';
import { describe, expect, it } from 'vitest';
import { environmentOf, handrail } from '../../support/command-line.ts';
import {
  connectedWorkspace,
  connectMcp,
  type McpClient,
  OVER,
  sayOnce,
  textOf,
  WAYS,
} from '../../support/mcp-client.ts';
import { questionsOf } from '../../support/questions.ts';
import { shared } from '../../support/shared.ts';
import { type TempWorkspace, tempWorkspace } from '../../support/temp-workspace.ts';

const ASK = ['--mode', 'ask'];

type Result = Awaited<ReturnType<McpClient['client']['callTool']>>;

function write({ client }: McpClient, path: string, content = 'new\n'): Promise<Result> {
  return client.callTool({ name: 'write', arguments: { path, content } });
}

function contentOf({ root }: TempWorkspace, path: string): string | undefined {
  return existsSync(join(root, path)) ? readFileSync(join(root, path), 'utf8') : undefined;
}

const NOES: readonly (readonly [what: string, form: ElicitResult, said: string])[] = [
  [
    'a no with a reason',
    { action: 'accept', content: { answer: 'deny', reason: 'Not today.' } },
    'Not today.',
  ],
  ['declining', { action: 'decline' }, 'A human said no.'],
  ['dismissing', { action: 'cancel' }, 'The question was dismissed.'],
  ['an answer that was not offered', { action: 'accept', content: { answer: 'sure' } }, 'A human said no.'],
  ['an empty form', { action: 'accept', content: {} }, 'A human said no.'],
];

describe.each(WAYS)('a question in $era over $over', ({ era, over }) => {
  let filledIn: ElicitResult = { action: 'cancel' };
  const connected = shared(async (stack) =>
    stack.use(
      await connectedWorkspace({ 'a.txt': 'old\n' }, { era, over, args: ASK, answer: () => filledIn }),
    ),
  );

  it('shows what would change, and a yes lets the call run', async () => {
    const { workspace, forms } = connected();
    filledIn = sayOnce();
    const before = forms.length;
    const result = await write(connected(), 'a.txt', 'new \u001b[2J\n');
    expect(result.isError).toBeUndefined();
    expect(contentOf(workspace, 'a.txt')).toBe('new \u001b[2J\n');
    expect(forms).toHaveLength(before + 1);
    expect(forms.at(-1)).toMatchObject({
      message: expect.stringMatching(
        /^handrail:write asks: [^]*fs\.write {2}a\.txt\n[^]*\| -old\n {2}\| \+new \\u001b\[2J\n/,
      ),
      offered: ['once', 'session', 'always', 'deny'],
    });
    const { stdout } = await handrail(workspace, ['audit', 'show', String(result._meta?.['handrail/call'])]);
    expect(stdout).toContain('MCP client');
  });

  it('counts as no, which the agent reads, for everything that is no yes', async () => {
    const { workspace, forms } = connected();
    const before = forms.length;
    for (const [what, form, said] of NOES) {
      filledIn = form;
      const result = await write(connected(), `${what}.txt`);
      expect({ what, isError: result.isError }).toEqual({ what, isError: true });
      expect(JSON.parse(textOf(result))).toMatchObject({ denied: true, code: 'E_DENIED' });
      expect(textOf(result)).toContain(said);
      expect(contentOf(workspace, `${what}.txt`)).toBeUndefined();
    }
    expect(forms).toHaveLength(before + NOES.length);
  });

  it('is not asked again where the answer was for the session', async () => {
    const { workspace, forms } = connected();
    filledIn = { action: 'accept', content: { answer: 'session' } };
    const before = forms.length;
    await write(connected(), 'session.txt', 'one\n');
    await write(connected(), 'session.txt', 'two\n');
    expect(contentOf(workspace, 'session.txt')).toBe('two\n');
    expect(forms).toHaveLength(before + 1);
  });

  it('says first that it was cut, and where the whole is', async () => {
    filledIn = sayOnce();
    await write(connected(), 'long.txt', 'a line of text\n'.repeat(5_000));
    const form = connected().forms.at(-1);
    expect(form?.message).toMatch(/^Not all of it is shown here\. `handrail approvals show apr_\w+` shows/);
    expect(form?.message.length).toBeLessThan(7_000);
  });

  it('waits for an answer from elsewhere where the client can show no form, with signs of life', async () => {
    await using workspace = tempWorkspace();
    await using mcp = await connectMcp(workspace, { era, over, args: ASK });
    // Makes the store.
    await mcp.client.callTool({ name: 'list', arguments: {} });
    await using questions = questionsOf(workspace);
    await using _watch = await questions.someoneWatches();
    const messages: (string | undefined)[] = [];
    const writing = mcp.client.callTool(
      { name: 'write', arguments: { path: 'a.txt', content: 'new\n' } },
      { onprogress: ({ message }) => messages.push(message) },
    );
    const [open] = await questions.whenOpen();
    await expect.poll(() => messages[0]).toContain('Waiting for an approval');
    await questions.answer(open!.id, { answer: 'once' });
    expect((await writing).isError).toBeUndefined();
    expect(contentOf(workspace, 'a.txt')).toBe('new\n');
  });

  it('is answered later where the client hears nothing meanwhile, and the same call picks the answer up', async () => {
    await using workspace = tempWorkspace();
    const settings = join(environmentOf(workspace)['XDG_CONFIG_HOME']!, 'handrail');
    mkdirSync(settings, { recursive: true });
    writeFileSync(join(settings, 'config.jsonc'), '{ "approvals": { "pendingAfterSeconds": 1 } }');
    await using mcp = await connectMcp(workspace, { era, over, args: ASK });
    await mcp.client.callTool({ name: 'list', arguments: {} });
    await using questions = questionsOf(workspace);
    await using _watch = await questions.someoneWatches();
    const pending = await write(mcp, 'a.txt');
    expect(pending.isError).toBe(true);
    const id = /The question (apr_\w+) is open/.exec(textOf(pending))![1]!;
    expect(await handrail(workspace, ['approvals', 'answer', id, 'once'])).toMatchObject({ exitCode: 0 });
    expect((await write(mcp, 'a.txt')).isError).toBeUndefined();
    expect(contentOf(workspace, 'a.txt')).toBe('new\n');
  });

  it('takes the first answer, whoever gives it', async () => {
    await using workspace = tempWorkspace();
    const { promise: late, resolve } = Promise.withResolvers<ElicitResult>();
    await using mcp = await connectMcp(workspace, { era, over, args: ASK, answer: () => late });
    const writing = write(mcp, 'a.txt');
    await expect.poll(() => mcp.forms.length, { timeout: 30_000 }).toBe(1);
    await using questions = questionsOf(workspace);
    const [open] = await questions.whenOpen();
    await questions.answer(open!.id, { answer: 'once', by: 'elsewhere' });
    await expect.poll(() => contentOf(workspace, 'a.txt'), { timeout: 30_000 }).toBe('new\n');
    resolve({ action: 'decline' });
    expect((await writing).isError).toBeUndefined();
  });

  it('ends with the call when the client cancels it', async () => {
    await using workspace = tempWorkspace();
    await using mcp = await connectMcp(workspace, { era, over, args: ASK });
    await mcp.client.callTool({ name: 'list', arguments: {} });
    await using questions = questionsOf(workspace);
    await using _watch = await questions.someoneWatches();
    const controller = new AbortController();
    const writing = mcp.client.callTool(
      { name: 'write', arguments: { path: 'a.txt', content: 'new\n' } },
      { signal: controller.signal },
    );
    const [open] = await questions.whenOpen();
    controller.abort('not wanted');
    await expect(writing).rejects.toThrow('not wanted');
    await expect
      .poll(async () => (await questions.find(open!.id))?.state, { timeout: 30_000 })
      .toBe('expired');
    await mcp.client.close();
    const { stdout } = await handrail(workspace, ['audit', 'list', '--json', '--limit', '1']);
    expect(JSON.parse(stdout)).toMatchObject([{ name: 'write', outcome: 'cancelled' }]);
    expect(contentOf(workspace, 'a.txt')).toBeUndefined();
  });
});

describe.each(OVER)('a question in 2025-11-25 over %s', (over) => {
  it('is taken off the screen when it was answered elsewhere', async () => {
    await using workspace = tempWorkspace();
    const never = new Promise<ElicitResult>(() => undefined);
    await using mcp = await connectMcp(workspace, { over, args: ASK, answer: () => never });
    const writing = write(mcp, 'a.txt');
    await expect.poll(() => mcp.forms.length, { timeout: 30_000 }).toBe(1);
    await using questions = questionsOf(workspace);
    const [open] = await questions.whenOpen();
    await questions.answer(open!.id, { answer: 'deny', reason: 'No.' });
    expect(textOf(await writing)).toContain('No.');
    await expect.poll(() => mcp.forms[0]?.signal.aborted, { timeout: 30_000 }).toBe(true);
  });

  it('is denied where the client fails to ask', async () => {
    await using workspace = tempWorkspace();
    const answer = (): never => {
      throw new Error('no window');
    };
    await using mcp = await connectMcp(workspace, { over, args: ASK, answer });
    const result = await write(mcp, 'a.txt');
    expect(result.isError).toBe(true);
    expect(textOf(result)).toContain('The client could not ask: no window');
  });
});

const CALL = { name: 'write', arguments: { path: 'a.txt', content: 'new\n' } };

/** Sends the call and takes the question as it comes, without a person. */
async function ask(mcp: McpClient): Promise<string> {
  const asked = await mcp.client.callTool(CALL, { allowInputRequired: true });
  expect(asked).toMatchObject({ resultType: 'input_required' });
  return String((asked as { requestState?: unknown }).requestState);
}

describe.each(OVER)('a question in 2026-07-28 over %s', (over) => {
  it('is answered only by the same call', async () => {
    await using workspace = tempWorkspace();
    await using mcp = await connectMcp(workspace, { era: '2026-07-28', over, args: ASK, answer: sayOnce });
    const requestState = await ask(mcp);
    const inputResponses = { approval: sayOnce() };
    const other = { ...CALL, arguments: { path: 'a.txt', content: 'other\n' } };
    const result = mcp.client.callTool({ ...other, requestState, inputResponses } as typeof CALL);
    await expect(result).rejects.toThrow('not open any more');
    expect(contentOf(workspace, 'a.txt')).toBeUndefined();
  });

  it('is answered once', async () => {
    await using workspace = tempWorkspace();
    await using mcp = await connectMcp(workspace, { era: '2026-07-28', over, args: ASK, answer: sayOnce });
    const requestState = await ask(mcp);
    const answered = { ...CALL, requestState, inputResponses: { approval: sayOnce() } } as typeof CALL;
    expect((await mcp.client.callTool(answered)).isError).toBeUndefined();
    await expect(mcp.client.callTool(answered)).rejects.toThrow('not open any more');
  });
});

describe('a question in 2026-07-28 over stdio', () => {
  it('is closed when the client leaves without an answer', async () => {
    await using workspace = tempWorkspace();
    const mcp = await connectMcp(workspace, { era: '2026-07-28', args: ASK, answer: sayOnce });
    await ask(mcp);
    await using questions = questionsOf(workspace);
    const [open] = await questions.whenOpen();
    await mcp.client.close();
    await expect
      .poll(async () => (await questions.find(open!.id))?.state, { timeout: 30_000 })
      .toBe('expired');
  });
});
