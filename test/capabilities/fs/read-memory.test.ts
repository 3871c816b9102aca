/** Memory of `fs.read`, in a file of its own: what is measured is the peak of the whole process. */
import { appendFileSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { tempWorkspace } from '../../support/temp-workspace.ts';

const MEBIBYTE = 1024 * 1024;

it('fs.read gives pages at the end of a file of 200 MB without holding it', async () => {
  await using workspace = tempWorkspace({ 'large.log': '' });
  const file = join(workspace.root, 'large.log');
  // A hole costs no disk; it counts as one line, which no page below shows.
  truncateSync(file, 200 * MEBIBYTE);
  appendFileSync(file, '\nlast but one\nlast\n');
  const runtime = await workspace.runtime({ dialect: 'coder' });
  const before = process.resourceUsage().maxRSS;
  const tail = await runtime.call('read', { path: 'large.log', offset: -1 });
  const page = await runtime.call('read', { path: 'large.log', offset: 2 });
  const grownMebibytes = (process.resourceUsage().maxRSS - before) / 1024;
  expect(tail.reply).toEqual({
    ok: true,
    path: file,
    content: 'last',
    start_line: 3,
    end_line: 3,
    has_more: true,
  });
  expect(page.reply).toEqual({
    ok: true,
    path: file,
    content: 'last but one\nlast',
    start_line: 2,
    end_line: 3,
    has_more: false,
  });
  expect(grownMebibytes).toBeLessThan(150);
});
