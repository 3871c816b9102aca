// Takes the pictures of the console for the documents, from a real run: node scripts/build.js && node scripts/pictures.js
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout } from 'node:timers/promises';
import { chromium } from 'playwright-core';
import { handrailClient } from '../dist/client/index.js';

const PICTURES = 'docs/pictures';
const DESK = { width: 1280, height: 800 };
const PHONE = { width: 390, height: 800 };

const CART = `import type { Item } from './item.ts';

export interface Cart {
  readonly items: readonly Item[];
  readonly voucher?: string;
}

/** What the customer pays, in cents. */
export function total({ items }: Cart): number {
  let sum = 0;
  for (const item of items) sum += item.price * item.count;
  return sum;
}

export function isEmpty({ items }: Cart): boolean {
  return items.length == 0;
}
`;
const CART_WITH_VOUCHERS = CART.replace(
  'total({ items }: Cart): number {\n  let sum = 0;\n  for (const item of items) sum += item.price * item.count;\n  return sum;',
  'total({ items, voucher }: Cart): number {\n  const sum = items.reduce((before, { price, count }) => before + price * count, 0);\n  return Math.round(sum * (1 - discountOf(voucher)));',
).replace("from './item.ts';", "from './item.ts';\nimport { discountOf } from './vouchers.ts';");
const CART_WITH_SHIPPING = CART_WITH_VOUCHERS.replace(
  'return Math.round(sum * (1 - discountOf(voucher)));',
  'const reduced = Math.round(sum * (1 - discountOf(voucher)));\n  return reduced >= FREE_SHIPPING ? reduced : reduced + SHIPPING;',
).replace(
  '/** What the customer pays',
  'const SHIPPING = 490;\nconst FREE_SHIPPING = 5_000;\n\n/** What the customer pays',
);
const VOUCHERS = `const DISCOUNTS = new Map([
  ['WELCOME', 0.1],
  ['SUMMER', 0.2],
]);

/** The part of the sum that a voucher takes off. */
export function discountOf(voucher: string | undefined): number {
  return DISCOUNTS.get(voucher ?? '') ?? 0;
}
`;
const PATCH = `--- a/src/cart.ts
+++ b/src/cart.ts
@@ -15,3 +15,3 @@
 export function isEmpty({ items }: Cart): boolean {
-  return items.length == 0;
+  return items.length === 0;
 }
--- a/src/item.ts
+++ b/src/item.ts
@@ -1,5 +1,6 @@
 export interface Item {
   readonly name: string;
-  readonly price: number;
+  /** In cents. */
+  readonly price: number;
   readonly count: number;
 }
--- /dev/null
+++ b/test/vouchers.test.ts
@@ -0,0 +1,7 @@
+import { expect, it } from 'vitest';
+import { discountOf } from '../src/vouchers.ts';
+
+it('takes nothing off for a voucher that nobody knows', () => {
+  expect(discountOf('FREE')).toBe(0);
+  expect(discountOf(undefined)).toBe(0);
+});
`;

const home = mkdtempSync(join(tmpdir(), 'handrail-pictures-'));
const shop = join(home, 'shop');
for (const [path, text] of Object.entries({
  'src/cart.ts': CART,
  'src/item.ts':
    'export interface Item {\n  readonly name: string;\n  readonly price: number;\n  readonly count: number;\n}\n',
  'README.md': '# Shop\n',
  'package.json': '{ "name": "shop", "type": "module" }\n',
})) {
  mkdirSync(dirname(join(shop, path)), { recursive: true });
  writeFileSync(join(shop, path), text);
}
mkdirSync(PICTURES, { recursive: true });
const { child, url, token } = await serve();
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] });
try {
  await takeAll();
} finally {
  await browser.close();
  child.kill('SIGTERM');
  await new Promise((resolve) => child.on('exit', resolve));
  rmSync(home, { recursive: true, force: true });
}

async function takeAll() {
  const approvalKey = new URLSearchParams(url.hash.slice(1)).get('approve');
  const agent = handrailClient({ url: url.origin, token });
  const person = handrailClient({ url: url.origin, token, approvalKey });
  const page = await browser.newPage({ viewport: DESK });
  await page.goto(url.href);
  await page.getByRole('status').getByText('live', { exact: true }).waitFor();
  const show = (view) => page.evaluate((hash) => location.replace(hash), `#/${view}`);

  const waiting = async (count) => {
    while ((await page.title()) !== `(${count}) Handrail`) await setTimeout(50);
  };

  const work = (tool, args, rest = {}) =>
    person.makeCall({ tool, args, session: 'vouchers', mode: 'auto', ...rest });
  await work('todowrite', {
    todos: [
      { id: '1', content: 'Find where the total is made', status: 'completed', priority: 'high' },
      { id: '2', content: 'Take vouchers into account', status: 'in_progress', priority: 'high' },
      { id: '3', content: 'Test it', status: 'pending', priority: 'medium' },
    ],
  });
  await work('list', { path: '.' });
  await work('grep', { pattern: 'total\\(', path: 'src' });
  await work('read', { path: 'src/cart.ts' });
  await work('read', { path: 'src/basket.ts' });
  await work('write', { path: 'src/vouchers.ts', content: VOUCHERS }, { turn: 'trn_vouchers' });
  await work('write', { path: 'src/cart.ts', content: CART_WITH_VOUCHERS }, { turn: 'trn_vouchers' });
  await work('bash', { command: 'rm -rf ../other-shop' }, { mode: 'read-only', session: 'cleaning' });
  const test = 'echo "✓ vouchers › takes off what it says"; echo "✓ cart › adds up"; echo "2 passed"';
  await work('bash', { command: test });
  await work('display', { content: 'Vouchers count now; tests pass.', level: 'success' });
  await show('live');
  await page.getByRole('option').filter({ hasText: 'okbash' }).click();
  await page.getByText('2 passed').last().waitFor();
  await take(page, 'live');

  await show('changes');
  await page.locator('.diff-line.added').first().waitFor();
  await take(page, 'changes');

  const asked = [
    agent.makeCall({
      tool: 'write',
      args: { path: 'src/cart.ts', content: CART_WITH_SHIPPING },
      session: 'checkout',
    }),
  ];
  await waiting(1);
  const command = 'npm install --save-dev vitest && npx vitest run';
  asked.push(agent.makeCall({ tool: 'bash', args: { command }, session: 'tests' }));
  await waiting(2);
  await show('approvals');
  await page.locator('fieldset:enabled').waitFor();
  await page.locator('.diff-line .code-keyword').first().waitFor();
  await take(page, 'approval');
  await page.setViewportSize(PHONE);
  await page.screenshot({ path: join(PICTURES, 'console-approval-phone.png') });
  await page.setViewportSize(DESK);
  for (const { id } of (await person.listApprovals()).approvals)
    await person.answerApproval({ id, answer: 'deny' });
  await Promise.all(asked);

  const review = agent.makeCall({
    tool: 'apply_patch_review',
    args: { diff: PATCH, message: 'Three small things while I am at it.' },
    session: 'review',
    dialect: 'codelab',
  });
  await waiting(1);
  await show('review');
  await page.locator('.review-bar').waitFor();
  for (const key of ['a', 'j', 'x']) await page.keyboard.press(key);
  await page.locator('.diff-line .code-keyword').first().waitFor();
  await take(page, 'review');
  const [{ id }] = (await person.listApprovals()).approvals;
  await person.answerApproval({ id, kind: 'declined' });
  await review;
}

async function take(page, of) {
  for (const colorScheme of ['dark', 'light']) {
    await page.emulateMedia({ colorScheme });
    await page.screenshot({ path: join(PICTURES, `console-${of}-${colorScheme}.png`) });
  }
}

/** Starts the server with a home of its own. */
async function serve() {
  const env = { PATH: process.env.PATH, HOME: home };
  const args = [join(import.meta.dirname, '../bin/handrail.js'), 'serve', '--port', '0', '--mode', 'ask'];
  const child = spawn(process.execPath, args, { cwd: shop, env, stdio: ['ignore', 'pipe', 'inherit'] });
  let url;
  for await (const line of createInterface({ input: child.stdout })) {
    if (line.startsWith('http://')) url = new URL(line);
    const [, token] = /Bearer (\S+)"$/.exec(line) ?? [];
    if (token !== undefined) return { child, url, token };
  }
  throw new Error('The server printed no address.');
}
