/** The list of things to do: whole-list replacement, one session, one item under way. */
import { describe, expect, it } from 'vitest';
import type { RuntimeEvent, TodoItem } from '../../../src/index.ts';
import { tempWorkspace } from '../../support/temp-workspace.ts';
import { speak } from '../fixtures/speak.ts';

const LOOK: TodoItem = { id: 'a', content: 'look', status: 'completed', priority: 'high' };
const MEND: TodoItem = { id: 'b', content: 'mend', status: 'in_progress', priority: 'medium' };
const TELL: TodoItem = { id: 'c', content: 'tell', status: 'pending', priority: 'low' };

const listed = (items: readonly TodoItem[], inProgress: number) => ({
  ok: true,
  session_id: expect.any(String) as string,
  items,
  count: items.length,
  in_progress: inProgress,
});

describe('coder todoread', () => {
  it('gives an empty list where there is none', async () => {
    await using coder = await speak('coder');
    expect(await coder.reply('todoread', {})).toEqual(listed([], 0));
  });

  it('counts what is in progress', async () => {
    await using coder = await speak('coder');
    await coder.reply('todowrite', { todos: [LOOK, MEND, TELL] });
    expect(await coder.reply('todoread', {})).toEqual(listed([LOOK, MEND, TELL], 1));
  });

  it('is about its own session only', async () => {
    await using workspace = tempWorkspace();
    const runtime = await workspace.runtime({ dialect: 'coder' });
    const [one, other] = [await runtime.openSession(), await runtime.openSession()];
    await runtime.call('todowrite', { todos: [TELL] }, { session: one });
    const { reply } = await runtime.call('todoread', {}, { session: other });
    expect(reply).toEqual({ ...listed([], 0), session_id: other.id });
    expect(await runtime.todos(one)).toEqual([TELL]);
    expect(await runtime.todos(other)).toEqual([]);
  });

  it('finds the list of a session that goes on after a restart', async () => {
    await using workspace = tempWorkspace();
    const first = await workspace.runtime({ dialect: 'coder' });
    const session = await first.openSession({ id: 'ses_kept' });
    await first.call('todowrite', { todos: [MEND] }, { session });
    await first[Symbol.asyncDispose]();
    const next = await workspace.runtime({ dialect: 'coder' });
    const resumed = await next.openSession({ id: 'ses_kept' });
    expect((await next.call('todoread', {}, { session: resumed })).reply).toEqual(listed([MEND], 1));
  });

  it('does not find the list of a session of the same id in another workspace', async () => {
    await using workspace = tempWorkspace();
    await using elsewhere = tempWorkspace();
    const runtime = await workspace.runtime();
    const other = await elsewhere.runtime({ locations: workspace.locations });
    const session = await runtime.openSession({ id: 'ses_same' });
    await runtime.call('todowrite', { todos: [MEND] }, { session });
    expect(await other.todos({ id: 'ses_same' })).toEqual([]);
  });
});

describe('coder todowrite', () => {
  it('replaces the whole list, and [] clears it', async () => {
    await using coder = await speak('coder');
    await coder.reply('todowrite', { todos: [LOOK, MEND] });
    expect(await coder.reply('todowrite', { todos: [TELL] })).toEqual(listed([TELL], 0));
    expect(await coder.reply('todowrite', { todos: [] })).toEqual(listed([], 0));
    expect(await coder.reply('todoread', {})).toEqual(listed([], 0));
  });

  it('fills in ids that are missing with ones that are free', async () => {
    await using coder = await speak('coder');
    const [{ id: _one, ...look }, { id: _other, ...tell }] = [LOOK, TELL];
    const todos = [look, { ...MEND, id: '1' }, tell];
    expect(await coder.reply('todowrite', { todos })).toEqual(
      listed(
        [
          { id: '2', ...look },
          { ...MEND, id: '1' },
          { id: '3', ...tell },
        ],
        1,
      ),
    );
  });

  it('leaves out what is blank', async () => {
    await using coder = await speak('coder');
    expect(await coder.reply('todowrite', { todos: [{ ...LOOK, content: ' \n' }, TELL] })).toEqual(
      listed([TELL], 0),
    );
  });

  it.each<[what: string, todos: readonly object[], says: string]>([
    ['two items in progress', [MEND, { ...TELL, status: 'in_progress' }], 'only one item can be in_progress'],
    ['an unknown status', [{ ...LOOK, status: 'done' }], '"todos.0.status"'],
    ['an unknown priority', [{ ...LOOK, priority: 'urgent' }], '"todos.0.priority"'],
    ['an id that stands there twice', [LOOK, { ...TELL, id: 'a' }], 'two items have the same id'],
    ['a list without end', Array.from({ length: 201 }, () => ({ ...TELL, id: undefined })), '"todos"'],
  ])('refuses %s and keeps what there was', async (_what, todos, says) => {
    await using coder = await speak('coder');
    await coder.reply('todowrite', { todos: [LOOK] });
    expect(await coder.reply('todowrite', { todos })).toEqual({
      ok: false,
      error: expect.stringContaining(says) as string,
      code: 'E_INVALID_ARGS',
    });
    expect(await coder.reply('todoread', {})).toEqual(listed([LOOK], 0));
  });

  it('asks nobody, also where nothing else may be changed', async () => {
    await using coder = await speak('coder', {}, { mode: 'read-only' });
    expect(await coder.reply('todowrite', { todos: [TELL] })).toEqual(listed([TELL], 0));
    expect(coder.asked).toEqual([]);
  });

  it('can be denied', async () => {
    await using coder = await speak(
      'coder',
      {},
      { rules: [{ action: 'deny', permission: 'state.write', reason: 'No notes.' }] },
    );
    expect(await coder.reply('todowrite', { todos: [] })).toEqual({
      ok: false,
      denied: true,
      reason: 'No notes.',
      code: 'E_POLICY_DENIED',
    });
  });

  it('tells everyone who listens, without secrets', async () => {
    await using coder = await speak('coder');
    const heard: RuntimeEvent[] = [];
    coder.runtime.subscribe((event) => heard.push(event));
    await coder.reply('todowrite', { todos: [{ ...TELL, content: 'use password=hunter2' }] });
    expect(heard.find(({ type }) => type === 'todos-changed')).toEqual({
      type: 'todos-changed',
      callId: expect.any(String) as string,
      session: expect.any(String) as string,
      at: expect.any(Number) as number,
      items: [{ ...TELL, content: 'use password=[redacted]' }],
    });
  });
});
