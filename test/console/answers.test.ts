/// <reference lib="dom" />
/** What a person's answers hold to, in a real browser: who is there to ask, who may answer, and what is typed meanwhile. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import type { Client } from '../../src/client/index.ts';
import { missingBrowser, openConsole } from '../support/browser.ts';
import { consoleGround } from '../support/console.ts';
import { handrail } from '../support/command-line.ts';
import { shared } from '../support/shared.ts';
import type { Serving } from '../support/serve.ts';
import type { TempWorkspace } from '../support/temp-workspace.ts';

const HOSTILE = '<img src=http://evil.test/x onerror=alert(1)> [x](javascript:alert(1)) \u202e\u200b';
const SHOWN = HOSTILE.replace('\u202e\u200b', String.raw`\u202e\u200b`);

describe.skipIf(missingBrowser !== undefined)('answers in the console', () => {
  let workspace: TempWorkspace;
  let server: Serving;
  let browser: Browser;
  let agent: Client;
  let person: Client;

  shared(async (stack) => {
    const ground = await consoleGround(stack, { 'a.txt': 'old\n' }, ['--mode', 'ask']);
    ({ workspace, server, browser, agent, person } = ground);
  });

  const held = (path: string): string => readFileSync(join(workspace.root, path), 'utf8');
  const write = (path: string, content: string): ReturnType<Client['makeCall']> =>
    agent.makeCall({ tool: 'write', args: { path, content } });

  it('can be had while a page is open, without secrets in its address; a no by key has its reason', async () => {
    const args = ['call', 'write', '{"path":"a.txt","content":"new\\n"}'];
    expect(await handrail(workspace, args)).toMatchObject({ exitCode: 3 });
    await using opened = await openConsole(browser, server.url, 'approvals');
    const { page } = opened;
    expect(page.url()).toBe(`${server.url.origin}/#/approvals`);
    const asking = handrail(workspace, args);
    const answers = page.getByRole('group', { name: 'Answers' });
    await answers.waitFor();
    // They wait a moment after the question has come.
    await page.locator('fieldset:enabled').waitFor();
    await page.keyboard.press('d');
    await page.keyboard.type('Not this one.');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    const { exitCode, stdout } = await asking;
    expect({ exitCode, isTold: stdout.includes('Not this one.') }).toEqual({ exitCode: 3, isTold: true });
    expect(held('a.txt')).toBe('old\n');
  });

  it('are asked for on the desktop while the page is hidden, by words that lead to the question', async () => {
    await using opened = await openConsole(browser, server.url, 'live');
    const { page, complaints } = opened;
    await page.context().grantPermissions(['notifications'], { origin: server.url.origin });
    await page.addInitScript(observeNotifications);
    for (const { id } of (await person.listApprovals()).approvals)
      await person.answerApproval({ id, answer: 'deny' });
    await page.reload();
    await page.getByRole('status').getByText('live', { exact: true }).waitFor();
    const seen = write('seen.txt', 'x\n');
    await expect.poll(() => page.title()).toBe('(1) Handrail');
    await page.evaluate(() => (observed.isHidden = true));
    const hidden = write('hidden\u202e.txt', 'x\n');
    const told = (): Promise<string[][]> =>
      page.evaluate(() => observed.told.map(({ title, body }) => [title, body]));
    await expect.poll(told).toEqual([['Handrail: write', String.raw`hidden\u202e.txt`]]);
    await page.evaluate(() => observed.told[0]!.dispatchEvent(new Event('click')));
    const questions = (await person.listApprovals()).approvals;
    await expect.poll(() => page.url()).toBe(`${server.url.origin}/#/approvals/${questions[1]!.id}`);
    for (const { id } of questions) await person.answerApproval({ id, answer: 'deny' });
    expect((await Promise.all([seen, hidden])).map(({ outcome }) => outcome)).toEqual(['denied', 'denied']);
    expect(complaints).toEqual([]);
  });

  it('with other arguments are checked first, and no question that comes meanwhile disturbs who types', async () => {
    await using opened = await openConsole(browser, server.url, 'approvals');
    const { page, complaints } = opened;
    const asking = write('a.txt', 'new\u202e\n');
    await page.getByRole('button', { name: 'Edit…' }).click();
    const typed = page.getByRole('textbox', { name: 'Arguments, as JSON' });
    expect(await typed.inputValue()).toBe('{\n  "path": "a.txt",\n  "content": "new\\u202e\\n"\n}');
    const allow = page.getByRole('button', { name: 'Allow with these arguments' });
    await typed.fill('{"path":');
    await allow.click();
    await page.getByRole('alert').getByText('This is not JSON').waitFor();
    await typed.fill('{"path":"a.txt","contents":"mine\\n"}');
    await allow.click();
    await page.getByRole('alert').getByText('did you mean "content"?').waitFor();
    await typed.fill('{"path":"a.txt","content":""}');
    for (let step = 0; step < 2; step++) await typed.press('ArrowLeft');
    const other = write('a.txt', 'other\n');
    await expect.poll(() => page.title()).toBe('(2) Handrail');
    await page.keyboard.type('mine\\n');
    await allow.click();
    expect(await asking).toMatchObject({ outcome: 'ok' });
    expect(held('a.txt')).toBe('mine\n');
    await page.locator('.diff-line.added').getByText('other').waitFor();
    await page.locator('fieldset:enabled').waitFor();
    await page.getByRole('button', { name: 'Deny' }).click();
    expect(await other).toMatchObject({ outcome: 'denied' });
    expect(complaints.filter((text) => !text.includes('400 (Bad Request)'))).toEqual([]);
  });

  it('are no other arguments where a token is masked in them', async () => {
    await using opened = await openConsole(browser, server.url, 'approvals');
    const { page } = opened;
    const asking = write('a.txt', `ghp_${'a1'.repeat(18)}`);
    await page.locator('fieldset:enabled').waitFor();
    expect(await page.getByRole('button', { name: 'Edit…' }).count()).toBe(0);
    expect(await page.getByRole('main').textContent()).not.toContain('a1a1a1a1');
    await page.getByRole('button', { name: 'Deny' }).click();
    await asking;
  });

  it('are asked for with a word before all else where a command would leave the sandbox', async () => {
    await using opened = await openConsole(browser, server.url, 'approvals');
    const { page } = opened;
    const args = { command: 'true\n'.repeat(60), outside_sandbox: true };
    const asking = agent.makeCall({ tool: 'bash', args });
    await page.getByText('It would run outside the sandbox').waitFor();
    await page.locator('fieldset:enabled').waitFor();
    await page.getByRole('button', { name: 'Deny' }).click();
    expect(await asking).toMatchObject({ outcome: 'denied' });
  });

  it('are a text where an agent asks for one, or none with a reason', async () => {
    await using opened = await openConsole(browser, server.url, 'approvals');
    const { page } = opened;
    const writing = agent.makeCall({ tool: 'ask_user', args: { message: 'Which colour?' } });
    await page.getByLabel('Your answer').fill('dark\ngreen');
    await page.getByRole('button', { name: /^Answer/ }).click();
    expect((await writing).reply).toEqual({ ok: true, answer: 'dark\ngreen' });
    const declining = agent.makeCall({ tool: 'ask_user', args: { message: 'And now?' } });
    const asked = page.getByRole('region', { name: 'What the agent asks' });
    await asked.getByText('And now?').first().waitFor();
    await page.getByLabel('Reason to give no answer').fill('You decide.');
    await page.getByRole('button', { name: 'No answer' }).click();
    expect(await declining).toMatchObject({
      outcome: 'denied',
      reply: { reason: expect.stringContaining('You decide.') as string },
    });
  });

  it('can be given only with the whole address; without it, nothing of what is in files is told', async () => {
    const done = await person.makeCall({
      tool: 'write',
      args: { path: 'changed.txt', content: 'secret content\n' },
      mode: 'auto',
    });
    await using opened = await openConsole(browser, new URL(server.url.href.replace(/#.*/, '')), 'approvals');
    const { page, complaints } = opened;
    // Such a page is nobody to ask: who does not say that they wait are told no at once.
    const args = JSON.stringify({ path: 'b.txt', content: 'secret too\n' });
    const asking = handrail(workspace, ['call', 'write', args, '--wait']);
    await page.getByText('To answer here, open the whole address').first().waitFor();
    const main = page.getByRole('main');
    expect(await page.getByRole('group', { name: 'Answers' }).count()).toBe(0);
    expect(await main.textContent()).not.toContain('secret');
    await page.evaluate((hash) => location.replace(hash), `#/changes/${done.turn}`);
    await main.getByText('changed.txt').first().waitFor();
    expect(await main.textContent()).not.toContain('secret');
    const { approvals } = await person.listApprovals();
    await person.answerApproval({ id: approvals[0]!.id, answer: 'deny' });
    await asking;
    expect(existsSync(join(workspace.root, 'b.txt'))).toBe(false);
    expect(complaints).toEqual([]);
  });

  it('are offered for nothing of a turn that was all changed since', async () => {
    const args = { path: 'lost.txt', content: 'two\n' };
    const turn = 'trn_lost';
    await person.makeCall({ tool: 'write', args, turn, session: 'lost', mode: 'auto' });
    workspace.write('lost.txt', 'mine\n');
    await using opened = await openConsole(browser, server.url, `changes/${turn}`);
    const { page } = opened;
    await page.getByRole('button', { name: 'Undo…' }).click();
    await page.getByText('Nothing of it can be taken back.').waitFor();
    expect(await page.getByRole('button', { name: 'Take back' }).count()).toBe(0);
  });

  it('are given over names, and messages, that are text and nothing else (WB-08)', async () => {
    await using opened = await openConsole(browser, server.url, 'live');
    const { page, complaints } = opened;
    await agent.makeCall({ tool: HOSTILE, args: {} });
    await page.getByRole('option').filter({ hasText: SHOWN }).waitFor();
    const args = { content: HOSTILE, level: 'warning', title: HOSTILE };
    await agent.makeCall({ tool: 'display', args });
    await page.getByRole('option').filter({ hasText: 'display' }).click();
    const messages = page.getByRole('region', { name: 'The call', exact: true }).locator('.shown-messages');
    await messages.locator('b').getByText(SHOWN).waitFor();
    await messages.getByRole('region').getByText(SHOWN).waitFor();
    expect(await page.locator('main img, main a[href^=javascript]').count()).toBe(0);
    expect(complaints).toEqual([]);
  });
});

declare const observed: { isHidden: boolean; readonly told: Notification[] };

/** In the page, before anything else. Nothing hides a page of a browser without windows. */
function observeNotifications(): void {
  const watch = { isHidden: false, told: [] as Notification[] };
  class Observed extends Notification {
    constructor(title: string, options?: NotificationOptions) {
      super(title, options);
      watch.told.push(this);
    }
  }
  Object.assign(globalThis, { observed: watch, Notification: Observed });
  Object.defineProperty(document, 'hidden', { get: () => watch.isHidden });
}
