import { describe, expect, it } from 'vitest';
import { openAgents } from '../../src/agent/open-agents.ts';
import type { ModelReply, ModelRequest } from '../support/scripted-model.ts';
import { agentGround, allOf, endOf, only } from './agent-ground.ts';

const SUMMARY = '## Goal\nCount.\n## Next steps\nGo on.';

function isSummary({ messages }: ModelRequest): boolean {
  return String(messages[0]!.content).includes('## Relevant files');
}

/** An endpoint whose models take few tokens. */
function small(url: string, window: number): object {
  return { models: { default: 'small/scripted', endpoints: { small: { baseUrl: url, window } } } };
}

describe('a conversation near the end of its window', () => {
  const words = Array.from({ length: 3_000 }, (_, number) => `word${number}`).join(' ');

  it('leaves out old results, then is summarised; calls and results stay together', async () => {
    const replies: ModelReply[] = Array.from({ length: 30 }, (_, number) => ({
      text: words.slice(0, 2_000),
      calls: [{ tool: 'read', args: { path: `${number}.txt` } }],
    }));
    let number = 0;
    await using ground = await agentGround(
      (request) => {
        // Four characters are about a token.
        const usage = { input: Math.round(JSON.stringify(request).length / 4), output: 10 };
        return {
          usage,
          ...(isSummary(request) ? { text: SUMMARY } : (replies[number++] ?? { text: 'Done.' })),
        };
      },
      { files: Object.fromEntries(replies.map((_, index) => [`${index}.txt`, words.slice(0, 4_000)])) },
    );
    const settings = small(ground.model.url, 30_000);
    const conversation = await ground.openWith(settings, { model: 'small/scripted' });
    const events = await allOf(conversation.say('Read them all.'));
    expect(endOf(events).reason).toBe('done');
    const compacted = only(events, 'compacted');
    expect(compacted.length).toBeGreaterThan(0);
    expect(compacted.every(({ before, after }) => after < before && after < 24_000)).toBe(true);
    expect(conversation.context.tokens).toBeLessThan(conversation.context.window);
    expect(ground.model.requests.some(isSummary)).toBe(true);
    for (const { messages } of ground.model.requests) {
      const called = messages.flatMap(({ tool_calls: calls = [] }) => calls.map(({ id }) => id));
      const answered = messages.flatMap(({ tool_call_id: id }) => id ?? []);
      expect(answered).toEqual(called);
    }
    const last = ground.model.requests.at(-1)!.messages;
    expect(String(last[1]!.content)).toContain(SUMMARY);
  });

  it('is summarised by the user, and goes on so after a restart', async () => {
    await using ground = await agentGround((request) =>
      isSummary(request) ? { text: SUMMARY } : { text: 'Yes.' },
    );
    const conversation = await ground.open();
    for (const said of ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight'])
      await allOf(conversation.say(`${said} ${words.slice(0, 400)}`));
    const { before, after } = await conversation.compact();
    expect(after).toBeLessThan(before);
    const runtime = await ground.workspace.runtime();
    const again = await openAgents(runtime, ground).open({ id: conversation.session.id });
    await allOf(again.say('And now?'));
    const { messages } = ground.model.requests.at(-1)!;
    expect(String(messages[1]!.content)).toContain(SUMMARY);
    expect(messages).toHaveLength(2 + 12 + 1);
    expect(again.said).toHaveLength(18);
  });

  it('is summarised where the provider says that it is too long', async () => {
    const refusal = { status: 400, message: 'This exceeds the maximum context length of 4096 tokens.' };
    let isRefused = false;
    await using ground = await agentGround((request, number) => {
      if (isSummary(request)) return { text: SUMMARY };
      if (number < 8 || isRefused) return { text: 'Yes.' };
      isRefused = true;
      return { refusal };
    });
    const conversation = await ground.open();
    for (let turn = 0; turn < 8; turn++) await allOf(conversation.say(`Turn ${turn}.`));
    const events = await allOf(conversation.say('And now?'));
    expect(endOf(events)).toMatchObject({ reason: 'done', text: 'Yes.' });
    expect(only(events, 'compacted')).toHaveLength(1);
  });
});
