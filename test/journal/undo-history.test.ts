/** Random histories, taken back step by step and at once: every tree on the way is one that was there. */
import { chmodSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Runtime, UndoReport } from '../../src/index.ts';
import { type TempWorkspace, tempWorkspace } from '../support/temp-workspace.ts';
import { type Tree, treeOf } from './fixtures/tree.ts';
import { argumentsOf, type Change } from './fixtures/work.ts';

const FILES = ['a', 'b', 'd/a', 'd/b', 'd/e/a', 'f/a'];
const DIRECTORIES = ['d', 'd/e', 'f', 'g', 'g/h'];
const CONTENTS = ['', 'one\n', 'two\n', 'three\n'];

const file = fc.constantFrom(...FILES);
const directory = fc.constantFrom(...DIRECTORIES);
const content = fc.constantFrom(...CONTENTS);
const change: fc.Arbitrary<Change> = fc.oneof(
  { weight: 3, arbitrary: fc.tuple(fc.constant('write' as const), file, content) },
  { weight: 2, arbitrary: fc.tuple(fc.constant('delete' as const), fc.oneof(file, directory)) },
  { weight: 1, arbitrary: fc.tuple(fc.constant('move' as const), file, file) },
  { weight: 1, arbitrary: fc.tuple(fc.constant('move' as const), directory, directory) },
);
const history = fc.array(fc.array(change, { minLength: 1, maxLength: 5 }), { minLength: 1, maxLength: 5 });
const firstFiles = fc.dictionary(file, fc.tuple(content, fc.constantFrom(0o600, 0o644, 0o755)));

/** A turn that changed something, with the trees before and after it. */
interface Turn {
  readonly id: string;
  readonly before: Tree;
  readonly after: Tree;
}

describe('undo', () => {
  it('leads back through every tree of a history and forth again, one by one and at once', async () => {
    const seen = { turns: 0, write: 0, delete: 0, move: 0 };
    await fc.assert(
      fc.asyncProperty(firstFiles, history, async (files, turns) => {
        await using workspace = tempWorkspace();
        for (const [path, [text, mode]] of Object.entries(files)) {
          workspace.write(path, text);
          chmodSync(join(workspace.root, path), mode);
        }
        const runtime = await workspace.runtime({ mode: 'auto' });
        const past = await live(workspace, runtime, turns, seen);
        fc.pre(past.length > 0);
        seen.turns += past.length;

        const undos: string[] = [];
        for (const { id, before } of past.toReversed()) {
          undos.unshift(whole(await runtime.undo(), [id]));
          expect(treeOf(workspace.root)).toEqual(before);
        }
        for (const [index, { after }] of past.entries()) {
          whole(await runtime.undo({ turn: undos[index]! }), [undos[index]!]);
          expect(treeOf(workspace.root)).toEqual(after);
        }
        const ids = past.map(({ id }) => id).toReversed();
        const undo = whole(await runtime.undo({ last: past.length }), ids);
        expect(treeOf(workspace.root)).toEqual(past[0]!.before);
        whole(await runtime.undo({ turn: undo }), [undo]);
        expect(treeOf(workspace.root)).toEqual(past.at(-1)!.after);
      }),
      { numRuns: 60 },
    );
    // Histories in which nothing of a kind ever happened would prove nothing about it.
    expect(Object.values(seen).every((times) => times > 0)).toBe(true);
  }, 120_000);
});

/** Makes the changes as far as they can be made; returns the turns in which anything happened. */
async function live(
  { root }: TempWorkspace,
  runtime: Runtime,
  turns: readonly (readonly Change[])[],
  seen: Record<Change[0], number>,
): Promise<Turn[]> {
  const past: Turn[] = [];
  for (const [index, changes] of turns.entries()) {
    const id = `turn-${index}`;
    const before = treeOf(root);
    let effects = 0;
    for (const change of changes) {
      if (change[0] === 'move' && existsSync(join(root, change[2]))) continue;
      const response = await runtime.call(change[0], argumentsOf(change), { turn: id });
      effects += response.effects.length;
      if (response.effects.length > 0) seen[change[0]]++;
    }
    if (effects > 0) past.push({ id, before, after: treeOf(root) });
  }
  return past;
}

/** The turn of an undo that took back the given turns and left nothing alone. */
function whole({ turn, turns, steps }: UndoReport, expected: readonly string[]): string {
  const left = steps.filter(({ action }) => action === 'conflict' || action === 'lost');
  expect({ turns, left }).toEqual({ turns: expected, left: [] });
  return turn!;
}
