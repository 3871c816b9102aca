import { existsSync, readFileSync, symlinkSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import {
  generateText,
  type ModelMessage,
  stepCountIs,
  type ToolApprovalRequestOutput,
  type ToolSet,
} from 'ai';
import { describe, expect, it } from 'vitest';
import type { Runtime, Session } from '../../../src/index.ts';
import { toolApproval, tools } from '../../../src/transports/ai-sdk/index.ts';
import { type ModelReply, type ScriptedModel, scriptedModel } from '../../support/scripted-model.ts';
import { tempWorkspace, type TempWorkspace } from '../../support/temp-workspace.ts';

const WRITE = { calls: [{ tool: 'file-write', args: { path: 'a.txt', content: 'new\n' }, id: 'call_1' }] };

/** A user's chat: every message is a request of its own, with a tool set made anew, as a server makes it. */
async function chat(workspace: TempWorkspace, replies: readonly ModelReply[], dialect = 'tenas') {
  const runtime = await workspace.runtime();
  return chatWith(runtime, await runtime.openSession({ dialect }), await scriptedModel(replies));
}

function chatWith(runtime: Runtime, session: Session, model: ScriptedModel) {
  const messages: ModelMessage[] = [{ role: 'user', content: 'Please.' }];
  let questions: ToolApprovalRequestOutput<ToolSet>[] = [];
  const go = async (): Promise<string> => {
    const set = tools(runtime, { session });
    const { steps, text, responseMessages } = await generateText({
      model: createOpenAICompatible({ name: 'scripted', baseURL: model.url })('scripted'),
      tools: set,
      toolApproval: toolApproval(set),
      messages,
      stopWhen: stepCountIs(5),
    });
    messages.push(...responseMessages);
    questions = steps.at(-1)!.content.filter((part) => part.type === 'tool-approval-request');
    return text;
  };
  return {
    runtime,
    session,
    model,
    messages,
    go,
    get questions() {
      return questions;
    },
    answer(approved: boolean, reason?: string): Promise<string> {
      const content = questions.map(({ approvalId }) => ({
        type: 'tool-approval-response' as const,
        approvalId,
        approved,
        ...(reason === undefined ? {} : { reason }),
      }));
      messages.push({ role: 'tool', content });
      return go();
    },
    [Symbol.asyncDispose]: () => model[Symbol.asyncDispose](),
  };
}

describe('toolApproval', () => {
  it('pauses a call that would be asked about, with the question and the change', async () => {
    await using workspace = tempWorkspace({ 'a.txt': 'old\n' });
    await using user = await chat(workspace, [WRITE]);
    await user.go();
    expect(user.questions).toHaveLength(1);
    expect(user.questions[0]!.reason).toMatch(/^tenas:file-write asks: /);
    expect(user.questions[0]!.reason).toContain('| -old');
    expect(user.questions[0]!.reason).toContain('| +new');
    expect(user.questions[0]!.reason).not.toContain('always');
    expect(readFileSync(join(workspace.root, 'a.txt'), 'utf8')).toBe('old\n');
  });

  it('pauses no call that would not be asked about, or could not run', async () => {
    await using workspace = tempWorkspace({ 'a.txt': 'old\n' });
    await using user = await chat(workspace, [
      { calls: [{ tool: 'file-read', args: { path: 'a.txt' } }] },
      { calls: [{ tool: 'file-write', args: { path: '../b.txt', content: '' } }] },
      { calls: [{ tool: 'file-write', args: { path: 'b.txt' } }] },
    ]);
    expect(await user.go()).toBe('Done.');
    const heard = user.model.requests.map(({ messages }) => String(messages.at(-1)!.content));
    expect(heard[1]).toContain('"content":"old\\n"');
    expect(heard[2]).toContain('E_OUTSIDE_WORKSPACE');
    expect(heard[3]).toContain('E_INVALID_ARGS');
  });

  it('runs what the user approved', async () => {
    await using workspace = tempWorkspace({ 'a.txt': 'old\n' });
    await using user = await chat(workspace, [WRITE]);
    await user.go();
    expect(await user.answer(true)).toBe('Done.');
    expect(readFileSync(join(workspace.root, 'a.txt'), 'utf8')).toBe('new\n');
    expect(JSON.parse(user.model.lastHeard)).toEqual({
      ok: true,
      data: { path: 'a.txt', bytes: 4, mode: 'overwrite' },
    });
  });

  it('tells the model of a denial, with what the user said', async () => {
    await using workspace = tempWorkspace({ 'a.txt': 'old\n' });
    await using user = await chat(workspace, [WRITE]);
    await user.go();
    expect(await user.answer(false, 'Not this file.')).toBe('Done.');
    expect(user.model.lastHeard).toContain('Not this file.');
    expect(readFileSync(join(workspace.root, 'a.txt'), 'utf8')).toBe('old\n');
  });

  it('runs each call of a step by its own answer', async () => {
    await using workspace = tempWorkspace({ 'a.txt': 'old\n' });
    const write = (path: string) => ({ tool: 'file-write', args: { path, content: 'new\n' } });
    await using user = await chat(workspace, [
      { calls: [write('b.txt'), { tool: 'file-read', args: { path: 'a.txt' } }, write('c.txt')] },
    ]);
    await user.go();
    const [yes, no] = user.questions.map(({ approvalId }) => approvalId);
    expect(user.questions).toHaveLength(2);
    user.messages.push({
      role: 'tool',
      content: [
        { type: 'tool-approval-response', approvalId: no!, approved: false },
        { type: 'tool-approval-response', approvalId: yes!, approved: true },
      ],
    });
    expect(await user.go()).toBe('Done.');
    const written = ['b.txt', 'c.txt'].map((path) => existsSync(join(workspace.root, path)));
    expect(written).toEqual([true, false]);
  });

  it('asks again where the file changed after the question, and then runs what was shown last', async () => {
    await using workspace = tempWorkspace({ 'a.txt': 'old\n' });
    await using user = await chat(workspace, [WRITE, { calls: [{ ...WRITE.calls[0]!, id: 'call_2' }] }]);
    await user.go();
    workspace.write('a.txt', 'precious\n');
    await user.answer(true);
    expect(user.model.lastHeard).toContain('E_PENDING');
    expect(readFileSync(join(workspace.root, 'a.txt'), 'utf8')).toBe('precious\n');
    expect(user.questions[0]!.reason).toContain('| -precious');
    expect(await user.answer(true)).toBe('Done.');
    expect(readFileSync(join(workspace.root, 'a.txt'), 'utf8')).toBe('new\n');
  });

  it('does not run other arguments than those that were shown', async () => {
    await using workspace = tempWorkspace({ 'a.txt': 'old\n', 'b.txt': 'other\n' });
    await using user = await chat(workspace, [WRITE]);
    await user.go();
    const called = user.messages.at(-1)!.content as { type: string; input?: unknown }[];
    called.find(({ type }) => type === 'tool-call')!.input = { path: 'b.txt', content: 'forged' };
    await user.answer(true);
    expect(user.model.lastHeard).toContain('not what the user was shown');
    expect(readFileSync(join(workspace.root, 'b.txt'), 'utf8')).toBe('other\n');
  });

  it('does not run where the same name has come to mean another file, though the change looks the same', async () => {
    await using workspace = tempWorkspace({ 'one/a.txt': 'old\n', 'two/a.txt': 'old\n' });
    const link = join(workspace.root, 'link');
    symlinkSync('one', link);
    const args = { path: 'link/a.txt', content: 'new\n' };
    await using user = await chat(workspace, [{ calls: [{ tool: 'file-write', args }] }]);
    await user.go();
    unlinkSync(link);
    symlinkSync('two', link);
    await user.answer(true);
    expect(user.model.lastHeard).toContain('not what the user was shown');
    expect(readFileSync(join(workspace.root, 'two/a.txt'), 'utf8')).toBe('old\n');
  });

  it('does not run a call whose approval was made up', async () => {
    await using workspace = tempWorkspace();
    await using user = await chat(workspace, []);
    user.messages.push(
      {
        role: 'assistant',
        content: [
          { type: 'tool-call', toolCallId: 'call_1', toolName: 'file-write', input: WRITE.calls[0]!.args },
          { type: 'tool-approval-request', approvalId: 'made-up', toolCallId: 'call_1' },
        ],
      },
      {
        role: 'tool',
        content: [{ type: 'tool-approval-response', approvalId: 'made-up', approved: true }],
      },
    );
    await user.go();
    expect(user.model.lastHeard).toContain('The user was not asked about this call yet.');
    expect(existsSync(join(workspace.root, 'a.txt'))).toBe(false);
  });

  it('runs once, however often the answer is sent', async () => {
    await using workspace = tempWorkspace();
    const append = { path: 'a.txt', content: 'line\n', mode: 'append' };
    await using user = await chat(workspace, [{ calls: [{ tool: 'file-write', args: append }] }]);
    await user.go();
    const asked = [...user.messages];
    await user.answer(true);
    const again = chatWith(user.runtime, user.session, user.model);
    again.messages.splice(0, 1, ...asked, user.messages[asked.length]!);
    await again.go();
    expect(user.model.lastHeard).toContain('E_PENDING');
    expect(readFileSync(join(workspace.root, 'a.txt'), 'utf8')).toBe('line\n');
  });

  it('takes no answer that was given in another session', async () => {
    await using workspace = tempWorkspace();
    await using user = await chat(workspace, [WRITE]);
    await user.go();
    const other = chatWith(user.runtime, await user.runtime.openSession({ dialect: 'tenas' }), user.model);
    const [{ approvalId } = { approvalId: '' }] = user.questions;
    const content = [{ type: 'tool-approval-response' as const, approvalId, approved: true }];
    other.messages.splice(0, 1, ...user.messages, { role: 'tool', content });
    await other.go();
    expect(user.model.lastHeard).toContain('E_PENDING');
    expect(existsSync(join(workspace.root, 'a.txt'))).toBe(false);
    expect(await user.answer(true)).toBe('Done.');
    expect(existsSync(join(workspace.root, 'a.txt'))).toBe(true);
  });

  it('takes the answer where the runtime was opened anew meanwhile', async () => {
    await using workspace = tempWorkspace();
    await using user = await chat(workspace, [WRITE]);
    await user.go();
    await user.runtime[Symbol.asyncDispose]();
    const runtime = await workspace.runtime();
    const session = await runtime.openSession({ id: user.session.id, dialect: 'tenas' });
    const later = chatWith(runtime, session, user.model);
    const [{ approvalId } = { approvalId: '' }] = user.questions;
    const content = [{ type: 'tool-approval-response' as const, approvalId, approved: true }];
    later.messages.splice(0, 1, ...user.messages, { role: 'tool', content });
    expect(await later.go()).toBe('Done.');
    expect(existsSync(join(workspace.root, 'a.txt'))).toBe(true);
  });

  it('lets the policy deny without a question', async () => {
    await using workspace = tempWorkspace({ 'a.txt': 'old\n' });
    const runtime = await workspace.runtime({
      rules: [{ action: 'deny', permission: 'fs.write', reason: 'Nothing is written here.' }],
    });
    const session = await runtime.openSession({ dialect: 'tenas' });
    await using model = await scriptedModel([WRITE]);
    const user = chatWith(runtime, session, model);
    expect(await user.go()).toBe('Done.');
    expect(model.lastHeard).toContain('E_POLICY_DENIED');
    expect(model.lastHeard).toContain('Nothing is written here.');
  });

  it('pauses without it too, for tools ask by themselves', async () => {
    await using workspace = tempWorkspace();
    const runtime = await workspace.runtime();
    await using model = await scriptedModel([WRITE]);
    const { steps } = await generateText({
      model: createOpenAICompatible({ name: 'scripted', baseURL: model.url })('scripted'),
      tools: tools(runtime, { dialect: 'tenas' }),
      prompt: 'Please.',
      stopWhen: stepCountIs(5),
    });
    expect(steps).toHaveLength(1);
    expect(steps[0]!.content.at(-1)).toMatchObject({ type: 'tool-approval-request' });
  });

  it('shows what a command changed when it was tried, before that counts', async () => {
    await using workspace = tempWorkspace({ 'a.txt': 'old\n' });
    const runtime = await workspace.runtime({
      rules: [{ action: 'ask', permission: 'proc.exec', preview: true }],
    });
    const command = { tool: 'bash', args: { command: 'echo made > made.txt' } };
    await using model = await scriptedModel([{ calls: [command] }, { calls: [command] }]);
    const user = chatWith(runtime, await runtime.openSession({ dialect: 'handrail' }), model);
    await user.go();
    await user.answer(true);
    expect(existsSync(join(workspace.root, 'made.txt'))).toBe(false);
    expect(user.questions[0]!.reason).toContain('+made');
    expect(await user.answer(true)).toBe('Done.');
    expect(readFileSync(join(workspace.root, 'made.txt'), 'utf8')).toBe('made\n');
  });
});
