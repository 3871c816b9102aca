/** Whatever a command does: what its changes say and the copies hold gives back the workspace as it was. */
import { chmodSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { CommandChanges } from '../../../../src/host/command-changes.ts';
import { tempWorkspace } from '../../../support/temp-workspace.ts';
import { pseudoRandom } from '../../../journal/fixtures/pseudo-random.ts';
import { treeOf } from '../../../journal/fixtures/tree.ts';
import { contentOf, copiesIn, runHere } from './fixtures/copies-in.ts';

const FILES = {
  'a.txt': 'a\n',
  'b.txt': 'b\n',
  'd/c.txt': 'c\n',
  'd/e/f.txt': 'f\n',
  'd/e/g.txt': 'g\n',
  'h/i/j/k.txt': 'k\n',
};
const PLACES = [
  'a.txt',
  'b.txt',
  'd',
  'd/c.txt',
  'd/e',
  'd/e/f.txt',
  'h',
  'h/i/j',
  'h/i/j/k.txt',
  'n',
  'n/m',
  'l',
];

/** Lines of shell, each of which may fail. */
const STEPS: readonly ((one: string, other: string) => string)[] = [
  (one) => `echo more >> ${one}`,
  (one) => `head -c 70000 /dev/urandom > ${one}`,
  (one) => `rm -rf ${one}`,
  (one, other) => `mv ${one} ${other}`,
  (one, other) => `cp -a ${one} ${other}`,
  (one) => `mkdir -p ${one}`,
  (one) => `chmod 700 ${one}`,
  (one) => `chmod 755 ${one}`,
  (one, other) => `ln -sfn ${other} ${one}`,
  (one, other) => `ln -f ${one} ${other}`,
  (one) => `touch ${one}`,
  (one) => `sed -i s/./x/ ${one}`,
];

/** By hand: what came goes, from the deepest; then what was comes back, from the root. */
async function restore(root: string, changes: CommandChanges): Promise<void> {
  for (const { path, before, after } of changes.entries.toReversed())
    if (before.kind !== after.kind || after.kind !== 'directory')
      rmSync(join(root, path), { recursive: true, force: true });
  for (const { path, before } of changes.entries) {
    const place = join(root, path);
    if (before.kind === 'directory') mkdirSync(place, { recursive: true });
    if (before.kind === 'link') symlinkSync(before.target, place);
    if (before.kind === 'file') writeFileSync(place, await contentOf(changes.openBefore(path)));
    if (before.kind === 'file' || before.kind === 'directory') chmodSync(place, before.mode!);
  }
}

describe('changes', () => {
  it.each([1, 2, 3, 4, 5, 6, 7, 8])('restore what random commands did (seed %i)', async (seed) => {
    const random = pseudoRandom(seed);
    const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)]!;
    await using workspace = tempWorkspace(FILES);
    const copies = copiesIn(workspace);
    for (let round = 0; round < 6; round++) {
      const before = treeOf(workspace.root);
      const copied = await copies.prepare('test');
      const lines = Array.from({ length: 12 }, () => pick(STEPS)(pick(PLACES), pick(PLACES)));
      runHere(workspace, lines.map((line) => `{ ${line}; } 2>/dev/null || :`).join('\n'));
      await using changes = await copied.changes();
      const after = treeOf(workspace.root);
      const changed = changes.entries.map(({ path }) => path);
      const different = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
        (path) => before[path] !== after[path],
      );
      expect({ lines, changed }).toEqual({ lines, changed: different.sort() });
      await restore(workspace.root, changes);
      expect({ lines, tree: treeOf(workspace.root) }).toEqual({ lines, tree: before });
      // The next round starts from something else.
      if (round % 2 === 0)
        runHere(workspace, lines.map((line) => `{ ${line}; } 2>/dev/null || :`).join('\n'));
    }
  });
});
