/** A rule on a file holds by whatever name the file is reached. */
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Rule } from '../../src/index.ts';
import { type TempWorkspace, tempWorkspace } from '../support/temp-workspace.ts';
import { ALIVE, expectRefused, testPathAttacks } from './attack-case.ts';
import { callOn, LOOKING, toolsThat } from './file-tools.ts';
import { library } from './surfaces.ts';
import { nameChecked } from './undefended.ts';

const HIDDEN = 'hidden\n';
const DENIED: Rule[] = [{ action: 'deny', permission: '*', path: ['.env', 'secrets/'] }];

function plantDenied({ root, ...workspace }: TempWorkspace): void {
  workspace.write('.env', HIDDEN);
  workspace.write('secrets/a', HIDDEN);
  mkdirSync(join(root, 'sub'));
  symlinkSync('.env', join(root, 'ok'));
  symlinkSync('secrets', join(root, 's'));
  symlinkSync('../s/a', join(root, 'sub/deep'));
}

const readsHidden = (workspace: TempWorkspace, path: string): boolean =>
  nameChecked(workspace, ['.env', 'secrets']).read(path) === HIDDEN;

describe('links under rules', () => {
  testPathAttacks([
    {
      id: 'LN-04',
      title: 'a denied file by other names (CVE-2025-59829, CVE-2026-25724)',
      given: plantDenied,
      rules: DENIED,
      paths: () => ['ok', 'sub/../.env', './.env', 's/a', 'sub/deep', 'sub/../s/a', './/secrets//a'],
      does: [...LOOKING, 'write', 'make'],
      // Git takes no path behind a link, wherever it leads.
      refusedWith: ['E_POLICY_DENIED', 'E_OUTSIDE_WORKSPACE'],
      bites: { harms: readsHidden },
    },
  ]);

  it.each([
    'secrets',
    'secrets/',
    '/secrets',
    './secrets',
    'secrets//',
    'secrets/**',
    'secrets/*',
    '**/secrets',
  ])('LN-04 are seen through by a rule on %s', async (path) => {
    await using workspace = tempWorkspace(ALIVE);
    plantDenied(workspace);
    const surface = await library(workspace, { rules: [{ action: 'deny', permission: 'fs.read', path }] });
    for (const written of ['secrets/a', 'secrets//a', './secrets/./a', 's/a', 'sub/deep']) {
      for (const tool of toolsThat('read', 'search', 'find')) {
        const call = callOn(tool, written);
        const { outcome } = await expectRefused(surface, workspace, call, ['E_POLICY_DENIED']);
        expect(outcome).toBe('denied');
      }
    }
  });
});
