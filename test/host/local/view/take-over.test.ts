/** A take-over that can not go on. */
import { chmodSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { tempWorkspace } from '../../../support/temp-workspace.ts';
import { startAs } from '../sandbox/fixtures/commands-in-a-child.ts';

const PROGRAM = fileURLToPath(new URL('fixtures/change-and-take-over.ts', import.meta.url));

describe('takeOver', () => {
  it.skipIf(process.getuid?.() !== 0)(
    'that meets a changed file closes the folders that it opened',
    async () => {
      await using workspace = tempWorkspace({ 'closed/a': 'a\n', z: 'z\n' });
      const closed = join(workspace.root, 'closed');
      chmodSync(closed, 0o555);
      const line = 'chmod u+w closed; echo b > closed/a; chmod u-w closed; echo y > z';
      const child = startAs(workspace, 'nobody', PROGRAM, { line, file: 'z' });
      expect(await text(child.stdout!)).toBe('E_CONFLICT');
      expect((statSync(closed).mode & 0o777).toString(8)).toBe('555');
    },
  );
});
