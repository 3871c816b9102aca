/** One store file that many processes open and write at the same moment. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Rule } from '../../src/index.ts';
import { openStore } from '../../src/store/store.ts';
import { openAudit } from '../journal/fixtures/open-audit.ts';
import { tempWorkspace } from '../support/temp-workspace.ts';
import type { Job } from './fixtures/work-on-command.ts';

const PROCESSES = 8;
const ALL_DONE = Array.from({ length: PROCESSES }, () => 'done');

let processes: Processes;
beforeAll(async () => {
  processes = await startProcesses();
});
afterAll(() => processes[Symbol.asyncDispose]());

describe('openStore', () => {
  it('opens a fresh store in eight processes at once', async () => {
    await using workspace = tempWorkspace();
    for (let round = 0; round < 25; round++) {
      const store = join(workspace.outside, `${round}.sqlite`);
      expect(await processes.doAtOnce((name) => ({ name, times: 0, store }))).toEqual(ALL_DONE);
      expect(await contentOf(store)).toEqual({ sessions: 0, counter: undefined });
    }
  });

  it('loses nothing of what eight processes write at once', async () => {
    await using workspace = tempWorkspace();
    const path = join(workspace.outside, 'store');
    await contentOf(path);
    expect(await processes.doAtOnce((name) => ({ name, times: 30, store: path }))).toEqual(ALL_DONE);
    expect(await contentOf(path)).toEqual({ sessions: PROCESSES * 30, counter: String(PROCESSES * 30) });
  });

  it('opens an empty file, and again what it made of it', async () => {
    await using workspace = tempWorkspace();
    const path = join(workspace.outside, 'store');
    writeFileSync(path, '');
    for (let index = 0; index < 3; index++) {
      await using store = openStore(path);
      const session = { id: String(index), workspace: '/', dialect: 'handrail', created_at: index };
      await store.database.insertInto('sessions').values(session).execute();
    }
    expect(await contentOf(path)).toEqual({ sessions: 3, counter: undefined });
    expect(readdirSync(workspace.outside).sort()).toEqual(['s.txt', 'store']);
  });

  it('undoes a transaction that fails', async () => {
    await using workspace = tempWorkspace();
    const path = join(workspace.outside, 'store');
    const session = { id: 'twice', workspace: '/', dialect: 'handrail', created_at: 0 };
    await using store = openStore(path);
    const failing = store.database.transaction().execute(async (transaction) => {
      await transaction.insertInto('sessions').values(session).execute();
      await transaction.insertInto('sessions').values(session).execute();
    });
    await expect(failing).rejects.toMatchObject({ name: 'Failure', code: 'E_IO' });
    expect(await contentOf(path)).toEqual({ sessions: 0, counter: undefined });
  });
});

describe('openStore twice in one process', () => {
  it.each([
    ['the same path', 'state/store'],
    ['another spelling of it', 'link/../state/./store'],
    ['a path through a link', 'link/store'],
  ])('lets a write by %s wait for a transaction instead of blocking it', async (_, spelling) => {
    await using workspace = tempWorkspace();
    mkdirSync(join(workspace.outside, 'state'));
    symlinkSync('state', join(workspace.outside, 'link'));
    await using one = openStore(join(workspace.outside, 'state/store'));
    await using other = openStore(`${workspace.outside}/${spelling}`);
    const order: string[] = [];
    const insert = async ({ database }: Pick<typeof one, 'database'>, id: string): Promise<void> => {
      const session = { id, workspace: '/', dialect: 'handrail', created_at: 0 };
      await database.insertInto('sessions').values(session).execute();
      order.push(id);
    };
    await Promise.all([
      one.database.transaction().execute(async (transaction) => {
        await insert({ database: transaction }, 'first');
        await insert({ database: transaction }, 'second');
      }),
      insert(other, 'third'),
    ]);
    expect(order).toEqual(['first', 'second', 'third']);
  });

  it('stays open for the one while the other lets go, and opens anew after both have', async () => {
    await using workspace = tempWorkspace();
    const path = join(workspace.outside, 'store');
    await using one = openStore(path);
    {
      await using other = openStore(path);
      await other[Symbol.asyncDispose]();
    }
    expect(await one.database.selectFrom('sessions').selectAll().execute()).toEqual([]);
    await one[Symbol.asyncDispose]();
    expect(readdirSync(workspace.outside).sort()).toEqual(['s.txt', 'store']);
    expect(await contentOf(path)).toEqual({ sessions: 0, counter: undefined });
  });

  it('serves two runtimes that change files at the same moment', async () => {
    await using workspace = tempWorkspace();
    const rules: Rule[] = [{ action: 'allow', permission: ['fs.read', 'fs.write'] }];
    const runtimes = [await workspace.runtime({ rules }), await workspace.runtime({ rules })];
    const calls = Array.from({ length: 20 }, (_, index) =>
      runtimes[index % 2]!.call('write', { path: `${index}.txt`, content: '' }),
    );
    expect(new Set((await Promise.all(calls)).map(({ outcome }) => outcome))).toEqual(new Set(['ok']));
  });
});

describe('createRuntime in eight processes at once', () => {
  it('writes every call into a chain that verifies, and lets go of all chains', async () => {
    await using workspace = tempWorkspace();
    const { root, locations } = workspace;
    await using audit = openAudit(locations);
    for (const round of [1, 2, 3]) {
      const answers = await processes.doAtOnce((name) => ({
        name: `${round}-${name}`,
        times: 5,
        workspace: root,
        locations,
      }));
      expect(answers).toEqual(ALL_DONE);
      expect(await audit.problems()).toEqual([]);
      const calls = await audit.list({ limit: 1_000 });
      expect(calls.map(({ outcome }) => outcome)).toEqual(
        Array.from({ length: round * PROCESSES * 5 }, () => 'ok'),
      );
      const owned = audit.database.selectFrom('audit_chains').select('id').where('owner', 'is not', null);
      expect(await owned.execute()).toEqual([]);
    }
    expect(readdirSync(root)).toHaveLength(3 * PROCESSES * 5);
  });
});

async function contentOf(path: string): Promise<{ sessions: number; counter: string | undefined }> {
  await using store = openStore(path);
  const sessions = await store.database.selectFrom('sessions').select('id').execute();
  const counter = await store.database
    .selectFrom('outputs')
    .select('body')
    .where('id', '=', 'counter')
    .executeTakeFirst();
  return { sessions: sessions.length, counter: counter?.body };
}

interface Processes extends AsyncDisposable {
  /** Gives each process its job at the same moment; what each one answered. */
  doAtOnce(jobFor: (name: string) => Job): Promise<string[]>;
}

async function startProcesses(): Promise<Processes> {
  const program = fileURLToPath(new URL('fixtures/work-on-command.ts', import.meta.url));
  const children = Array.from({ length: PROCESSES }, () => {
    const child = spawn(process.execPath, [program], { stdio: ['pipe', 'pipe', 'inherit'] });
    return { child, answers: createInterface(child.stdout)[Symbol.asyncIterator]() };
  });
  const nextAnswers = (): Promise<string[]> =>
    Promise.all(children.map(async ({ answers }) => String((await answers.next()).value)));
  await nextAnswers();
  return {
    async doAtOnce(jobFor) {
      for (const [index, { child }] of children.entries())
        child.stdin.write(`${JSON.stringify(jobFor(`p${index}`))}\n`);
      return nextAnswers();
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(children.map(({ child }) => ended(child)));
    },
  };
}

async function ended(child: ChildProcess): Promise<void> {
  const exit = child.exitCode === null && child.signalCode === null ? once(child, 'exit') : undefined;
  child.stdin?.end();
  await exit;
}
