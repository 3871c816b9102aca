/** Random histories, taken back step by step and at once: every tree on the way is one that was there. */
import { chmodSync, existsSync, mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Runtime, UndoReport } from '../../src/index.ts';
import { scaled } from '../support/scale.ts';
import { type TempWorkspace, tempWorkspace } from '../support/temp-workspace.ts';
import { type Tree, treeOf } from './fixtures/tree.ts';
import { argumentsOf, type Change } from './fixtures/work.ts';

/** What is a file under one of these names at one time is a directory or a link at another. */
const NAMES = ['a', 'b', 'a/b', 'b/a', 'd', 'd/a', 'd/b', 'a/b/d', 'l'];
const CONTENTS = ['', 'one\n', 'two\n', 'three\n'];

const name = fc.constantFrom(...NAMES);
const content = fc.constantFrom(...CONTENTS);
const change: fc.Arbitrary<Change> = fc.oneof(
  { weight: 3, arbitrary: fc.tuple(fc.constant('write' as const), name, content) },
  { weight: 2, arbitrary: fc.tuple(fc.constant('delete' as const), name) },
  { weight: 2, arbitrary: fc.tuple(fc.constant('move' as const), name, name) },
);
const history = fc.array(fc.array(change, { minLength: 1, maxLength: 5 }), { minLength: 1, maxLength: 5 });
const firstFiles = fc.dictionary(
  fc.constantFrom('a', 'd/a', 'd/b', 'b/a'),
  fc.tuple(content, fc.constantFrom(0o444, 0o600, 0o644, 0o755)),
);

/** A turn that changed something, with the trees before and after it. */
interface Turn {
  readonly id: string;
  readonly before: Tree;
  readonly after: Tree;
}

describe('undo', () => {
  it('leads back through every tree of a history and forth again, one by one and at once', async () => {
    const seen = { turns: 0, write: 0, delete: 0, move: 0, kinds: 0 };
    await fc.assert(
      fc.asyncProperty(firstFiles, history, async (files, turns) => {
        await using workspace = tempWorkspace();
        const { root } = workspace;
        mkdirSync(join(root, 'd'));
        for (const [path, [text, mode]] of Object.entries(files)) {
          workspace.write(path, text);
          chmodSync(join(root, path), mode);
        }
        chmodSync(join(root, 'd'), 0o750);
        symlinkSync('d', join(root, 'l'));
        const runtime = await workspace.runtime({ mode: 'auto' });
        const past = await live(workspace, runtime, turns, seen);
        fc.pre(past.length > 0);
        seen.turns += past.length;
        seen.kinds += past.filter(changedKinds).length;

        const undos: { turn: Turn; undo: string }[] = [];
        for (const turn of past.toReversed()) {
          const undo = whole(await runtime.undo(), [turn.id]);
          expect(treeOf(root)).toEqual(turn.before);
          // What left everything as it was before is no turn, and can't be taken back.
          if (undo !== undefined) undos.unshift({ turn, undo });
        }
        for (const { turn, undo } of undos) {
          const redo = whole(await runtime.undo({ turn: undo }), [undo])!;
          expect(treeOf(root)).toEqual(turn.after);
          const again = whole(await runtime.undo({ turn: redo }), [redo])!;
          expect(treeOf(root)).toEqual(turn.before);
          whole(await runtime.undo({ turn: again }), [again]);
          expect(treeOf(root)).toEqual(turn.after);
        }
        const ids = undos.map(({ turn }) => turn.id).toReversed();
        fc.pre(ids.length > 0);
        const undo = whole(await runtime.undo({ last: past.length }), ids);
        expect(treeOf(root)).toEqual(past[0]!.before);
        if (undo !== undefined) whole(await runtime.undo({ turn: undo }), [undo]);
        expect(treeOf(root)).toEqual(past.at(-1)!.after);
      }),
      { numRuns: scaled(60) },
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

function changedKinds({ before, after }: Turn): boolean {
  const kind = (entry: string | undefined): string | undefined => entry?.split(' ', 1)[0];
  return Object.keys(before).some((path) => path in after && kind(before[path]) !== kind(after[path]));
}

/** The turn of an undo, if it made one, that took back the given turns and left nothing alone. */
function whole(
  { turn, turns, takenBack, steps }: UndoReport,
  expected: readonly string[],
): string | undefined {
  const left = steps.filter(({ action }) => action === 'conflict' || action === 'lost');
  expect({ turns, takenBack, left }).toEqual({ turns: expected, takenBack: expected, left: [] });
  return turn;
}
