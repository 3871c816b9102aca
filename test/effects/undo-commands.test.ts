/** What commands did to a workspace, taken back to the byte: with ignored files, links, odd modes and a repository. */
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Runtime } from '../../src/index.ts';
import { treeOf, writeOneOfEach } from '../journal/fixtures/tree.ts';
import { type TempWorkspace, tempWorkspace } from '../support/temp-workspace.ts';

const FILES = 300;

/** Each kind where another one was. */
const SWAP = `rm -r docs; echo file > docs; rm src/a.ts; mkdir src/a.ts; echo z > src/a.ts/z
rm to-a; echo f > to-a; rm -r empty; ln -s src empty
`;

/** A repository with everything in it that could get lost. */
function repository(): TempWorkspace {
  const workspace = tempWorkspace({
    '.gitignore': 'ignored/\n*.log\n',
    'ignored/cache.bin': 'cached\n',
    'debug.log': 'logged\n',
    'src/a.ts': 'const a = 1;\n',
    'src/deep/b.ts': 'const b = 1;\n',
    'docs/read.md': 'read\n',
    'swap.sh': SWAP,
  });
  const { root } = workspace;
  for (let index = 0; index < FILES; index++)
    workspace.write(`many/${index % 10}/${index}.txt`, `line of ${index}\n`.repeat(20));
  writeOneOfEach(workspace, 'one');
  symlinkSync('src/a.ts', join(root, 'to-a'));
  mkdirSync(join(root, 'empty'));
  chmodSync(join(root, 'src/a.ts'), 0o640);
  git(root, 'init', '-q', '-b', 'main');
  git(root, 'add', '.');
  git(root, 'commit', '-q', '-m', 'first');
  // Otherwise the status itself is what writes the index.
  git(root, 'status');
  return workspace;
}

function git(root: string, ...args: string[]): string {
  const identity = ['-c', 'user.name=A', '-c', 'user.email=a@example.org'];
  return execFileSync('git', [...identity, ...args], { cwd: root, encoding: 'utf8' });
}

async function run(runtime: Runtime, command: string): Promise<{ undo: string; changedTotal: number }> {
  const response = await runtime.call('bash', { command });
  if (response.outcome !== 'ok') throw new Error(JSON.stringify(response.result));
  return response.result.payload as { undo: string; changedTotal: number };
}

const ENVIRONMENT = {
  PATH: process.env['PATH'],
  GIT_AUTHOR_NAME: 'A',
};

const COMMIT = 'git -c user.name=A -c user.email=a@example.org commit -q';

const COMMANDS: readonly (readonly [what: string, command: string])[] = [
  ['create', 'echo new > new.txt; mkdir -p deep/er; echo x > deep/er/x; echo y > ignored/y'],
  ['delete', 'rm -rf src docs/read.md ignored debug.log one/nothing; chmod 700 one/closed'],
  ['rename', 'mv docs papers; mv src/a.ts src/c.ts; mv to-a to-b; mv many/1/1.txt many/2/moved.txt'],
  ['chmod', 'chmod 600 src/deep/b.ts; chmod 700 docs; chmod +x src/a.ts; chmod 000 debug.log'],
  ['link', 'ln -s src there; ln src/a.ts hard; rm to-a; ln -s docs to-a; ln -sf nowhere one/link'],
  ['swap kinds', 'sh ./swap.sh'],
  ['sed in place', 'find many -name "*.txt" -exec sed -i s/line/LINE/ {} +'],
  ['npm init', 'npm init -y'],
  ['git mv', 'git mv src/a.ts src/renamed.ts && git mv docs papers'],
  [
    'git commit',
    `echo more >> src/a.ts && git add -A && ${COMMIT} -m second && git branch config && git tag v1`,
  ],
];

describe('undo of a command', () => {
  it.each(COMMANDS)('takes %s back to the byte', async (_what, command) => {
    await using workspace = repository();
    const { root } = workspace;
    const before = treeOf(root);
    const runtime = await workspace.runtime({ mode: 'reversible', environment: ENVIRONMENT });
    const { undo, changedTotal } = await run(runtime, command);
    expect([undo, changedTotal > 0]).toEqual(['exact', true]);
    expect(treeOf(root)).not.toEqual(before);
    const { steps } = await runtime.undo();
    expect(steps.filter(({ reason }) => reason !== undefined)).toEqual([]);
    expect(treeOf(root)).toEqual(before);
    expect(git(root, 'status', '--porcelain')).toBe('');
    expect(git(root, 'fsck', '--strict', '--no-dangling')).toBe('');
  });
});
