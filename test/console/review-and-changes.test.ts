/** The review of patches and the way back, in a real browser, by key. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import type { Client } from '../../src/client/index.ts';
import { barriersIn, missingBrowser, openConsole, takePictures } from '../support/browser.ts';
import { consoleGround } from '../support/console.ts';
import { scroll } from '../support/scrolling.ts';
import { shared } from '../support/shared.ts';
import type { Serving } from '../support/serve.ts';
import type { TempWorkspace } from '../support/temp-workspace.ts';

const LINES = 400;
const OLD = Array.from({ length: LINES }, (_, index) => `export const value${index} = ${index};`);
/** Every twentieth line. */
const CHANGED = OLD.map((line, index) => (index % 20 === 10 ? `${line} // changed` : line));
const FILES = ['src/a.ts', 'src/b.ts', 'src/c.ts'];

/** Twenty chunks a file. */
const PATCH = FILES.map((path) => {
  const hunks = OLD.flatMap((line, index) =>
    CHANGED[index] === line ? [] : [`@@ -${index + 1} +${index + 1} @@`, `-${line}`, `+${CHANGED[index]}`],
  );
  return [`--- a/${path}`, `+++ b/${path}`, ...hunks, ''].join('\n');
}).join('');

/** A hundred chunks of 250 lines that change, which are 50,000 lines to read. */
const LARGE = Array.from({ length: 30_000 }, (_, index) => `export const value${index} = compute('old');`);
const LARGE_PATCH = [
  '--- a/src/large.ts',
  '+++ b/src/large.ts',
  ...Array.from({ length: 100 }, (_, chunk) => chunk * 300).flatMap((first) => {
    const lines = LARGE.slice(first, first + 250);
    return [
      `@@ -${first + 1},250 +${first + 1},250 @@`,
      ...lines.map((line) => `-${line}`),
      ...lines.map((line) => `+${line.replace('old', 'new')}`),
    ];
  }),
  '',
].join('\n');

describe.skipIf(missingBrowser !== undefined)('the review of patches, and changes', () => {
  let workspace: TempWorkspace;
  let server: Serving;
  let browser: Browser;
  let agent: Client;

  shared(async (stack) => {
    const files = Object.fromEntries(FILES.map((path) => [path, `${OLD.join('\n')}\n`]));
    const ground = await consoleGround(stack, {
      'one.ts': 'const a = 0;\n',
      'src/large.ts': `${LARGE.join('\n')}\n`,
      ...files,
    });
    ({ workspace, server, browser, person: agent } = ground);
  });

  const held = (path: string): string => readFileSync(join(workspace.root, path), 'utf8');
  const press = async (page: Page, ...keys: readonly string[]): Promise<void> => {
    for (const key of keys) await page.keyboard.press(key);
  };

  /** By day and by night, on a phone and on a desk. */
  async function expectNoBarriers(page: Page): Promise<void> {
    for (const colorScheme of ['light', 'dark'] as const)
      for (const width of [390, 1280]) {
        await page.emulateMedia({ colorScheme });
        await page.setViewportSize({ width, height: 800 });
        expect(await barriersIn(page)).toEqual([]);
      }
  }

  it('takes a patch of 60 chunks by keyboard alone, and what was taken applies', async () => {
    await using opened = await openConsole(browser, server.url, 'approvals');
    const { page, complaints } = opened;
    const call = agent.makeCall({
      tool: 'apply_patch_review',
      args: { diff: PATCH, message: 'Fine so?' },
      session: 'codelab',
      dialect: 'codelab',
    });
    await page.getByRole('button', { name: 'Review 60 chunks' }).waitFor();
    await press(page, 'Enter');
    const status = page.locator('.review-bar').getByRole('status');
    await status.getByText('Chunk 1 of 60, left').waitFor();
    // Only what is in sight is in the page.
    expect(await page.locator('.diff-line').count()).toBeLessThan(200);
    // All but the second file, the third chunk and the last one.
    await press(page, 'a', 'j', 'j', ' ');
    await status.getByText('Chunk 3 of 60, left').waitFor();
    await press(page, 'c');
    await page.getByRole('textbox', { name: 'Comment on chunk 3' }).waitFor();
    await page.keyboard.type('Why this <one>?');
    await press(page, 'Enter');
    await page.locator('.chunk-comment').getByText('Why this <one>?').waitFor();
    for (let at = 3; at < 25; at++) await press(page, 'j');
    await status.getByText('Chunk 25 of 60, taken').waitFor();
    await press(page, 'x');
    await status.getByText('Chunk 25 of 60, left').waitFor();
    for (let at = 25; at < 60; at++) await press(page, 'j');
    await press(page, ' ');
    await status.getByText('Chunk 60 of 60, left').waitFor();
    await page.getByText('Chunk 60 of 60', { exact: true }).waitFor();
    await status.getByText('38 taken, 1 comment').waitFor();
    await press(page, 'v');
    await page.locator('.diff-pair .removed').first().waitFor();
    await takePictures(page, 'console-review');
    await expectNoBarriers(page);
    await press(page, 'Enter');
    await page.getByRole('button', { name: 'Apply 38 of 60' }).waitFor();
    await press(page, 'Enter');
    const { rendered } = (await call) as { rendered: { filtered_diff: string } };
    expect(rendered).toMatchObject({
      action: 'apply',
      chunks_total: 60,
      comments: [{ chunk: 3, text: 'Why this <one>?' }],
    });
    await page.getByText('No patch waits for a review').waitFor();

    const applying = agent.makeCall({
      tool: 'apply_patch',
      args: { diff: rendered.filtered_diff },
      session: 'codelab',
    });
    await press(page, 'g', 'a');
    await page.locator('fieldset:enabled').waitFor();
    await press(page, 'o');
    expect((await applying).outcome).toBe('ok');
    const without = (left: number): string =>
      `${CHANGED.map((line, index) => (index === left * 20 + 10 ? OLD[index] : line)).join('\n')}\n`;
    expect(held('src/a.ts')).toBe(without(2));
    expect(held('src/b.ts')).toBe(`${OLD.join('\n')}\n`);
    expect(held('src/c.ts')).toBe(without(19));
    expect(complaints).toEqual([]);
  });

  it('shows a patch of 50,000 lines, of which only those in sight are in the page', async () => {
    await using opened = await openConsole(browser, server.url, 'review');
    const { page, complaints } = opened;
    const call = agent.makeCall({
      tool: 'apply_patch_review',
      args: { diff: LARGE_PATCH, message: 'Much.' },
      session: 'codelab',
      dialect: 'codelab',
    });
    await page.getByText('Chunk 1 of 100, left').waitFor();
    await page.locator('.diff-line .code-keyword').first().waitFor();
    const down = { box: '.pane-scroller', rows: '.diff-line', pixels: 600 };
    const { shown, words } = await scroll(page, down);
    process.stderr.write(`review: 50000 lines, ${words}\n`);
    expect(shown).toBeLessThan(200);
    const [question] = (await agent.listApprovals()).approvals;
    await agent.answerApproval({ id: question!.id, kind: 'declined' });
    await call;
    expect(complaints).toEqual([]);
  }, 120_000);

  it('takes a turn back after a dry run, leaves alone what somebody changed since, and does it again', async () => {
    const turn = { turn: 'trn_console', mode: 'auto', session: 'work' } as const;
    await agent.makeCall({ tool: 'write', args: { path: 'notes.txt', content: 'by the agent\n' }, ...turn });
    await agent.makeCall({ tool: 'write', args: { path: 'one.ts', content: 'const a = 1;\n' }, ...turn });
    workspace.write('notes.txt', 'mine\n');
    await using opened = await openConsole(browser, server.url, 'changes');
    const { page, complaints } = opened;
    const shown = page.getByRole('region', { name: 'What the turn did' });
    await shown.getByText('It was changed since').waitFor();
    await shown.locator('.added').getByText('const a = 1;').waitFor();
    await press(page, 'u');
    await page.getByText('This would change 1 entry, and leave 1 entry alone').waitFor();
    expect(
      await page.getByRole('list', { name: 'What would be done' }).getByRole('listitem').allTextContents(),
    ).toEqual(['leave alonenotes.txtit was changed since', 'restoreone.ts']);
    await takePictures(page, 'console-undo');
    expect(await barriersIn(page)).toEqual([]);
    await press(page, 'Enter');
    await page.getByText('Took it back: 1 entry, 1 left alone.').waitFor();
    expect(held('one.ts')).toBe('const a = 0;\n');
    expect(held('notes.txt')).toBe('mine\n');

    await page.getByRole('list', { name: 'Turns' }).getByRole('button', { name: 'Undo' }).click();
    await shown.getByRole('button', { name: 'Redo…' }).click();
    await page.getByRole('button', { name: 'Do it again' }).click();
    await shown.getByText('taken back').first().waitFor();
    await expect.poll(() => held('one.ts')).toBe('const a = 1;\n');
    await expectNoBarriers(page);
    expect(complaints).toEqual([]);
  });
});
