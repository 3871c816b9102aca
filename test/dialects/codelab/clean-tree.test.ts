import { describe, expect, it } from 'vitest';
import { localUserFile } from '../../../src/host/local/user-file.ts';
import type { Runtime } from '../../../src/index.ts';
import { approver } from '../../support/approver.ts';
import { type TempRepository, tempRepository } from '../../support/repository.ts';
import { tempWorkspace } from '../../support/temp-workspace.ts';

const FILES = { 'a.txt': 'one\ntwo\nthree\n', 'b.txt': 'b\n' };
const patchOf = (from: string, to: string): string =>
  `--- a/a.txt\n+++ b/a.txt\n@@ -1,3 +1,3 @@\n one\n-${from}\n+${to}\n three\n`;
const UNCLEAN = { error: { code: 'PATCH_APPLY_FAILED', details: { files: ['a.txt'] } } };

function open(repository: TempRepository, cleanTree?: string): Promise<Runtime> {
  if (cleanTree !== undefined)
    localUserFile(`${repository.locations.config}/config.jsonc`).write(
      JSON.stringify({ edits: { cleanTree } }),
    );
  return repository.runtime({ dialect: 'codelab', approve: approver('once'), readConfig: true });
}

async function apply(runtime: Runtime, diff: string): Promise<unknown> {
  return (await runtime.call('apply_patch', { diff })).reply;
}

describe('apply_patch of codelab', () => {
  it('refuses files with uncommitted changes, and changes nothing', async () => {
    await using repository = tempRepository(FILES);
    const runtime = await open(repository);
    repository.write('a.txt', 'one\ntwo\nthree\nmine\n');
    expect(await apply(runtime, patchOf('two', '2'))).toMatchObject(UNCLEAN);
    expect(repository.git('diff', '--numstat')).toBe('1\t0\ta.txt\n');
  });

  it('does not mind changes elsewhere, nor what it did itself before', async () => {
    await using repository = tempRepository(FILES);
    const runtime = await open(repository);
    repository.write('b.txt', 'mine\n');
    expect(await apply(runtime, patchOf('two', '2'))).toMatchObject({ result: { success: true } });
    expect(await apply(runtime, patchOf('2', 'II'))).toMatchObject({ result: { success: true } });
    repository.write('a.txt', 'one\nII\nthree\nmine\n');
    expect(await apply(runtime, patchOf('II', 'two'))).toMatchObject(UNCLEAN);
  });

  it('takes its own diff back: what is in place already is said to be', async () => {
    await using repository = tempRepository(FILES);
    const runtime = await open(repository);
    repository.write('a.txt', 'one\n2\nthree\n');
    const { reply } = await runtime.call('git.diff', { path: '.' });
    const { diff } = (reply as { result: { diff: string } }).result;
    expect(await apply(runtime, diff)).toMatchObject({
      result: { success: true, files_modified: ['a.txt'], already_applied: ['a.txt'] },
    });
  });

  it('wants a whole tree that is clean, or nothing, where the settings say so', async () => {
    await using repository = tempRepository(FILES);
    repository.write('b.txt', 'mine\n');
    const whole = await open(repository, 'whole');
    expect(await apply(whole, patchOf('two', '2'))).toMatchObject({
      error: { code: 'PATCH_APPLY_FAILED', details: { files: ['b.txt'] } },
    });
    const off = await open(repository, 'off');
    repository.write('a.txt', 'one\ntwo\nthree\nmine\n');
    expect(await apply(off, patchOf('two', '2'))).toMatchObject({ result: { success: true } });
  });

  it('has no such rule where there is no repository', async () => {
    await using workspace = tempWorkspace(FILES);
    const runtime = await workspace.runtime({ dialect: 'codelab', approve: approver('once') });
    expect(await apply(runtime, patchOf('two', '2'))).toMatchObject({ result: { success: true } });
  });
});
