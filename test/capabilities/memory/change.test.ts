/** Memories: what makes, changes and ends one, who reaches it, and what is not kept. */
import { describe, expect, it } from 'vitest';
import type { Memory, Runtime, Session } from '../../../src/index.ts';
import { approver } from '../../support/approver.ts';
import { auditLines } from '../../security/evidence.ts';
import { tempWorkspace } from '../../support/temp-workspace.ts';
import { speak } from '../../dialects/fixtures/speak.ts';

interface Reply {
  readonly ok: boolean;
  readonly error?: { readonly code: string; readonly message: string } | null;
  readonly payload?: { readonly id: string; readonly action: string; readonly scope: string };
}

const KEPT = { action: 'create', title: 'Build', knowledge_to_store: 'Use make.' };

async function update(runtime: Runtime, args: object, session?: Session): Promise<Reply> {
  const { reply } = await runtime.call('update_memory', args, session === undefined ? {} : { session });
  return reply as Reply;
}

const texts = (memories: readonly Memory[]): string[] =>
  memories.map(({ title, content }) => `${title}: ${content}`);

describe('memory.change', () => {
  it('creates, updates and deletes', async () => {
    await using clude = await speak('clude');
    const { runtime } = clude;
    const { payload } = await update(runtime, KEPT);
    const existing_knowledge_id = payload!.id;
    expect(texts(await runtime.memory.find())).toEqual(['Build: Use make.']);
    await update(runtime, { action: 'update', existing_knowledge_id, knowledge_to_store: 'Use ninja.' });
    expect(texts(await runtime.memory.find())).toEqual(['Build: Use ninja.']);
    await update(runtime, { action: 'update', existing_knowledge_id, title: 'How\n to  build' });
    expect(texts(await runtime.memory.find())).toEqual(['How to build: Use ninja.']);
    expect(await update(runtime, { action: 'delete', existing_knowledge_id })).toMatchObject({
      ok: true,
      payload: { id: existing_knowledge_id, action: 'delete', title: 'How to build', scope: 'workspace' },
    });
    expect(await runtime.memory.find()).toEqual([]);
    expect(clude.asked).toEqual([]);
  });

  it.each<[what: string, args: object, says: string]>([
    ['a create without a title', { action: 'create', knowledge_to_store: 'x' }, '"title": create needs it'],
    ['a create without knowledge', { action: 'create', title: 'x' }, '"knowledge_to_store": create needs it'],
    [
      'a create of what is there',
      { ...KEPT, existing_knowledge_id: 'mem_w_1' },
      '"existing_knowledge_id": create takes none',
    ],
    ['an update of nothing', { action: 'update', title: 'x' }, '"existing_knowledge_id": update needs it'],
    [
      'an update that changes nothing',
      { action: 'update', existing_knowledge_id: 'mem_w_1' },
      '"knowledge_to_store": update changes this',
    ],
    ['a delete of nothing', { action: 'delete' }, '"existing_knowledge_id": delete needs it'],
    [
      'an id that is none',
      { action: 'delete', existing_knowledge_id: '../x' },
      '"existing_knowledge_id": is not the id of a memory',
    ],
    ['another action', { action: 'append' }, '"action"'],
    ['another scope', { ...KEPT, scope: 'org' }, '"scope"'],
    ['a blank title', { ...KEPT, title: ' \n' }, '"title"'],
    ['a title without end', { ...KEPT, title: 'x'.repeat(201) }, '"title"'],
    ['knowledge without end', { ...KEPT, knowledge_to_store: 'x'.repeat(4_001) }, '"knowledge_to_store"'],
  ])('refuses %s', async (_what, args, says) => {
    await using clude = await speak('clude');
    const { ok, error } = await update(clude.runtime, args);
    expect([ok, error?.code]).toEqual([false, 'E_INVALID_ARGS']);
    expect(error?.message).toContain(says);
    expect(await clude.runtime.memory.find()).toEqual([]);
  });

  it('says what there is where an id is not', async () => {
    await using clude = await speak('clude');
    const { payload } = await update(clude.runtime, KEPT);
    const { error } = await update(clude.runtime, { action: 'delete', existing_knowledge_id: 'mem_w_gone' });
    expect(error?.code).toBe('E_NOT_FOUND');
    expect(JSON.stringify(error)).toContain(`${payload!.id} (Build)`);
  });

  it('keeps a title once in each scope', async () => {
    await using clude = await speak('clude');
    const { payload } = await update(clude.runtime, KEPT);
    const { error } = await update(clude.runtime, { ...KEPT, knowledge_to_store: 'Use ninja.' });
    expect(error?.code).toBe('E_CONFLICT');
    expect(error?.message).toContain(payload!.id);
    expect(await update(clude.runtime, { ...KEPT, scope: 'session' })).toMatchObject({ ok: true });
  });

  it('keeps 200 in a scope, and says so', async () => {
    await using clude = await speak('clude');
    for (let number = 0; number < 200; number++)
      await update(clude.runtime, { ...KEPT, title: `Fact ${number}` });
    expect((await update(clude.runtime, KEPT)).error).toMatchObject({
      code: 'E_TOO_LARGE',
      message: '200 memories are kept in the scope workspace, and no more.',
    });
    expect(await update(clude.runtime, { ...KEPT, scope: 'session' })).toMatchObject({ ok: true });
  });

  it('is on record, without what it keeps looking like more than it is', async () => {
    await using clude = await speak('clude');
    await update(clude.runtime, KEPT);
    await clude.runtime.flush();
    const closed = auditLines(clude.workspace.locations.state).find(({ event }) => event === 'closed');
    expect(closed).toMatchObject({
      operation: 'memory.change',
      args: KEPT,
      accesses: [{ permission: 'state.write', resource: 'memory:workspace' }],
      ok: true,
    });
  });

  it('stays when the turn is taken back', async () => {
    await using clude = await speak('clude');
    await clude.runtime.call('update_memory', KEPT, { turn: 'turn_1' });
    await clude.runtime.undo({ last: 1 }).catch(() => undefined);
    expect(texts(await clude.runtime.memory.find())).toEqual(['Build: Use make.']);
  });

  it('asks before it keeps something for every workspace, and shows it whole', async () => {
    await using clude = await speak('clude');
    expect(await update(clude.runtime, { ...KEPT, scope: 'user' })).toMatchObject({ ok: true });
    expect(clude.asked).toMatchObject([
      {
        reason: 'The memory would be told to agents in every workspace of yours.',
        preview: { kind: 'text', text: 'Remember "Build":\nUse make.' },
      },
    ]);
  });

  it('asks nobody about what could not be kept', async () => {
    await using clude = await speak('clude');
    const args = { ...KEPT, scope: 'user', knowledge_to_store: 'password=hunter2' };
    expect(await update(clude.runtime, args)).toMatchObject({ ok: false, error: { code: 'E_INVALID_ARGS' } });
    const gone = { action: 'delete', existing_knowledge_id: 'mem_u_gone' };
    expect(await update(clude.runtime, gone)).toMatchObject({ ok: false, error: { code: 'E_NOT_FOUND' } });
    expect(clude.asked).toEqual([]);
  });
});

describe('the memories of a session', () => {
  it('are its own, those of its workspace and those of its user, newest first', async () => {
    await using workspace = tempWorkspace();
    const runtime = await workspace.runtime({ dialect: 'clude', approve: approver('once') });
    const [one, other] = [await runtime.openSession(), await runtime.openSession()];
    await update(runtime, { ...KEPT, scope: 'session', title: 'Mine' }, one);
    await update(runtime, { ...KEPT, scope: 'session', title: 'Theirs' }, other);
    await update(runtime, { ...KEPT, title: 'Ours' }, other);
    await update(runtime, { ...KEPT, scope: 'user', title: 'Everywhere' }, other);
    const titles = (memories: readonly Memory[]): string[] => memories.map(({ title }) => title).sort();
    expect(titles(await runtime.memories(one))).toEqual(['Everywhere', 'Mine', 'Ours']);
    expect(titles(await runtime.memory.find())).toEqual(['Everywhere', 'Mine', 'Ours', 'Theirs']);
  });

  it('are told as far as they fit', async () => {
    await using clude = await speak('clude');
    for (let number = 0; number < 10; number++)
      await update(clude.runtime, {
        ...KEPT,
        title: `Fact ${number}`,
        knowledge_to_store: 'x'.repeat(3_000),
      });
    const told = await clude.runtime.memories({ id: 'ses_any' });
    expect(told.length).toBe(3);
  });

  it('outlive the process', async () => {
    await using workspace = tempWorkspace();
    const first = await workspace.runtime({ dialect: 'clude' });
    await update(first, KEPT);
    await first[Symbol.asyncDispose]();
    const next = await workspace.runtime({ dialect: 'clude' });
    expect(texts(await next.memory.find())).toEqual(['Build: Use make.']);
  });
});

describe('Runtime.memory', () => {
  it('removes one for a person, on record', async () => {
    await using clude = await speak('clude');
    const { payload } = await update(clude.runtime, KEPT);
    expect((await clude.runtime.memory.remove(payload!.id, 'terminal')).title).toBe('Build');
    expect(await clude.runtime.memory.find()).toEqual([]);
    await clude.runtime.flush();
    expect(
      auditLines(clude.workspace.locations.state).findLast(({ event }) => event === 'closed'),
    ).toMatchObject({
      dialect: 'human',
      name: 'memory.change',
      args: { id: payload!.id },
      approver: 'terminal',
      ok: true,
    });
    await expect(clude.runtime.memory.remove(payload!.id)).rejects.toMatchObject({ code: 'E_NOT_FOUND' });
  });
});
