/** What commands did to a workspace, taken back to the byte: with ignored files, links, odd modes and a repository. */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { leftOut } from '../host/local/fixtures/left-out.ts';
import { COMMANDS } from './fixtures/repository.ts';
import type { Undone } from './fixtures/undo-each.ts';

const PROGRAM = fileURLToPath(new URL('fixtures/undo-each.ts', import.meta.url));
const NOBODY = 65_534;
const isRoot = process.getuid?.() === 0;

type Ids = { readonly uid?: number; readonly gid?: number };
const CASES: readonly (readonly [files: number, name: string, ids: Ids])[] = [
  [20_000, 'this user', {}],
  ...(isRoot ? [[300, 'an ordinary user', { uid: NOBODY, gid: NOBODY }] as const] : []),
];

describe('undo of a command', () => {
  it.each(CASES)(
    'takes everything back to the byte among %i files, as %s',
    { timeout: 300_000 },
    (files, _name, ids) => {
      const env = { PATH: process.env['PATH'], HOME: '/nonexistent', GIT_CONFIG_NOSYSTEM: '1' };
      const probe = spawnSync(process.execPath, ['--check', PROGRAM], { ...ids, env, stdio: 'ignore' });
      if (probe.status !== 0) {
        leftOut('another user can not run what is tested');
        return;
      }
      const { stdout } = spawnSync(process.execPath, [PROGRAM, String(files)], {
        ...ids,
        env,
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      const undone = JSON.parse(stdout.toString()) as Undone[];
      expect(undone).toEqual(
        COMMANDS.map(([what]) => ({
          what,
          error: null,
          undo: 'exact',
          isChanged: true,
          leftAlone: [],
          isBack: true,
          status: '',
        })),
      );
    },
  );
});
