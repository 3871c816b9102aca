/** What agents show and ask on the page of `handrail serve`, in a real browser. */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { missingBrowser, openPage, startBrowser, takePictures } from '../support/browser.ts';
import { handrail, type Ran } from '../support/command-line.ts';
import { serve } from '../support/serve.ts';
import { type TempWorkspace, tempWorkspace } from '../support/temp-workspace.ts';

function call(workspace: TempWorkspace, tool: string, args: object): Promise<Ran> {
  return handrail(workspace, ['call', tool, JSON.stringify(args)]);
}

function replyOf({ stdout }: Ran): unknown {
  return JSON.parse(stdout) as unknown;
}

describe.skipIf(missingBrowser !== undefined)('the page of handrail serve', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startBrowser();
  });
  afterAll(() => browser.close());

  it('shows what an agent shows, as text and nothing else', async () => {
    await using workspace = tempWorkspace();
    await using server = await serve(workspace);
    await using opened = await openPage(browser, server.url);
    const { page, complaints } = opened;
    const content = 'Half <b>done</b> \u202e\u001b[2J';
    expect(await call(workspace, 'display', { content, level: 'warning', title: 'Audit' })).toMatchObject({
      exitCode: 0,
    });
    const message = page.locator('.message');
    await message.waitFor();
    expect(await message.locator('.level').textContent()).toBe('warning');
    expect(await message.locator('strong').textContent()).toBe('Audit');
    expect(await message.locator('.line').textContent()).toBe(
      `${String.raw`Half <b>done</b> \u202e\u001b[2J`}\n`,
    );
    expect(complaints).toEqual([]);
  });

  it('asks for a choice by buttons, and for a text by a field', async () => {
    await using workspace = tempWorkspace();
    await using server = await serve(workspace);
    await using opened = await openPage(browser, server.url);
    const { page, complaints } = opened;
    const choosing = call(workspace, 'ask_user', {
      message: 'Which\ndatabase?',
      choices: ['SQLite', 'Once'],
    });
    const card = page.getByRole('article', { name: 'The agent asks' });
    await card.waitFor();
    expect(await card.locator('.line').allTextContents()).toEqual(['Which\n', 'database?\n']);
    expect(await card.textContent()).toContain('Whatever you answer allows nothing.');
    await takePictures(page, 'asked');
    await card.getByRole('button', { name: 'SQLite' }).click();
    expect(replyOf(await choosing)).toEqual({ ok: true, answer: 'SQLite' });
    await card.waitFor({ state: 'detached' });

    const writing = call(workspace, 'ask_user', { message: 'Which colour?' });
    await page.getByLabel('Your answer').fill('dark\ngreen');
    await page.getByRole('button', { name: 'Answer', exact: true }).click();
    expect(replyOf(await writing)).toEqual({ ok: true, answer: 'dark\ngreen' });

    const declining = call(workspace, 'ask_user', { message: 'And now?' });
    await page.getByLabel('Reason to give no answer').fill('You decide.');
    await page.getByRole('button', { name: 'No answer' }).click();
    expect(replyOf(await declining)).toMatchObject({
      denied: true,
      reason: expect.stringContaining('You decide.'),
    });
    expect(complaints).toEqual([]);
  });

  it('has a patch reviewed by boxes to check, with comments', async () => {
    await using workspace = tempWorkspace({ 'a.txt': 'old\n' });
    await using server = await serve(workspace);
    await using opened = await openPage(browser, server.url);
    const { page, complaints } = opened;
    const patch = `--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-old\n+new\n--- /dev/null\n+++ b/b.txt\n@@ -0,0 +1 @@\n+made\n`;
    const reviewing = call(workspace, 'patch_review', { patch, message: 'Fine?' });
    const card = page.getByRole('article', { name: 'The agent asks' });
    await card.waitFor();
    expect(await card.locator('.added').allTextContents()).toEqual(['+new\n', '+made\n']);
    await card.getByLabel('Chunk 2 of 2, b.txt').check();
    await card.getByLabel('Comment on chunk 1').fill('Not yet.');
    await takePictures(page, 'review');
    await card.getByRole('button', { name: 'Take what is checked' }).click();
    expect(replyOf(await reviewing)).toMatchObject({
      action: 'apply',
      chunks_selected: [2],
      chunks_total: 2,
      comments: [{ chunk: 1, text: 'Not yet.' }],
    });
    expect(complaints).toEqual([]);
  });
});
