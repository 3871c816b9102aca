/** Pages in a real browser, as people see them. */
import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import axe from 'axe-core';
import { type Browser, chromium, type Page } from 'playwright-core';
import { expect } from 'vitest';

const CHROMIUM = '/usr/bin/chromium';
const PICTURES = join(import.meta.dirname, '../../.tmp/pages');

/** Why there is no browser here; undefined where there is one. */
export const missingBrowser =
  spawnSync(CHROMIUM, ['--version']).status === 0 ? undefined : 'chromium is not installed';
if (missingBrowser !== undefined) process.stderr.write(`The page is not tested: ${missingBrowser}.\n`);

/** Starts the browser. */
export function startBrowser(): Promise<Browser> {
  mkdirSync(PICTURES, { recursive: true });
  // Its own sandbox needs rights that root in a container lacks; the pages here are ours alone.
  return chromium.launch({
    executablePath: CHROMIUM,
    args: ['--no-sandbox'],
    // A page that changes its address too often is held up, as it is for everybody.
    ignoreDefaultArgs: ['--disable-ipc-flooding-protection'],
  });
}

export interface OpenedPage extends AsyncDisposable {
  readonly page: Page;
  /** What its console said, and what it asked of other servers. */
  readonly complaints: readonly string[];
}

/** Opens a view of the console of a server, and waits until it follows what happens. */
export async function openConsole(browser: Browser, url: URL, view: string): Promise<OpenedPage> {
  const opened = await watchedPage(browser, url);
  const { page } = opened;
  await page.goto(url.href);
  await page
    .getByRole('status')
    .getByText(/^live\b/)
    .waitFor();
  await page.evaluate((hash) => location.replace(hash), `#/${view}`);
  return opened;
}

async function watchedPage(browser: Browser, { origin }: URL): Promise<OpenedPage> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('console', (message) => complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('request', (request) => {
    if (!request.url().startsWith(origin)) complaints.push(request.url());
  });
  return { page, complaints, [Symbol.asyncDispose]: () => context.close() };
}

/** What makes a page hard to use for who can't see it, or has no mouse: each rule, with the elements that break it. */
export async function barriersIn(page: Page): Promise<string[]> {
  if (await page.evaluate(() => !('axe' in globalThis))) await page.evaluate(axe.source);
  const { violations } = await page.evaluate(() =>
    (globalThis as unknown as { axe: typeof axe }).axe.run({ resultTypes: ['violations'], preload: false }),
  );
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
}

/** By day, by night, and as wide as a phone; nothing sticks out at the side. The pictures are kept where HANDRAIL_PICTURES says so. */
export async function takePictures(page: Page, of: string): Promise<void> {
  for (const [name, colorScheme, width] of [
    ['phone', 'light', 390],
    ['dark', 'dark', 1280],
    ['light', 'light', 1280],
  ] as const) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: 800 });
    const path = join(PICTURES, `${of}-${name}.png`);
    if (process.env['HANDRAIL_PICTURES'] !== undefined) await page.screenshot({ path, fullPage: true });
    await expect.poll(() => page.locator('html').evaluate(({ scrollWidth }) => scrollWidth)).toBe(width);
  }
}
