/** Paths of `tenas` that name a project: `[id]/path`. */
import { existsSync, mkdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { openState } from '../../../src/open-state.ts';
import { type Approver, createRuntime, type Rule } from '../../../src/index.ts';
import { approver } from '../../support/approver.ts';
import { type TempProjects, tempProjects } from '../../support/projects.ts';

const FILES = {
  a: { 'f.txt': 'of a\n', '[x]/y.txt': 'in a folder\n', '@at.txt': 'at\n' },
  b: { 'f.txt': 'of b\n', 'docs/d.txt': 'needle\n', 'secret/s.txt': 'needle\n' },
};

interface Choices {
  readonly approve?: Approver;
  readonly rules?: readonly Rule[];
  readonly mode?: 'ask' | 'reversible' | 'auto' | 'read-only';
}

const temp = (choices: Choices = {}): Promise<TempProjects> =>
  tempProjects(FILES, { dialect: 'tenas', ...choices });

function callIn(project: string, { projects }: TempProjects, tool: string, args: unknown) {
  return projects.run(project, () => projects.call(tool, args));
}

const readIn = async (given: TempProjects, path: string): Promise<unknown> => {
  const { result, rendered } = await callIn('a', given, 'file-read', { path });
  return result.ok ? (rendered as { content: string }).content : result.error?.code;
};

const READ_B: Rule = { action: 'allow', permission: 'fs.read', project: 'b' };

describe('a path that names another project', () => {
  it('is asked about once, and the question says which project', async () => {
    const approve = approver('once');
    await using given = await temp({ approve });
    expect(await readIn(given, '[b]/f.txt')).toBe('of b\n');
    expect(approve.asked).toMatchObject([
      {
        tool: 'file-read',
        accesses: [{ permission: 'fs.read', resource: '[b]/f.txt', resolved: '[b]/f.txt' }],
        reason: "It is another project than the session's own.",
        rule: 'other-project#1',
      },
    ]);
    expect(approve.asked[0]!.alwaysRule).toBeUndefined();
    await readIn(given, '[b]/f.txt');
    expect(approve.asked).toHaveLength(2);
  });

  it.each<[mode: 'ask' | 'reversible' | 'auto']>([['ask'], ['reversible'], ['auto']])(
    'is asked about in mode %s, whatever rules say about the own project',
    async (mode) => {
      const rules: Rule[] = [
        { action: 'allow', permission: '*' },
        { action: 'allow', permission: 'fs.read', path: '**' },
        { action: 'allow', permission: 'fs.read', path: '[[]b]/**' },
        { action: 'allow', permission: 'fs.read', project: 'c' },
      ];
      await using given = await temp({ rules, mode });
      expect([await readIn(given, 'f.txt'), await readIn(given, '[b]/f.txt')]).toEqual([
        'of a\n',
        'E_DENIED',
      ]);
    },
  );

  it('is what a rule about the project says', async () => {
    const rules: Rule[] = [
      { action: 'allow', permission: 'fs.read', project: ['b', 'c'], path: 'docs/**' },
      { action: 'deny', permission: '*', project: '*', path: 'secret' },
    ];
    const approve = approver('once');
    await using given = await temp({ rules, approve });
    expect(await readIn(given, '[b]/docs/d.txt')).toBe('needle\n');
    expect(approve.asked).toEqual([]);
    expect(await readIn(given, '[b]/secret/s.txt')).toBe('E_POLICY_DENIED');
    expect(await readIn(given, '[b]/f.txt')).toBe('of b\n');
    expect(approve.asked).toHaveLength(1);
    const found = await callIn('a', given, 'file-search', { path: '[b]/.', query: 'needle' });
    expect(found.rendered).toMatchObject({ results: ['docs/d.txt'] });
    // In the project itself, the rule says nothing.
    expect((await callIn('b', given, 'file-read', { path: 'secret/s.txt' })).outcome).toBe('ok');
  });

  it('is changed there, with one question, and taken back there', async () => {
    const approve = approver('once');
    await using given = await temp({ approve });
    const written = await given.projects.run('a', () =>
      given.projects.call('file-write', { path: '[b]/f.txt', content: 'by a\n' }, { turn: 'turn-of-a' }),
    );
    expect([written.outcome, given.read('b', 'f.txt'), approve.asked.length]).toEqual(['ok', 'by a\n', 1]);
    await using inA = await given.projects.runtime('a');
    await using inB = await given.projects.runtime('b');
    expect(await inA.turns()).toEqual([]);
    expect(await inB.turns()).toMatchObject([{ id: written.turn, workspace: given.root('b'), entries: 1 }]);
    expect(written.turn).not.toBe('turn-of-a');
    await inB.undo();
    expect(given.read('b', 'f.txt')).toBe('of b\n');
  });

  it('is in the audit of that project, with the one that its session is of', async () => {
    await using given = await temp({ rules: [READ_B] });
    const { callId } = await callIn('a', given, 'file-read', { path: '[b]/f.txt' });
    const lines = await linesOf(given, callId);
    expect(lines).toMatchObject([
      { event: 'opened', workspace: given.root('b'), visitor: given.root('a') },
      { event: 'closed', workspace: given.root('b'), visitor: given.root('a'), rule: 'user#1' },
    ]);
    expect(await linesOf(given, (await callIn('b', given, 'file-read', { path: 'f.txt' })).callId)).toEqual([
      expect.not.objectContaining({ visitor: expect.anything() }),
      expect.not.objectContaining({ visitor: expect.anything() }),
    ]);
  });

  it('is found from a runtime of one workspace, too', async () => {
    await using given = await temp();
    const { locations } = given;
    const options = { workspace: given.root('a'), locations, dialect: 'tenas', rules: [READ_B] };
    await using runtime = await createRuntime(options);
    expect((await runtime.call('file-read', { path: '[b]/f.txt' })).rendered).toMatchObject({
      content: 'of b\n',
    });
    const rehearsal = await runtime.approvalRequest('file-delete', { path: '[b]/f.txt' });
    expect(rehearsal).toMatchObject({
      decision: { action: 'ask' },
      request: { accesses: [{ resource: '[b]/f.txt' }] },
    });
  });

  it.each<[path: string, reads: string]>([
    ['[a]/f.txt', 'of a\n'],
    ['@[a]/f.txt', 'of a\n'],
    ['@[b]/f.txt', 'of b\n'],
    ['  @[b]/docs/../f.txt\n', 'of b\n'],
    ['@f.txt', 'of a\n'],
    ['@@at.txt', 'at\n'],
    ['./[x]/y.txt', 'in a folder\n'],
    ['[x]/y.txt', 'E_NO_PROJECT'],
    ['[B]/f.txt', 'E_NO_PROJECT'],
    ['[../b]/f.txt', 'E_NO_PROJECT'],
    ['[b\u0000]/f.txt', 'E_NO_PROJECT'],
    ['[[b]]/f.txt', 'E_NOT_FOUND'],
    ['[b][a]/f.txt', 'E_NOT_FOUND'],
    ['[]/f.txt', 'E_NOT_FOUND'],
    ['[b]/[a]/f.txt', 'E_NOT_FOUND'],
    ['[b]/../a/f.txt', 'E_OUTSIDE_WORKSPACE'],
    ['[b]/../b/f.txt', 'E_OUTSIDE_WORKSPACE'],
    ['[b]//etc/hostname', 'E_OUTSIDE_WORKSPACE'],
    ['[b]/~/f.txt', 'E_INVALID_PATH'],
    ['[b]', 'E_NOT_FILE'],
    ['[b]/', 'E_NOT_FILE'],
  ])('%j comes to %j', async (path, reads) => {
    await using given = await temp({ rules: [READ_B] });
    expect(await readIn(given, path)).toBe(reads);
  });

  it('is not found by its absolute path', async () => {
    await using given = await temp({ rules: [READ_B] });
    expect(await readIn(given, `${given.root('b')}/f.txt`)).toBe('E_OUTSIDE_WORKSPACE');
    expect(await readIn(given, `[a]/${given.root('b')}/f.txt`)).toBe('E_OUTSIDE_WORKSPACE');
  });

  it('says how a folder of that name is written, where there is no such project', async () => {
    await using given = await temp();
    const { reply } = await callIn('a', given, 'file-read', { path: '[x]/y.txt' });
    expect(reply).toMatchObject({
      ok: false,
      error: { message: expect.stringContaining('is written ./[x].') },
    });
  });

  it('lists the root of the project where it names nothing else', async () => {
    await using given = await temp({ rules: [READ_B] });
    for (const path of ['[b]', '[b]/', '[b]/.']) {
      const { rendered } = await callIn('a', given, 'file-list', { path });
      expect(rendered).toMatchObject({
        path: '.',
        entries: [{ name: 'docs' }, { name: 'f.txt' }, { name: 'secret' }],
      });
    }
  });

  it('stands for the whole call: one that is in two projects is refused', async () => {
    const approve = approver('once');
    await using given = await temp({ approve });
    const created = (path: string): string => `--- /dev/null\n+++ b/${path}\n@@ -0,0 +1 @@\n+new\n`;
    const patchOf = (...paths: string[]): Promise<string | undefined> =>
      callIn('a', given, 'file-patch', { patch: paths.map(created).join('') }).then(
        ({ result }) => result.error?.code,
      );
    expect(await patchOf('[b]/one.txt', 'two.txt')).toBe('E_INVALID_PATH');
    expect(await patchOf('two.txt', '[b]/one.txt')).toBe('E_INVALID_PATH');
    expect(approve.asked).toEqual([]);
    expect(await patchOf('[b]/one.txt', '[b]/two.txt')).toBeUndefined();
    expect([existsSync(`${given.root('b')}/two.txt`), existsSync(`${given.root('a')}/two.txt`)]).toEqual([
      true,
      false,
    ]);
  });

  it('can be edited by who is asked, but not into another project', async () => {
    const approve: Approver = async () => ({ answer: 'edit', args: { path: 'f.txt', content: 'edited\n' } });
    await using given = await temp({ approve });
    const { result } = await callIn('a', given, 'file-write', { path: '[b]/f.txt', content: 'by a\n' });
    expect(result.error?.code).toBe('E_INVALID_PATH');
    expect([given.read('a', 'f.txt'), given.read('b', 'f.txt')]).toEqual(['of a\n', 'of b\n']);
  });

  it('may lie in the own project, which reaches it either way', async () => {
    await using given = await temp({ approve: approver('deny') });
    mkdirSync(`${given.root('a')}/inner`);
    given.write('a', 'inner/f.txt', 'of inner\n');
    await given.projects.add({ folder: `${given.root('a')}/inner` });
    expect(await readIn(given, 'inner/f.txt')).toBe('of inner\n');
    expect(await readIn(given, '[inner]/f.txt')).toBe('E_DENIED');
    const up = await callIn('inner', given, 'file-read', { path: '../f.txt' });
    expect(up.result.error?.code).toBe('E_OUTSIDE_WORKSPACE');
  });
});

async function linesOf({ locations, projects }: TempProjects, callId: string): Promise<unknown[]> {
  await using runtime = await projects.runtime('a');
  await runtime.flush();
  await using state = openState(locations);
  const { auditReader } = await import('../../../src/journal/audit-reader.ts');
  const reader = auditReader({
    state: state.directory,
    database: state.store.database,
    processes: state.processes,
  });
  return (await reader.show(callId)) ?? [];
}
