/** Commands on the page of `handrail serve`, in a real browser: before they run, and afterwards. */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { missingBrowser, openPage, startBrowser, takePictures } from '../support/browser.ts';
import { handrail } from '../support/command-line.ts';
import { serve } from '../support/serve.ts';
import { tempWorkspace } from '../support/temp-workspace.ts';

describe.skipIf(missingBrowser !== undefined)('commands on the page of handrail serve', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startBrowser();
  });
  afterAll(() => browser.close());

  it('shows every line of a command before it runs, and how it ended', async () => {
    await using workspace = tempWorkspace();
    await using server = await serve(workspace);
    await using opened = await openPage(browser, server.url);
    const { page, complaints } = opened;
    const command = [
      `printf '${'long '.repeat(80)}'`,
      "printf 'a\u001b[2K\u202e\ttab' # <img src=x>",
      ...Array.from({ length: 40 }, (_, index) => `test ${index} = ${index}`),
      'touch made.txt',
      'exit 3',
    ].join('\n');
    const asking = handrail(workspace, ['call', 'bash', JSON.stringify({ command }), '--wait']);
    const question = page.getByRole('article', { name: 'bash' });
    const box = question.locator('.box').first();
    await box.waitFor();
    const lines = await box.locator('.line').allTextContents();
    expect(lines.slice(0, 3)).toEqual([
      `$ printf '${'long '.repeat(80)}'\n`,
      "> printf 'a\\u001b[2K\\u202e→\ttab' # <img src=x>\n",
      '> test 0 = 0\n',
    ]);
    expect(lines[43]).toBe('> exit 3\n');
    expect(await question.getByText('lines in all').textContent()).toBe(`${lines.length} lines in all`);
    expect(await question.locator('.accesses > li').allTextContents()).toEqual([
      'fs.write made.txt',
      expect.stringContaining('44 commands, one by one'),
    ]);
    await takePictures(page, 'command');
    await question.getByRole('button', { name: 'Once' }).click();
    await asking;
    const row = page.getByRole('row').filter({ hasText: 'failed' });
    await row.getByRole('button', { name: 'bash' }).click();
    const facts = page.locator('.call-facts');
    await facts.getByText('The command ended with exit code 3.').waitFor();
    expect(await facts.locator('.line').first().textContent()).toBe(`printf '${'long '.repeat(80)}'\n`);
    const terms = ['touches', 'changed', 'sandbox', 'answered by'];
    expect(await facts.locator('dt').allTextContents()).toEqual(terms);
    await takePictures(page, 'command-ended');
    await row.getByRole('button', { name: 'bash' }).click();
    await facts.waitFor({ state: 'detached' });
    expect(await page.locator('img').count()).toBe(0);
    expect(complaints).toEqual([]);
  });

  it('says before all else that a command would leave the sandbox', async () => {
    await using workspace = tempWorkspace();
    await using server = await serve(workspace);
    await using opened = await openPage(browser, server.url);
    const args = JSON.stringify({ command: 'true\n'.repeat(60), outside_sandbox: true });
    const asking = handrail(workspace, ['call', 'bash', args, '--wait']);
    const question = opened.page.getByRole('article', { name: 'bash' });
    await question.getByText('It would run outside the sandbox').waitFor();
    await question.getByRole('button', { name: 'Deny' }).click();
    expect(await asking).toMatchObject({ exitCode: 3 });
  });
});
