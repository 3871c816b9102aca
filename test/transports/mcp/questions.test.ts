/** Questions of agents that a client shows to its person, in both eras, by forms that are not those of approvals. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ElicitResult } from '@modelcontextprotocol/client';
import { describe, expect, it } from 'vitest';
import { environmentOf, handrail } from '../../support/command-line.ts';
import { connectedWorkspace, connectMcp, ERAS, OVER, textOf, WAYS } from '../../support/mcp-client.ts';
import { questionsOf } from '../../support/questions.ts';
import { shared } from '../../support/shared.ts';
import { tempWorkspace } from '../../support/temp-workspace.ts';

const ASK = { name: 'ask_user', arguments: { message: 'Which?\u202e', choices: ['one', 'two \u001b[2J'] } };
const PATCH = ['a', 'b', 'c']
  .map((name) => `--- /dev/null\n+++ b/${name}\n@@ -0,0 +1 @@\n+${name}\n`)
  .join('');

const accept = (content: Record<string, string>): ElicitResult => ({ action: 'accept', content });

describe.each(WAYS)('a question of the agent in $era over $over', ({ era, over }) => {
  let filledIn: ElicitResult = { action: 'cancel' };
  const connected = shared(async (stack) =>
    stack.use(await connectedWorkspace({}, { era, over, answer: () => filledIn })),
  );

  it('is a form of its own, and the choice goes back as it was written', async () => {
    const { client, forms, workspace } = connected();
    const choice = String.raw`two \u001b[2J`;
    filledIn = accept({ choice });
    const before = forms.length;
    const result = await client.callTool(ASK);
    expect(JSON.parse(textOf(result))).toEqual({ ok: true, answer: 'two \u001b[2J' });
    expect(forms.slice(before)).toMatchObject([
      {
        message: String.raw`The agent asks you something (handrail:ask_user). Whatever you answer allows nothing.
  | Which?\u202e
  1  one
  2  two \u001b[2J`,
        fields: { choice: ['one', choice] },
      },
    ]);
    expect(Object.keys(forms.at(-1)!.fields)).toEqual(['choice']);
    const { stdout } = await handrail(workspace, ['audit', 'show', String(result._meta?.['handrail/call'])]);
    expect(stdout).toMatch(/"answered_by": ?"MCP client"/);
  });

  it.each<[what: string, filled: ElicitResult]>([
    ['declined', { action: 'decline' }],
    ['dismissed', { action: 'cancel' }],
    ['filled in with something else', accept({ choice: 'three' })],
    ['filled in like an approval', accept({ answer: 'once' })],
  ])('that is %s is no answer', async (_what, filled) => {
    filledIn = filled;
    const result = await connected().client.callTool(ASK);
    expect(result.isError).toBe(true);
    expect(JSON.parse(textOf(result))).toMatchObject({ denied: true, code: 'E_DENIED' });
  });

  it.each<[content: Record<string, string>, selected: number[]]>([
    [{ take: 'all' }, [1, 2, 3]],
    [{ take: 'some', chunks: '3, 1' }, [1, 3]],
    [{ take: 'none', chunks: '3' }, []],
  ])('takes the chunks of %j', async (content, selected) => {
    filledIn = accept({ ...content, comment: 'Tests, please.' });
    const result = await connected().client.callTool({ name: 'patch_review', arguments: { patch: PATCH } });
    expect(JSON.parse(textOf(result))).toMatchObject({
      chunks_selected: selected,
      chunks_total: 3,
      comments: [{ text: 'Tests, please.' }],
    });
  });

  it('comes after the approval that a rule wants, each with its own answer', async () => {
    await using workspace = tempWorkspace();
    const settings = join(environmentOf(workspace)['XDG_CONFIG_HOME']!, 'handrail');
    mkdirSync(settings, { recursive: true });
    const rules = [{ action: 'ask', permission: 'user.ask' }];
    writeFileSync(join(settings, 'config.jsonc'), JSON.stringify({ rules }));
    await using mcp = await connectMcp(workspace, {
      era,
      over,
      answer: ({ fields }) => accept('answer' in fields ? { answer: 'once' } : { choice: 'one' }),
    });
    expect(JSON.parse(textOf(await mcp.client.callTool(ASK)))).toEqual({ ok: true, answer: 'one' });
    expect(mcp.forms.map(({ fields }) => Object.keys(fields)[0])).toEqual(['answer', 'choice']);
  });

  it('fails at once where the client shows no forms and nobody else is there', async () => {
    await using workspace = tempWorkspace();
    await using mcp = await connectMcp(workspace, { era, over });
    expect(textOf(await mcp.client.callTool(ASK))).toContain('Nobody can be asked here.');
  });

  it('is answered from elsewhere, too, and says that it waits', async () => {
    await using workspace = tempWorkspace();
    await using mcp = await connectMcp(workspace, { era, over });
    // Makes the store.
    await mcp.client.callTool({ name: 'list', arguments: {} });
    await using questions = questionsOf(workspace);
    await using _watch = await questions.someoneWatches();
    const messages: (string | undefined)[] = [];
    const asking = mcp.client.callTool(ASK, { onprogress: ({ message }) => messages.push(message) });
    const [open] = await questions.whenOpen();
    await handrail(workspace, ['approvals', 'answer', open!.id, 'one']);
    expect(JSON.parse(textOf(await asking))).toEqual({ ok: true, answer: 'one' });
    expect(messages).toContain('Waiting for an answer; `handrail approvals` shows the question');
  });
});

// On stdio the SDK's client has the result before it looks at what was said just before.
describe.each(ERAS)('display in %s over http', (era) => {
  it('is heard by a client that wants progress, and not said to be by another', async () => {
    await using workspace = tempWorkspace();
    await using mcp = await connectMcp(workspace, { era, over: 'http' });
    const messages: (string | undefined)[] = [];
    const shown = { name: 'display', arguments: { content: 'Half\n\u001b[2Jdone.', title: 'Now' } };
    const heard = await mcp.client.callTool(shown, { onprogress: ({ message }) => messages.push(message) });
    expect(JSON.parse(textOf(heard))).toEqual({ ok: true, displayed: true });
    expect(messages).toContain(String.raw`Now: Half \u001b[2Jdone.`);
    expect(JSON.parse(textOf(await mcp.client.callTool(shown)))).toMatchObject({ displayed: false });
  });
});

describe.each(OVER)('display in 2025-11-25 over %s', (over) => {
  it('is a log message for a client that asked for that level', async () => {
    await using workspace = tempWorkspace();
    await using mcp = await connectMcp(workspace, { over });
    const logged: unknown[] = [];
    mcp.client.setNotificationHandler('notifications/message', ({ params }) => void logged.push(params));
    const show = (level: string): Promise<string> =>
      mcp.client.callTool({ name: 'display', arguments: { content: 'a\u001b[2J', level } }).then(textOf);
    expect(JSON.parse(await show('error'))).toMatchObject({ displayed: false });
    await mcp.client.setLoggingLevel('warning');
    expect(JSON.parse(await show('error'))).toMatchObject({ displayed: true });
    await show('progress');
    await show('warning');
    await expect.poll(() => logged.length, { timeout: 30_000 }).toBe(2);
    const shown = (level: string): object => ({
      level,
      logger: 'agent',
      data: String.raw`The agent says (${level})` + '\n' + String.raw`  | a\u001b[2J`,
    });
    expect(logged).toEqual([shown('error'), shown('warning')]);
  });
});

describe('display in 2026-07-28 over stdio', () => {
  it('is a log message for a request that asks for it', async () => {
    await using workspace = tempWorkspace();
    await using mcp = await connectMcp(workspace, { era: '2026-07-28' });
    const logged: unknown[] = [];
    mcp.client.setNotificationHandler('notifications/message', ({ params }) => void logged.push(params));
    const show = (wanted: object): Promise<string> =>
      mcp.client
        .callTool({ name: 'display', arguments: { content: 'x', level: 'success' }, _meta: { ...wanted } })
        .then(textOf);
    expect(JSON.parse(await show({}))).toMatchObject({ displayed: false });
    const wanted = { 'io.modelcontextprotocol/logLevel': 'info' };
    expect(JSON.parse(await show(wanted))).toMatchObject({ displayed: true });
    await expect.poll(() => logged, { timeout: 30_000 }).toMatchObject([{ level: 'notice' }]);
  });
});
