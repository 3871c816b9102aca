/** The page of `handrail serve` in a real browser, as the person who answers sees it. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { missingBrowser, openPage, startBrowser, takePictures } from '../support/browser.ts';
import { handrail, type Ran } from '../support/command-line.ts';
import { serve } from '../support/serve.ts';
import { type TempWorkspace, tempWorkspace } from '../support/temp-workspace.ts';

describe.skipIf(missingBrowser !== undefined)('the page of handrail serve', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startBrowser();
  });
  afterAll(() => browser.close());

  it('shows a waiting write with its diff, lets it pass by a click, and takes it back by another', async () => {
    await using workspace = tempWorkspace({ 'a.txt': 'old\n' });
    await using server = await serve(workspace);
    await using opened = await openPage(browser, server.url);
    const { page, complaints } = opened;
    expect(page.url()).toBe(`${server.url.origin}/`);
    const asking = handrail(workspace, ['call', 'write', '{"path":"a.txt","content":"new\\n"}', '--wait']);
    const question = page.getByRole('article', { name: 'write' });
    await question.waitFor();
    expect(await page.title()).toBe('(1) Handrail');
    expect(await question.locator('.added').allTextContents()).toEqual(['+new\n']);
    expect(await question.locator('.removed').allTextContents()).toEqual(['-old\n']);
    await takePictures(page, 'question');
    expect(textOf(workspace)).toBe('old\n');
    await question.getByRole('button', { name: 'Once' }).click();
    expect(await asking).toMatchObject({ exitCode: 0 });
    expect(textOf(workspace)).toBe('new\n');
    await question.waitFor({ state: 'detached' });
    await page.getByRole('row', { name: /write.*ok.*ask/ }).waitFor();

    await page.locator('.turn summary').click();
    await page.getByRole('button', { name: 'Undo…' }).click();
    await page.getByText('Taking it back would change 1 entry:').waitFor();
    expect(await page.locator('.plan li').allTextContents()).toEqual(['restore a.txt']);
    expect(textOf(workspace)).toBe('new\n');
    await page.getByRole('button', { name: 'Take back' }).click();
    await page.getByText('Took it back: 1 entry.').waitFor();
    expect(textOf(workspace)).toBe('old\n');
    await page.getByText('taken back').waitFor();
    expect(complaints).toEqual([]);
  });

  it('is somebody to ask while it is open, and denies with a reason, by the keyboard alone', async () => {
    await using workspace = tempWorkspace({ 'a.txt': 'old\n' });
    await using server = await serve(workspace);
    const write = ['call', 'write', '{"path":"a.txt","content":"new\\n"}'];
    expect(await handrail(workspace, write)).toMatchObject({ exitCode: 3 });
    await using opened = await openPage(browser, server.url);
    const { page } = opened;
    const asking = handrail(workspace, write);
    const reason = page.getByLabel('Reason to deny');
    await reason.focus();
    // The buttons wait a moment after the question has come.
    const deny = page.getByRole('button', { name: 'Deny' });
    await expect.poll(() => deny.isEnabled(), { timeout: 30_000 }).toBe(true);
    await page.keyboard.type('Not this one.');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    const { exitCode, stdout } = await asking;
    expect({ exitCode, isTold: stdout.includes('Not this one.') }).toEqual({ exitCode: 3, isTold: true });
  });

  it('lets a call pass with other arguments, and says what is wrong with them', async () => {
    await using workspace = tempWorkspace({ 'a.txt': 'old\n' });
    await using server = await serve(workspace);
    await using opened = await openPage(browser, server.url);
    const { page, complaints } = opened;
    const write = (content: string): Promise<Ran> =>
      handrail(workspace, ['call', 'write', JSON.stringify({ path: 'a.txt', content }), '--wait']);
    const asking = write('new\u202e\n');
    await page.getByRole('button', { name: 'Edit…' }).click();
    const written = page.getByLabel('Arguments, as JSON');
    const shown = '{\n  "path": "a.txt",\n  "content": "new\\u202e\\n"\n}';
    expect(await written.inputValue()).toBe(shown);
    const allow = page.getByRole('button', { name: 'Allow with these arguments' });
    await written.fill('{"path":');
    await allow.click();
    await page.getByText('This is not JSON').waitFor();
    await written.fill('{"path":"a.txt","contents":"mine\\n"}');
    await allow.click();
    await page.getByText('did you mean "content"?').waitFor();
    await takePictures(page, 'edit');
    await written.fill('{"path":"a.txt","content":""}');
    for (let step = 0; step < 2; step++) await written.press('ArrowLeft');
    // Somebody is writing: a question that comes meanwhile does not disturb them.
    const other = write('other\n');
    await page.getByRole('article').nth(1).waitFor();
    await page.keyboard.type('mine\\n');
    await allow.first().click();
    expect(await asking).toMatchObject({ exitCode: 0 });
    expect(textOf(workspace)).toBe('mine\n');
    await page.getByRole('article').nth(1).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Deny' }).click();
    await other;
    expect(complaints.filter((text) => !text.includes('400 (Bad Request)'))).toEqual([]);
  });

  it('writes a rule only after it was shown', async () => {
    await using workspace = tempWorkspace({ 'a.txt': 'old\n' });
    await using server = await serve(workspace);
    await using opened = await openPage(browser, server.url);
    const { page } = opened;
    const write = ['call', 'write', '{"path":"a.txt","content":"new\\n"}'];
    const asking = handrail(workspace, write);
    await page.getByRole('button', { name: 'Always…' }).click();
    expect(await page.locator('.confirm:visible').textContent()).toContain('path: ["/a.txt"]');
    await page.getByRole('button', { name: 'Write the rule and allow' }).click();
    expect(await asking).toMatchObject({ exitCode: 0 });
    expect(await handrail(workspace, write)).toMatchObject({ exitCode: 0 });
  });

  it('shows as text whatever a call brings along, and what would not be seen as escapes (WB-08)', async () => {
    await using workspace = tempWorkspace();
    await using server = await serve(workspace);
    await using opened = await openPage(browser, server.url);
    const { page, complaints } = opened;
    const trick = '<img src=http://evil.test/x onerror=alert(1)> [x](javascript:alert(1)) \u202e\u200b';
    await handrail(workspace, ['call', trick, '{}']);
    const args = JSON.stringify({ path: '<b>b.txt', content: `${trick}\n</pre><script>alert(1)</script>\n` });
    const asking = handrail(workspace, ['call', 'write', args]);
    const question = page.getByRole('article', { name: 'write' });
    await question.waitFor();
    expect(await question.locator('.added').allTextContents()).toEqual([
      `+${trick.replace('\u202e\u200b', '\\u202e\\u200b')}\n`,
      '+</pre><script>alert(1)</script>\n',
    ]);
    await page.getByRole('row').filter({ hasText: '<img src=' }).waitFor();
    expect(await page.locator('img, main script, main b, a').count()).toBe(0);
    await question.getByRole('button', { name: 'Deny' }).click();
    await asking;
    expect(complaints).toEqual([]);
  });

  it('only shows where the address came without the approval key', async () => {
    await using workspace = tempWorkspace();
    await using server = await serve(workspace);
    await using opened = await openPage(browser, new URL(server.url.href.replace(/#.*/, '')));
    const { page } = opened;
    const asking = handrail(workspace, ['call', 'write', '{"path":"a.txt","content":"new\\n"}', '--wait']);
    await page.getByText('To answer here, open the whole address').waitFor();
    expect(await page.getByRole('article').getByRole('button').count()).toBe(0);
    const [, id] = /"id":"(apr_\w+)"/.exec(
      (await handrail(workspace, ['approvals', 'list', '--json'])).stdout,
    )!;
    await handrail(workspace, ['approvals', 'answer', id!, 'deny']);
    await asking;
    await page.getByText('No call waits for an answer.').waitFor();
    expect(existsSync(join(workspace.root, 'a.txt'))).toBe(false);
  });

  it('says that the server is gone', async () => {
    await using workspace = tempWorkspace();
    const server = await serve(workspace);
    await using opened = await openPage(browser, server.url);
    await server[Symbol.asyncDispose]();
    await opened.page.getByText('The server does not answer.').waitFor();
    expect(await opened.page.getByText('live').count()).toBe(0);
  });
});

function textOf({ root }: TempWorkspace): string {
  return readFileSync(join(root, 'a.txt'), 'utf8');
}
