/** Damage, sudden ends, limits, and others who work with the same index. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, statSync, truncateSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import type { CodeAnswer } from '../../../../src/host/ports.ts';
import { type TempWorkspace, tempWorkspace } from '../../../support/temp-workspace.ts';
import { indexFile, indexing } from './fixtures/indexing.ts';

const PROGRAM = join(import.meta.dirname, 'fixtures/index-and-tell.ts');

function manyFiles(count: number): Record<string, string> {
  const body = Array.from({ length: 60 }, (_, line) => `const some${line} = other${line};`).join('\n');
  return Object.fromEntries(
    Array.from({ length: count }, (_, file) => [
      `d${file % 20}/f${file}.ts`,
      `export function number${file}() {}\n${body}`,
    ]),
  );
}

/** How many files are in an index. */
function indexed(file: string): number {
  const sqlite = new DatabaseSync(file, { timeout: 10_000 });
  const { n } = sqlite.prepare('select count(*) as n from files').get() as { n: number };
  sqlite.close();
  return n;
}

function startOther({ root, locations }: TempWorkspace, file: string, patienceMs: number, question: string) {
  const args = [PROGRAM, root, locations.home, file, String(patienceMs), question];
  return spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
}

describe('an index that is damaged', () => {
  it.each<[how: string, damage: (file: string) => void]>([
    ['no database', (file) => writeFileSync(file, 'nothing of the kind'.repeat(1_000))],
    [
      'full of noise',
      (file) => {
        const bytes = readFileSync(file);
        writeFileSync(file, bytes.fill(0xa5, 4_096));
      },
    ],
    ['cut', (file) => truncateSync(file, Math.floor(statSync(file).size / 2))],
    [
      'of another form',
      (file) => {
        const sqlite = new DatabaseSync(file);
        sqlite.exec('pragma user_version = 99');
        sqlite.close();
      },
    ],
    [
      'without its tables',
      (file) => {
        const sqlite = new DatabaseSync(file);
        sqlite.exec('drop table words; drop table files');
        sqlite.close();
      },
    ],
  ])('is built anew where it is %s, which is said once', async (_, damage) => {
    await using workspace = tempWorkspace(manyFiles(60));
    const first = indexing(workspace);
    expect(await first.files('number33')).toEqual(['d13/f33.ts']);
    await first[Symbol.asyncDispose]();
    // All of it in the one file.
    const sqlite = new DatabaseSync(first.file);
    sqlite.exec('pragma wal_checkpoint(truncate)');
    sqlite.close();
    damage(first.file);

    await using index = indexing(workspace);
    const said: CodeAnswer[] = [];
    // The one that comes upon the damage may have to be asked again.
    do said.push(await index.ask('number33'));
    while (said.at(-1)!.status === 'unavailable' && said.length < 3);
    expect(said[0]!.note).toBe('The index was damaged, and is built anew.');
    expect(said.at(-1)).toMatchObject({ status: 'ready', parts: [{ path: 'd13/f33.ts' }] });
    expect(await index.ask('number33')).not.toHaveProperty('note');
  });
});

describe('an index', () => {
  it('goes on where a process that built it was killed', async () => {
    await using workspace = tempWorkspace(manyFiles(1_500));
    const file = indexFile(workspace);
    const killed = startOther(workspace, file, 600_000, 'number1499');
    const hasSome = (): boolean => {
      try {
        return existsSync(file) && indexed(file) > 0;
      } catch {
        // Its tables are being made.
        return false;
      }
    };
    while (!hasSome()) await new Promise((resolve) => void setImmediate(resolve));
    killed.kill('SIGKILL');
    await once(killed, 'close');
    const left = indexed(file);
    expect(left).toBeGreaterThan(0);

    await using index = indexing(workspace);
    expect(await index.files('number1499')).toEqual(['d19/f1499.ts']);
    expect(await index.files('number0')).toEqual(['d0/f0.ts']);
    expect(indexed(file)).toBe(1_500);
  }, 120_000);

  it('is built by two processes together, and answers both', async () => {
    await using workspace = tempWorkspace(manyFiles(600));
    const file = indexFile(workspace);
    const others = ['number5', 'number599'].map((word) => startOther(workspace, file, 600_000, word));
    const told = await Promise.all(
      others.map(async ({ stdout }) => JSON.parse(await text(stdout)) as CodeAnswer),
    );
    expect(told).toMatchObject([
      { status: 'ready', parts: [{ path: 'd5/f5.ts' }] },
      { status: 'ready', parts: [{ path: 'd19/f599.ts' }] },
    ]);
    expect(indexed(file)).toBe(600);
  }, 120_000);

  it('stays as small as it has to, and says so', async () => {
    await using workspace = tempWorkspace(manyFiles(400));
    const quotaBytes = 512 * 1024;
    await using index = indexing(workspace, { quotaBytes });
    const answer = await index.ask('number7');
    expect(answer).toMatchObject({
      status: 'ready',
      note: 'The index is as large as it may be; files that are not in it are not found.',
    });
    expect(statSync(index.file).size).toBeLessThanOrEqual(quotaBytes);
  });

  it('is private, and takes those with it that nobody used for long', async () => {
    await using workspace = tempWorkspace({ 'a.ts': 'ledger\n' });
    const folder = dirname(indexFile(workspace));
    const [old, recent] = ['old.sqlite', 'recent.sqlite'].map((name) => join(folder, name));
    for (const file of [old!, recent!]) writeFileSync(file, '');
    const longAgo = new Date(Date.now() - 31 * 86_400_000);
    utimesSync(old!, longAgo, longAgo);
    await using index = indexing(workspace);
    await index.files('ledger');
    expect([existsSync(old!), existsSync(recent!)]).toEqual([false, true]);
  });

  it('that can not be opened is said not to be, and tried again by the next question', async () => {
    await using workspace = tempWorkspace({ 'a.ts': 'ledger\n' });
    const folder = dirname(indexFile(workspace));
    let file = folder;
    await using index = indexing(workspace, { file: () => file });
    expect(await index.ask('ledger')).toEqual({
      status: 'unavailable',
      note: expect.stringMatching(/^The index can't be used: .*unable to open/) as string,
    });
    file = indexFile(workspace);
    expect(await index.files('ledger')).toEqual(['a.ts']);
  });
});
