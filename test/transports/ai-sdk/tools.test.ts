import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { generateText, type LanguageModel, stepCountIs, streamText } from 'ai';
import { describe, expect, it } from 'vitest';
import { ToolFailure, tools } from '../../../src/transports/ai-sdk/index.ts';
import { approver } from '../../support/approver.ts';
import { type ModelReply, type ScriptedModel, scriptedModel } from '../../support/scripted-model.ts';
import { tempWorkspace } from '../../support/temp-workspace.ts';

/** One call of the model, and then the end. */
function calling(tool: string, args: object): ModelReply[] {
  return [{ calls: [{ tool, args, id: 'call_1' }] }, { text: 'Done.' }];
}

function clientOf({ url }: ScriptedModel): LanguageModel {
  return createOpenAICompatible({ name: 'scripted', baseURL: url })('scripted');
}

const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

describe('tools', () => {
  it('gives the model the names, descriptions and schemas of the catalogue', async () => {
    await using workspace = tempWorkspace();
    const runtime = await workspace.runtime();
    await using model = await scriptedModel([]);
    await generateText({ model: clientOf(model), tools: tools(runtime, { dialect: 'tenas' }), prompt: 'Hi' });
    const listed = model.requests[0]!.tools!.map((tool) => tool.function);
    const catalogue = runtime.definitions(undefined, 'tenas');
    expect(listed.map(({ name }) => name)).toEqual(catalogue.map(({ name }) => name));
    expect(listed.find(({ name }) => name === 'file-read')).toEqual({
      name: 'file-read',
      description: 'Read a whole text file of at most 256 KB.',
      parameters: {
        type: 'object',
        properties: { path: { type: 'string', description: expect.any(String) as string } },
        required: ['path'],
        additionalProperties: false,
      },
    });
  });

  it('lists a name with a dot without it, and takes both', async () => {
    await using workspace = tempWorkspace({ 'a.txt': 'a' });
    const runtime = await workspace.runtime();
    const set = tools(runtime, { dialect: 'codelab' });
    expect(Object.keys(set)).toContain('git_diff');
    expect(Object.keys(set)).not.toContain('git.diff');
    for (const name of ['git_diff', 'git.diff']) {
      await using model = await scriptedModel(calling(name, { path: '.' }));
      await generateText({ model: clientOf(model), tools: set, prompt: 'Diff', stopWhen: stepCountIs(3) });
      expect(model.lastHeard).toContain('GIT_NOT_INITIALIZED');
    }
  });

  it('leaves out what an agent has switched off', async () => {
    await using workspace = tempWorkspace();
    const runtime = await workspace.runtime();
    const agent = { name: 'reader', tools: { 'file-write': false, 'file-delete': false } };
    const session = await runtime.openSession({ dialect: 'tenas', agent });
    const names = Object.keys(tools(runtime, { session }));
    expect(names).toContain('file-read');
    expect(names).not.toContain('file-write');
    expect(Object.keys(tools(runtime, { dialect: 'tenas', agent }))).toEqual(names);
  });

  it('has only the tools that were named, and none for a name that is not there', async () => {
    await using workspace = tempWorkspace();
    const runtime = await workspace.runtime();
    const only = ['git_diff', 'read_file', 'no-such-tool', 'git.diff'];
    expect(Object.keys(tools(runtime, { dialect: 'codelab', only }))).toEqual(['read_file', 'git_diff']);
  });

  it('tells the grade of a tool, whether it is asked about, and its component', async () => {
    await using workspace = tempWorkspace();
    const { 'file-read': reading, 'file-delete': deleting } = tools(await workspace.runtime(), {
      dialect: 'tenas',
    });
    expect(reading!.metadata).toEqual({ risk: 'read', needsApproval: false, component: null });
    expect(deleting!.metadata).toEqual({ risk: 'destructive', needsApproval: true, component: null });
  });

  it('runs a call under its id and turn, and gives the model the reply of the dialect', async () => {
    await using workspace = tempWorkspace({ 'a.txt': 'alpha\n' });
    const runtime = await workspace.runtime();
    const ids: string[] = [];
    runtime.subscribe((event) => void (event.type === 'call-ended' && ids.push(event.result.tool_call_id)));
    await using model = await scriptedModel(calling('file-read', { path: 'a.txt' }));
    const set = tools(runtime, { dialect: 'tenas', turn: 'turn_7' });
    await generateText({ model: clientOf(model), tools: set, prompt: 'Read', stopWhen: stepCountIs(3) });
    expect(JSON.parse(model.lastHeard)).toEqual({
      ok: true,
      data: { path: 'a.txt', bytes: 6, content: 'alpha\n' },
    });
    expect(ids).toEqual(['call_1']);
  });

  it('throws a failure of tenas with its code and hint, and lets the model read why', async () => {
    await using workspace = tempWorkspace();
    const runtime = await workspace.runtime();
    await using model = await scriptedModel(calling('file-read', { path: 'a.txt', lines: 3 }));
    const { steps } = await generateText({
      model: clientOf(model),
      tools: tools(runtime, { dialect: 'tenas' }),
      prompt: 'Read',
      stopWhen: stepCountIs(3),
    });
    const part = steps[0]!.content.find(({ type }) => type === 'tool-error');
    const error = (part as { error: ToolFailure }).error;
    expect(error).toBeInstanceOf(ToolFailure);
    expect(error).toMatchObject({ code: 'E_INVALID_ARGS', outcome: 'failed' });
    expect(model.lastHeard).toContain('E_INVALID_ARGS');
    expect(model.lastHeard).toContain('lines');
  });

  it('gives failures as replies where the dialect has them there', async () => {
    await using workspace = tempWorkspace();
    const runtime = await workspace.runtime();
    await using model = await scriptedModel(calling('read', { path: 'none.txt' }));
    const { steps } = await generateText({
      model: clientOf(model),
      tools: tools(runtime),
      prompt: 'Read',
      stopWhen: stepCountIs(3),
    });
    expect(steps[0]!.toolResults[0]!.output).toMatchObject({ ok: false, code: 'E_NOT_FOUND' });
    expect(model.lastHeard).toContain('E_NOT_FOUND');
  });

  it('gives the model a picture as a picture', async () => {
    await using workspace = tempWorkspace({ 'dot.png': PIXEL });
    const runtime = await workspace.runtime();
    const made = tools(runtime)['view']!;
    const call = { toolCallId: 'call_1', messages: [], context: undefined };
    const output: unknown = await made.execute!({ path: 'dot.png' }, call);
    expect(await made.toModelOutput!({ toolCallId: 'call_1', input: {}, output })).toEqual({
      type: 'content',
      value: [
        {
          type: 'file',
          mediaType: 'image/png',
          data: { type: 'data', data: PIXEL.toString('base64') },
        },
        { type: 'text', text: expect.stringContaining('"media_type":"image/png"') as string },
      ],
    });
  });

  it('cuts what no model would read, and says so', async () => {
    await using workspace = tempWorkspace();
    const made = tools(await workspace.runtime(), { dialect: 'tenas' })['web-fetch']!;
    const output = { ok: true, data: { content: 'x'.repeat(600_000) } };
    const told = await made.toModelOutput!({ toolCallId: 'call_1', input: {}, output });
    expect(told).toMatchObject({ type: 'text' });
    expect((told as { value: string }).value.length).toBeLessThan(530_000);
    expect((told as { value: string }).value).toMatch(/\[cut: 600\d\d\d characters in all/);
  });

  it('asks the approver of the caller where there is one, and pauses nothing', async () => {
    await using workspace = tempWorkspace();
    const runtime = await workspace.runtime();
    const approve = approver('once');
    await using model = await scriptedModel(calling('file-write', { path: 'a.txt', content: 'new' }));
    const set = tools(runtime, { dialect: 'tenas', approve });
    await generateText({ model: clientOf(model), tools: set, prompt: 'Write', stopWhen: stepCountIs(3) });
    expect(approve.asked).toHaveLength(1);
    expect(readFileSync(join(workspace.root, 'a.txt'), 'utf8')).toBe('new');
  });

  it('gives the output of a command before its end', async () => {
    await using workspace = tempWorkspace();
    const runtime = await workspace.runtime();
    const approve = approver('once');
    await using model = await scriptedModel(
      calling('bash', { command: 'echo first; until test -e go; do sleep 0.05; done; echo last' }),
    );
    const { fullStream } = streamText({
      model: clientOf(model),
      tools: tools(runtime, { approve }),
      prompt: 'Run',
      stopWhen: stepCountIs(3),
    });
    const outputs: unknown[] = [];
    for await (const part of fullStream) {
      if (part.type !== 'tool-result') continue;
      outputs.push(part.output);
      if (part.preliminary === true) workspace.write('go', '');
    }
    expect(outputs[0]).toEqual({ output: 'first\n' });
    expect(outputs.at(-1)).toMatchObject({ ok: true, exit_code: 0 });
  });

  it('ends a call when the SDK is aborted', async () => {
    await using workspace = tempWorkspace();
    const runtime = await workspace.runtime();
    const stop = new AbortController();
    const ended = Promise.withResolvers<string>();
    const set = tools(runtime, {
      approve: approver('once'),
      listener(event) {
        if (event.type === 'output-added') stop.abort();
        if (event.type === 'call-ended') ended.resolve(event.outcome);
      },
    });
    await using model = await scriptedModel(calling('bash', { command: 'echo begun; sleep 100' }));
    const run = generateText({
      model: clientOf(model),
      tools: set,
      prompt: 'Run',
      abortSignal: stop.signal,
      stopWhen: stepCountIs(3),
    });
    await expect(run).rejects.toThrow(/abort/i);
    expect(await ended.promise).toBe('cancelled');
  });
});
