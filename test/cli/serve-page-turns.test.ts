/** Turns on the page of `handrail serve`, in a real browser: what each one changed, and what taking it back would do. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { missingBrowser, openPage, startBrowser, takePictures } from '../support/browser.ts';
import { handrail } from '../support/command-line.ts';
import { serve } from '../support/serve.ts';
import { type TempWorkspace, tempWorkspace } from '../support/temp-workspace.ts';

/** Runs a tool without a question. */
async function call(workspace: TempWorkspace, tool: string, args: object): Promise<void> {
  expect(await handrail(workspace, ['call', tool, JSON.stringify(args), '--yes'])).toMatchObject({
    exitCode: 0,
  });
}

describe.skipIf(missingBrowser !== undefined)('turns on the page of handrail serve', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startBrowser();
  });
  afterAll(() => browser.close());

  it('shows what a turn changed, takes back what it can, and names what it can not', async () => {
    const lines = Array.from({ length: 40 }, (_, index) => `  const line${index} = compute(${index});\n`);
    await using workspace = tempWorkspace({
      'src/a.ts': lines.join(''),
      'notes.txt': 'one\n',
      'gone.txt': 'nobody needs it\n',
      'old.txt': 'to be moved\n',
    });
    const patch = [
      '*** Begin Patch',
      '*** Update File: src/a.ts',
      '@@',
      '-  const line20 = compute(20);',
      '+  const line20 = computeWithMuchLongerNames(20, 21, 22); // and a comment that makes the line long',
      '*** Update File: notes.txt',
      '@@',
      '-one',
      '+<b>two</b>\u202e',
      '*** Delete File: gone.txt',
      '*** Update File: old.txt',
      '*** Move to: moved.txt',
      '*** Add File: fresh/new.txt',
      '+fresh',
      '*** End Patch',
    ];
    await call(workspace, 'patch', { patch: patch.join('\n') });
    workspace.write('notes.txt', 'mine\n');
    await using server = await serve(workspace);
    await using opened = await openPage(browser, server.url);
    const { page, complaints } = opened;
    await page.locator('.turn > summary').click();
    const entry = (path: string): Locator => page.locator('.entries > li').filter({ hasText: path });
    await entry('src/a.ts').locator('summary').click();
    await entry('src/a.ts').locator('.removed').waitFor();
    expect(await entry('src/a.ts').locator('.removed').allTextContents()).toEqual([
      '-  const line20 = compute(20);\n',
    ]);
    await entry('notes.txt').locator('summary').click();
    await entry('notes.txt').getByText('It was changed since').waitFor();
    await entry('gone.txt').locator('summary').click();
    await entry('gone.txt').getByText('-nobody needs it').waitFor();
    expect(await page.locator('.turn .mark').allTextContents()).toEqual([
      'changed',
      'changed',
      'deleted',
      'moved',
      'created',
      'created',
    ]);
    expect(await entry('moved.txt').textContent()).toBe('moved old.txt → moved.txt');
    await page.getByRole('button', { name: 'Undo…' }).click();
    await page.getByText('Taking it back would change 6 entries, and leave 1 alone:').waitFor();
    expect(await page.locator('.plan li').first().textContent()).toBe(
      'leave alone notes.txt it was changed since',
    );
    await takePictures(page, 'turns');
    await page.getByRole('button', { name: 'Take back' }).click();
    await page.getByText('Took it back: 6 entries, 1 left alone.').waitFor();
    expect(readFileSync(join(workspace.root, 'old.txt'), 'utf8')).toBe('to be moved\n');
    expect(readFileSync(join(workspace.root, 'notes.txt'), 'utf8')).toBe('mine\n');
    expect(complaints).toEqual([]);
  });

  it('offers nothing to take back where all of it was changed since', async () => {
    await using workspace = tempWorkspace({ 'a.txt': 'one\n' });
    await call(workspace, 'write', { path: 'a.txt', content: 'two\n' });
    workspace.write('a.txt', 'mine\n');
    await using server = await serve(workspace);
    await using opened = await openPage(browser, server.url);
    const { page } = opened;
    await page.locator('.turn > summary').click();
    await page.getByRole('button', { name: 'Undo…' }).click();
    await page.getByText('Nothing of it can be taken back:').waitFor();
    expect(await page.getByRole('button', { name: 'Take back' }).count()).toBe(0);
  });

  it('tells names, and nothing of what is in files, where the address came without the approval key', async () => {
    await using workspace = tempWorkspace({ 'a.txt': 'one\n' });
    await call(workspace, 'write', { path: 'a.txt', content: 'two\n' });
    await using server = await serve(workspace);
    await using opened = await openPage(browser, new URL(server.url.href.replace(/#.*/, '')));
    await opened.page.locator('.turn > summary').click();
    await opened.page.locator('.entries').waitFor();
    expect(await opened.page.locator('.turn-body').textContent()).toBe('changed a.txt');
  });
});
