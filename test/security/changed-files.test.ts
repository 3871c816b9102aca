/** Nobody overwrites what they have not seen: not another program's change, not another session's, not another process's. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect } from 'vitest';
import { approver } from '../support/approver.ts';
import { type TempWorkspace, tempWorkspace } from '../support/temp-workspace.ts';
import {
  ALIVE,
  type Attack,
  expectAllowed,
  expectHarmless,
  expectRefused,
  testAttacks,
} from './attack-case.ts';
import { callOn, type FileTool, PLANTED, toolsThat } from './file-tools.ts';
import { library } from './surfaces.ts';
import { unchecked } from './undefended.ts';

interface Change {
  readonly title: string;
  /** What is there when the session looks; undefined for nothing. */
  readonly before?: string;
  /** What the other program does, as a command in the workspace. */
  readonly command: string;
  /** What is there afterwards; undefined for nothing. */
  readonly after?: string;
}

const CHANGES: readonly Change[] = [
  { title: 'written into', before: 'old\n', command: 'echo other words > f', after: 'other words\n' },
  { title: 'written into with the same length', before: 'old\n', command: 'echo new > f', after: 'new\n' },
  { title: 'added to', before: 'old\n', command: 'echo more >> f', after: 'old\nmore\n' },
  { title: 'replaced', before: 'old\n', command: 'echo new > x && mv x f', after: 'new\n' },
  { title: 'emptied', before: 'old\n', command: ': > f', after: '' },
  { title: 'deleted', before: 'old\n', command: 'rm f' },
  { title: 'made where nothing was', command: 'echo new > f', after: 'new\n' },
];

function change({ root }: TempWorkspace, command: string): void {
  expect(spawnSync('/bin/sh', ['-c', command], { cwd: root }).status).toBe(0);
}

function contentOf({ root }: TempWorkspace, path: string): string | undefined {
  return existsSync(join(root, path)) ? readFileSync(join(root, path), 'utf8') : undefined;
}

interface Writing {
  readonly write: FileTool;
  readonly looks: readonly FileTool[];
}

/** The tools that replace whole files, each with the tools by which its dialect sees them. */
const WRITING: readonly Writing[] = toolsThat('write').map((write) => ({
  write,
  looks: toolsThat('read', 'read several').filter(({ dialect }) => dialect === write.dialect),
}));

function filesOf({ before }: Change): Record<string, string> {
  return { ...ALIVE, ...(before === undefined ? {} : { f: before }) };
}

function sinceItWasRead(row: Change): Attack {
  return {
    id: 'TX-03',
    title: `a file that was ${row.title} since it was read`,
    attack: async () => {
      for (const { write, looks } of WRITING) {
        for (const look of looks) {
          await using workspace = tempWorkspace(filesOf(row));
          const surface = await library(workspace);
          await expectHarmless(surface, workspace, callOn(look, 'f'));
          change(workspace, row.command);
          await expectRefused(surface, workspace, callOn(write, 'f'), ['E_CONFLICT']);
          expect(contentOf(workspace, 'f')).toBe(row.after);
          // Having seen it now, the session may.
          await expectHarmless(surface, workspace, callOn(look, 'f'));
          await expectAllowed(surface, workspace, callOn(write, 'f'));
        }
      }
    },
    bites: () => overwrite(row),
  };
}

function whileAsked(row: Change): Attack {
  return {
    id: 'TX-03',
    title: `a file that was ${row.title} while a human was asked`,
    attack: async () => {
      for (const { write } of WRITING) {
        await using workspace = tempWorkspace(filesOf(row));
        const surface = await library(workspace, {
          async approve() {
            change(workspace, row.command);
            return { answer: 'once' };
          },
        });
        await expectRefused(surface, workspace, callOn(write, 'f'), ['E_CONFLICT']);
        expect(contentOf(workspace, 'f')).toBe(row.after);
      }
    },
    bites: () => overwrite(row),
  };
}

async function overwrite(row: Change): Promise<void> {
  await using workspace = tempWorkspace(filesOf(row));
  change(workspace, row.command);
  unchecked(workspace).write('f');
  expect(contentOf(workspace, 'f')).toBe(PLANTED);
}

const SESSIONS: readonly Attack[] = [
  {
    id: 'TX-03',
    title: 'two sessions that write one file',
    attack: async () => {
      for (const one of WRITING) {
        for (const other of WRITING) await writeInTurns(one, other);
      }
    },
    bites: () => overwrite(CHANGES[0]!),
  },
  {
    id: 'TX-03',
    title: 'a file that is read by one name and written by another',
    attack: async () => {
      for (const { write, looks } of WRITING) {
        await using workspace = tempWorkspace({ ...ALIVE, 'real/f': 'old\n' });
        symlinkSync('real', join(workspace.root, 'folder'));
        symlinkSync('real/f', join(workspace.root, 'link'));
        const surface = await library(workspace);
        await expectAllowed(surface, workspace, callOn(looks[0]!, 'folder/f'));
        change(workspace, 'echo new > real/f');
        for (const path of ['real/f', 'link', './folder/f'])
          await expectRefused(surface, workspace, callOn(write, path), ['E_CONFLICT']);
        expect(contentOf(workspace, 'real/f')).toBe('new\n');
      }
    },
    bites: () => overwrite(CHANGES[0]!),
  },
  {
    id: 'TX-03',
    title: 'many calls of one session that write one file at once',
    attack: async () => {
      await using workspace = tempWorkspace({ ...ALIVE, f: '' });
      const surface = await library(workspace);
      const lines = Array.from({ length: 30 }, (_, index) => `line ${index}\n`);
      const answers = await Promise.all(
        lines.map((content) =>
          surface.call({
            dialect: 'tenas',
            tool: 'file-write',
            args: { path: 'f', content, mode: 'append' },
          }),
        ),
      );
      const made = lines.filter((_, index) => answers[index]!.outcome === 'ok');
      expect(contentOf(workspace, 'f')!.split('\n').sort()).toEqual(
        ['', ...made.map((line) => line.trim())].sort(),
      );
      expect(made.length).toBeGreaterThan(0);
    },
    bites: async () => {
      await using workspace = tempWorkspace({ f: '' });
      const file = join(workspace.root, 'f');
      const append = async (line: string): Promise<void> => {
        const before = readFileSync(file, 'utf8');
        await new Promise(setImmediate);
        writeFileSync(file, before + line);
      };
      await Promise.all(['one\n', 'two\n'].map(append));
      expect(readFileSync(file, 'utf8')).toBe('two\n');
    },
  },
];

/** Two sessions look at a file and write it; the second to write has not seen what the first one wrote. */
async function writeInTurns(one: Writing, other: Writing): Promise<void> {
  await using workspace = tempWorkspace({ ...ALIVE, f: 'old\n' });
  const runtime = await workspace.runtime({ approve: approver('once') });
  const open = async ({
    write,
    looks,
  }: Writing): Promise<Record<'look' | 'write', () => Promise<string>>> => {
    const session = await runtime.openSession({ dialect: write.dialect });
    const call = async (tool: FileTool, args: object): Promise<string> => {
      const { outcome, result } = await runtime.call(tool.tool, args, { session });
      return result.error?.code ?? outcome;
    };
    return {
      look: () => call(looks[0]!, callOn(looks[0]!, 'f').args as object),
      write: () => call(write, { path: 'f', content: `by ${session.id}\n` }),
    };
  };
  const [mine, theirs] = [await open(one), await open(other)];
  expect([await mine.look(), await theirs.look()]).toEqual(['ok', 'ok']);
  expect([await mine.write(), await theirs.write()]).toEqual(['ok', 'E_CONFLICT']);
  expect([await theirs.look(), await theirs.write(), await mine.write()]).toEqual(['ok', 'ok', 'E_CONFLICT']);
}

/** Two processes that count up in one file; returns what is in it, and how many steps they made. */
async function countUp(
  how: 'tools' | 'append' | 'plain',
  steps: number,
): Promise<{ made: number; file: string }> {
  await using workspace = tempWorkspace({ count: how === 'append' ? '' : '0' });
  const program = join(import.meta.dirname, 'fixtures/count-up.ts');
  const children = ['one', 'two'].map((name) => {
    const args = [program, how, workspace.root, JSON.stringify(workspace.locations), name, `${steps}`];
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    let said = '';
    child.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()));
    return {
      ready: once(child.stdout, 'data'),
      ended: once(child, 'close'),
      made: () => Number(said.split('\n')[1]),
    };
  });
  for (const { ready } of children) await ready;
  writeFileSync(join(dirname(workspace.root), 'go'), '');
  for (const { ended } of children) await ended;
  return { made: children[0]!.made() + children[1]!.made(), file: contentOf(workspace, 'count')! };
}

const PROCESSES: readonly Attack[] = [
  {
    id: 'TX-03',
    title: 'two processes that count up in one file',
    attack: async () => {
      const { made, file } = await countUp('tools', 40);
      expect({ made, count: Number.parseInt(file, 10) }).toEqual({ made: 80, count: 80 });
    },
    bites: async () => {
      const { made, file } = await countUp('plain', 5_000);
      expect(Number.parseInt(file, 10)).toBeLessThan(made);
    },
  },
  {
    id: 'TX-03',
    title: 'two processes that add to one file',
    attack: async () => {
      const { made, file } = await countUp('append', 40);
      expect({ made, lines: file.split('\n').length - 1 }).toEqual({ made: 80, lines: 80 });
    },
    bites: {
      noProof: 'the operating system appends for the undefended; one that writes the whole is the row above',
    },
  },
];

describe('a file that somebody else changes', () => {
  testAttacks([...CHANGES.map(sinceItWasRead), ...CHANGES.map(whileAsked), ...SESSIONS, ...PROCESSES]);
});
