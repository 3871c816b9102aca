/** The approvals of the console, in a real browser: agents wait, and a person answers by click and by key. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { type Client, handrailClient, HandrailSocket } from '../../src/client/index.ts';
import { barriersIn, missingBrowser, openConsole, takePictures } from '../support/browser.ts';
import { consoleGround } from '../support/console.ts';
import { connectToServer } from '../support/mcp-client.ts';
import { shared } from '../support/shared.ts';
import type { Serving } from '../support/serve.ts';
import type { TempWorkspace } from '../support/temp-workspace.ts';

const HOSTILE = '\u202e\u200bdlrow\u001b[2K<img src=x onerror=alert(1)>';
const SHOWN = '\\u202e\\u200bdlrow\\u001b[2K<img src=x onerror=alert(1)>';

describe.skipIf(missingBrowser !== undefined)('the approvals of the console', () => {
  let workspace: TempWorkspace;
  let server: Serving;
  let browser: Browser;
  let agent: Client;

  shared(async (stack) => {
    const files = { 'src/app.ts': 'export const old = 1;\nexport const kept = 2;\n' };
    ({ workspace, server, browser, agent } = await consoleGround(stack, files, ['--mode', 'ask']));
  });

  const held = (path: string): string => readFileSync(join(workspace.root, path), 'utf8');

  it('are answered by clicks, for an MCP client and one over a WebSocket at once', async () => {
    await using opened = await openConsole(browser, server.url, 'approvals');
    const { page, complaints } = opened;
    await page.getByText('Nothing waits for you').waitFor();
    await using mcp = await connectToServer(server);
    const args = { path: 'src/app.ts', content: 'export const young = 1;\nexport const kept = 2;\n' };
    const written = mcp.client.callTool({ name: 'write', arguments: args });
    await page.getByRole('button', { name: /^write/ }).waitFor();
    const { origin: url } = server.url;
    await using socket = new HandrailSocket({
      url,
      token: server.token,
      session: 'ide',
      dialect: 'handrail',
    });
    const removed = socket.call('bash', { command: 'rm -rf src/gone && echo done' });
    await page.getByRole('button', { name: /^bash/ }).waitFor();
    await expect.poll(() => page.title()).toBe('(2) Handrail');

    const shown = page.getByRole('region', { name: 'What will happen' });
    await expect
      .poll(() => shown.locator('.diff-line.added code').allTextContents())
      .toEqual(['export const young = 1;']);
    await shown.locator('.added .changed').getByText('young').waitFor();
    await shown.locator('.added .code-keyword').first().waitFor();
    await takePictures(page, 'console-approval');
    await shown.getByRole('button', { name: 'Once' }).click();
    expect((await written).isError).not.toBe(true);
    expect(held('src/app.ts')).toBe(args.content);

    await shown.getByText('rm -rf src/gone', { exact: true }).waitFor();
    await shown.getByText('$ rm -rf src/gone && echo done').waitFor();
    await shown.getByRole('textbox', { name: 'Reason to deny' }).fill('keep it');
    await shown.getByRole('button', { name: 'Deny' }).click();
    expect((await removed).error?.message).toMatch(/^keep it/);
    await page.getByText('Nothing waits for you').waitFor();
    expect(complaints).toEqual([]);
  });

  it('are answered by keys: for the session, for good with the rule shown first, and with other arguments', async () => {
    await using opened = await openConsole(browser, server.url, 'approvals');
    const { page } = opened;
    const write = (path: string): Promise<unknown> =>
      agent.makeCall({ tool: 'write', args: { path, content: 'new\n' }, session: 'keys' });
    const edited = write('edited.txt');
    const edit = page.getByRole('button', { name: 'Edit…' });
    await edit.and(page.locator(':enabled')).waitFor();
    await page.keyboard.press('e');
    const box = page.getByRole('textbox', { name: 'Arguments, as JSON' });
    await box.fill('{ "path": 1 }');
    await page.keyboard.press('Control+Enter');
    await page.getByRole('alert').getByText('path').waitFor();
    await box.fill('{ "path": "edited.txt", "content": "by hand\\n" }');
    await page.keyboard.press('Control+Enter');
    expect(await edited).toMatchObject({ outcome: 'ok' });
    expect(held('edited.txt')).toBe('by hand\n');

    const first = write('always.txt');
    await page.locator('.diff-path').getByText('always.txt').waitFor();
    await page.locator('fieldset:enabled').waitFor();
    await page.keyboard.press('a');
    await page.getByText('path: ["/always.txt"]').waitFor();
    await page.getByText(/^It would have let \d+ of the last \d+ calls pass\.$/).waitFor();
    expect(await barriersIn(page)).toEqual([]);
    await page.keyboard.press('Enter');
    expect(await first).toMatchObject({ outcome: 'ok' });
    expect(await write('always.txt')).toMatchObject({ outcome: 'ok' });

    const second = write('session.txt');
    await page.locator('.diff-path').getByText('session.txt').waitFor();
    await page.locator('fieldset:enabled').waitFor();
    await page.keyboard.press('s');
    expect(await second).toMatchObject({ outcome: 'ok' });
    expect(await write('session.txt')).toMatchObject({ outcome: 'ok' });
  });

  it('hold questions of agents, with a key a choice', async () => {
    await using opened = await openConsole(browser, server.url, 'approvals');
    const { page } = opened;
    const asked = agent.makeCall({
      tool: 'ask_user',
      args: { message: 'Which\ndatabase?', choices: ['SQLite', HOSTILE] },
    });
    await page.getByText('Whatever you answer allows nothing.').waitFor();
    expect(await page.locator('.choice span').first().textContent()).toBe('SQLite');
    expect(await page.locator('.choice').nth(1).textContent()).toBe(`${SHOWN}2`);
    await page.locator('fieldset:enabled').waitFor();
    await page.keyboard.press('2');
    expect(await asked).toMatchObject({ reply: { answer: HOSTILE } });
  });

  it('show hidden and spoofed text as what it is, in commands, paths and contents', async () => {
    await using opened = await openConsole(browser, server.url, 'approvals');
    const { page, complaints } = opened;
    const command = `printf '${HOSTILE}'\n${'\n'.repeat(50)}touch x; printf '${'x'.repeat(20_000)}'`;
    const ran = agent.makeCall({ tool: 'bash', args: { command } });
    const shown = page.getByRole('region', { name: 'What will happen' });
    await shown.getByText(SHOWN).first().waitFor();
    expect(await shown.getByRole('region', { name: 'What it would do' }).textContent()).toContain(
      'x'.repeat(20_000),
    );
    expect(await page.locator('html').evaluate(({ scrollWidth }) => scrollWidth)).toBe(1280);
    await page.locator('fieldset:enabled').waitFor();
    await shown.getByRole('button', { name: 'Deny' }).click();
    expect(await ran).toMatchObject({ outcome: 'denied' });

    const path = `a\u202egnp.sh`;
    const content = `const a = "${HOSTILE}"; ${'y'.repeat(5_000)}\n`;
    const written = agent.makeCall({ tool: 'write', args: { path, content } });
    await page.locator('.diff-path').getByText('a\\u202egnp.sh').waitFor();
    expect(await page.locator('.diff-line.added code').textContent()).toBe(
      `const a = "${SHOWN}"; ${'y'.repeat(5_000)}`,
    );
    expect(await page.locator('.diff-line .escape').allTextContents()).toEqual([
      '\\u202e',
      '\\u200b',
      '\\u001b',
    ]);
    await page.locator('fieldset:enabled').waitFor();
    await page.keyboard.press('d');
    await page.keyboard.press('Enter');
    expect(await written).toMatchObject({ outcome: 'denied' });
    expect(await page.locator('main img').count()).toBe(0);
    expect(complaints).toEqual([]);
  });

  it('say a word about a question that somebody else answered', async () => {
    await using opened = await openConsole(browser, server.url, 'approvals');
    const { page } = opened;
    const call = agent.makeCall({ tool: 'write', args: { path: 'b.txt', content: 'b\n' } });
    await page.getByRole('button', { name: /^write/ }).waitFor();
    const { approvalKey } = server;
    const person = handrailClient({ url: server.url.origin, token: server.token, approvalKey });
    const { approvals } = await person.listApprovals();
    await person.answerApproval({ id: approvals[0]!.id, answer: 'once' });
    await page.getByText('write: answered elsewhere').waitFor();
    await page.getByText('Nothing waits for you').waitFor();
    expect(await call).toMatchObject({ outcome: 'ok' });
  });

  it('tell nothing of what would be written where the address came without the approval key', async () => {
    await using watched = await openConsole(browser, server.url, 'approvals');
    const call = agent.makeCall({ tool: 'write', args: { path: 'c.txt', content: 'secret\n' } });
    await watched.page.locator('fieldset:enabled').waitFor();
    await using context = await browser.newContext();
    const page = await context.newPage();
    await page.goto(new URL(`/${server.url.search}#/approvals`, server.url).href);
    const shown = page.getByRole('region', { name: 'What will happen' });
    await shown.getByText('To answer here, open the whole address').waitFor();
    expect(await shown.textContent()).not.toContain('secret');
    await page.keyboard.press('o');
    await watched.page.keyboard.press('d');
    await watched.page.keyboard.press('Enter');
    expect(await call).toMatchObject({ outcome: 'denied' });
  });

  it('are without barriers, by day and by night, on a phone too', async () => {
    await using opened = await openConsole(browser, server.url, 'approvals');
    const { page } = opened;
    const call = agent.makeCall({
      tool: 'write',
      args: { path: 'src/app.ts', content: '// note\nexport const other = "text";\n' },
    });
    await page.locator('fieldset:enabled').waitFor();
    await page.locator('.code-string').first().waitFor();
    for (const colorScheme of ['light', 'dark'] as const)
      for (const width of [390, 1280]) {
        await page.emulateMedia({ colorScheme });
        await page.setViewportSize({ width, height: 800 });
        expect(await barriersIn(page)).toEqual([]);
      }
    await page.keyboard.press('d');
    await page.keyboard.press('Enter');
    await call;
  });
});
