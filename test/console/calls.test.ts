/// <reference lib="dom" />
/** The views of calls, in a real browser: calls as they happen, and all there ever were. */
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Browser, Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import type { Client } from '../../src/client/index.ts';
import { barriersIn, missingBrowser, openConsole, takePictures } from '../support/browser.ts';
import { consoleGround } from '../support/console.ts';
import { environmentOf } from '../support/command-line.ts';
import { shared } from '../support/shared.ts';
import { scroll } from '../support/scrolling.ts';
import { serve, type Serving } from '../support/serve.ts';
import type { TempWorkspace } from '../support/temp-workspace.ts';

const ROWS = 100_000;
/** What fits into the window, and a little more. */
const MAX_SHOWN = 60;
/** More than browsers write into their history in ten seconds. */
const HELD = 300;

describe.skipIf(missingBrowser !== undefined)('the views of calls', () => {
  let workspace: TempWorkspace;
  let server: Serving;
  let browser: Browser;
  let client: Client;

  shared(async (stack) => {
    ({ workspace, server, browser, person: client } = await consoleGround(stack, { 'a.txt': 'hello\n' }));
    fillAudit(workspace);
    for (const path of ['a.txt', 'b.txt', 'c\u202etxt'])
      await client.makeCall({ tool: 'read', args: { path } });
  });

  it('show a call as it happens, with what it was given, prints and answers', async () => {
    await using opened = await openConsole(browser, server.url, 'live');
    const { page, complaints } = opened;
    const sign = randomUUID();
    const call = client.makeCall({
      tool: 'bash',
      args: { command: `echo first; until [ -e ${sign} ]; do sleep 0.05; done; echo second` },
      mode: 'auto',
    });
    await rowsOf(page).filter({ hasText: 'runningbash' }).click();
    const detail = page.getByRole('region', { name: 'The call', exact: true });
    await detail.getByRole('region', { name: 'What it printed' }).getByText('first').waitFor();
    await detail.getByText(`until [ -e ${sign}`).first().waitFor();
    await takePictures(page, 'console-live');
    workspace.write(sign, '');
    await detail.getByText('second').first().waitFor();
    await detail.getByText('ok', { exact: true }).waitFor();
    expect((await call).outcome).toBe('ok');
    expect(await barriersIn(page)).toEqual([]);
    expect(complaints).toEqual([]);
  });

  it('move by keys, and go to each other', async () => {
    await using opened = await openConsole(browser, server.url, 'live');
    const { page, complaints } = opened;
    const chosen = page.getByRole('listbox').getByRole('option', { selected: true });
    await rowsOf(page).nth(3).waitFor();
    // Rows can be seen an instant before keys are listened to; going up from the first one stays there.
    const first = async (): Promise<number> => {
      await page.keyboard.press('k');
      return chosen.count();
    };
    await expect.poll(first).toBe(1);
    // As fast as they come: none of them is lost.
    await Promise.all(['j', 'j', 'k'].map((key) => page.keyboard.press(key)));
    await expect.poll(() => chosen.getAttribute('aria-posinset')).toBe('2');
    await page.keyboard.press('Escape');
    await chosen.waitFor({ state: 'detached' });
    await page.keyboard.press('g');
    await page.keyboard.press('u');
    await page.getByRole('listbox', { name: 'Calls of the audit' }).waitFor();
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keys' }).getByText('Previous').waitFor();
    expect(complaints).toEqual([]);
  });

  it('move on as long as a key is held down, and the address follows', async () => {
    await using opened = await openConsole(browser, server.url, 'audit');
    const { page, complaints } = opened;
    const chosen = page.getByRole('listbox').getByRole('option', { selected: true });
    const places = (): Promise<(string | null)[]> =>
      chosen.evaluateAll((rows) => rows.map((row) => row.ariaPosInSet));
    await rowsOf(page).nth(3).waitFor();
    await load(page, HELD * 2);
    const first = async (): Promise<number> => {
      await page.keyboard.press('k');
      return chosen.count();
    };
    await expect.poll(first).toBe(1);
    await holdDown(page, 'j', HELD);
    await expect.poll(places).toEqual([String(HELD + 1)]);
    const { calls } = await client.listCalls({ workspace: 'all', limit: HELD + 1 });
    await expect.poll(() => page.url()).toBe(`${server.url.origin}/#/audit/${calls[HELD]!.id}`);
    // What is only in the index has no lines to show.
    await page.getByRole('alert').getByText(`There is no call "${calls[HELD]!.id}".`).waitFor();
    expect(complaints.filter((text) => !text.includes('404 (Not Found)'))).toEqual([]);
  });

  it('say when the server is gone, and when another one is in its place', async () => {
    const first = await serve(workspace);
    await using opened = await openConsole(browser, first.url, 'live');
    const alerts = (): Promise<string[]> => opened.page.getByRole('alert').allInnerTexts();
    const inTime = { timeout: 30_000 };
    await first[Symbol.asyncDispose]();
    await expect.poll(alerts, inTime).toContainEqual(expect.stringContaining('does not answer'));
    await using _second = await serve(workspace, ['--port', first.url.port]);
    await expect.poll(alerts, inTime).toContainEqual(expect.stringContaining('started anew'));
  });

  it('end a call that runs', async () => {
    await using opened = await openConsole(browser, server.url, 'live');
    const { page, complaints } = opened;
    const call = client.makeCall({ tool: 'bash', args: { command: 'sleep 600' }, mode: 'auto' });
    await rowsOf(page).filter({ hasText: 'runningbash' }).click();
    await page.getByRole('button', { name: 'Cancel' }).click();
    expect((await call).outcome).toBe('cancelled');
    await rowsOf(page).filter({ hasText: 'cancelledbash' }).waitFor();
    expect(complaints).toEqual([]);
  });

  it('find calls of the audit, tell whether its chain holds, and draw it', async () => {
    await using opened = await openConsole(browser, server.url, 'audit');
    const { page, complaints } = opened;
    await page.getByRole('searchbox', { name: 'Search the audit' }).fill('c\u202etxt');
    await expect.poll(() => rowsOf(page).count(), { timeout: 30_000 }).toBe(1);
    await rowsOf(page).getByText('\\u202e').waitFor();
    await page.getByText('The chain holds').waitFor();
    await page.getByRole('img', { name: /\d+ calls, at most/ }).waitFor();
    await rowsOf(page).click();
    await takePictures(page, 'console-audit');
    expect(await barriersIn(page)).toEqual([]);
    expect(complaints).toEqual([]);
  });

  it('save the whole audit as a file', async () => {
    await using opened = await openConsole(browser, server.url, 'audit');
    const { page, complaints } = opened;
    const lines: unknown[] = [];
    for await (const line of client.exportAudit()) lines.push(line);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export' }).click(),
    ]);
    const saved = readFileSync(await download.path(), 'utf8');
    expect(download.suggestedFilename()).toBe('handrail-audit.ndjson');
    expect(
      saved
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as unknown),
    ).toEqual(lines);
    expect(lines.length).toBeGreaterThan(3);
    expect(complaints).toEqual([]);
  });

  it.each([
    ['live', 10_000],
    ['audit', ROWS],
  ])(
    '%s: %i rows are never there at once',
    async (view, rows) => {
      await using opened = await openConsole(browser, server.url, view);
      const { page, complaints } = opened;
      await page.reload();
      await rowsOf(page).first().waitFor();
      const useful = await page.evaluate(() => performance.now());
      await load(page, rows);
      const up = { box: '[role=listbox]', rows: '[role=option]', pixels: -600 };
      const { shown, words } = await scroll(page, up);
      process.stderr.write(`${view}: first rows after ${useful.toFixed(0)} ms; ${rows} rows, ${words}\n`);
      expect(shown).toBeLessThan(MAX_SHOWN);
      expect(complaints).toEqual([]);
    },
    120_000,
  );
});

function rowsOf(page: Page): Locator {
  return page.getByRole('listbox').getByRole('option');
}

/** Rows in the index of the audit, as many as an agent leaves in a long while. */
function fillAudit(workspace: TempWorkspace): void {
  const state = join(environmentOf(workspace)['XDG_STATE_HOME']!, 'handrail');
  using database = new DatabaseSync(join(state, 'handrail.sqlite'));
  const insert = database.prepare(`insert into audit_calls
    (call_id, chain, at, session, workspace, trace_id, tool_call_id, dialect, name, outcome, decision, rule, duration_ms, about)
    values (?, 'none', ?, 'ses_seeded', ?, 'trace', ?, 'handrail', 'read', ?, 'allow', 'default', ?, ?)`);
  const newest = Date.now() - 60_000;
  database.exec('begin');
  for (let row = 0; row < ROWS; row++) {
    const outcome = row % 7 === 0 ? 'failed' : 'ok';
    const about = `seeded-${row}.txt`;
    insert.run(`call_${row}`, newest - row * 100, workspace.root, `id_${row}`, outcome, row % 90, about);
  }
  database.exec('commit');
}

/** As a keyboard repeats a key, only faster. */
function holdDown(page: Page, key: string, times: number): Promise<void> {
  return page.evaluate(
    async ([held, count]) => {
      for (let press = 0; press < count; press++) {
        document.body.dispatchEvent(new KeyboardEvent('keydown', { key: held, bubbles: true }));
        await new Promise((resolve) => setTimeout(resolve));
      }
    },
    [key, times] as const,
  );
}

/** Loads so many rows by scrolling to the end again and again. */
function load(page: Page, rows: number): Promise<void> {
  return page.evaluate(async (wanted) => {
    const box = document.querySelector('[role=listbox]')!;
    const count = (): number => Number(box.querySelector('[role=option]')?.ariaSetSize ?? 0);
    while (count() < wanted) {
      box.scrollTop = box.scrollHeight;
      await new Promise(requestAnimationFrame);
    }
  }, rows);
}
