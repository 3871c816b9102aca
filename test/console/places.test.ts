/** Processes, tools, policy, projects and the chat, in a real browser. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { type Client, handrailClient } from '../../src/client/index.ts';
import { barriersIn, missingBrowser, openConsole, takePictures } from '../support/browser.ts';
import { consoleGround } from '../support/console.ts';
import { type ModelReply, scriptedModel, type ScriptedModel } from '../support/scripted-model.ts';
import { shared } from '../support/shared.ts';
import type { Serving } from '../support/serve.ts';
import type { TempWorkspace } from '../support/temp-workspace.ts';

const MARKDOWN = `# What it says

It says **old**: see [the docs](https://example.com/) and <b>tags</b> and \u202e.

\`\`\`ts
const it = 'old';
\`\`\`
`;

describe.skipIf(missingBrowser !== undefined)('the other views of the console', () => {
  let workspace: TempWorkspace;
  let model: ScriptedModel;
  let server: Serving;
  let browser: Browser;
  let person: Client;
  let script: ModelReply[] = [];

  shared(async (stack) => {
    model = stack.use(await scriptedModel(() => script.shift() ?? { text: 'Done.' }));
    const environment = { OPENAI_BASE_URL: model.url, HANDRAIL_MODEL: 'scripted' };
    const ground = await consoleGround(stack, { 'a.txt': 'old\n' }, ['--mode', 'ask'], environment);
    ({ workspace, server, browser, person } = ground);
  });

  /** By day and by night, on a desk and on a phone. */
  async function expectNoBarriers(page: Page, of: string): Promise<void> {
    await takePictures(page, of);
    for (const colorScheme of ['dark', 'light'] as const)
      for (const width of [390, 1280]) {
        await page.emulateMedia({ colorScheme });
        await page.setViewportSize({ width, height: 800 });
        expect({ colorScheme, width, barriers: await barriersIn(page) }).toEqual({
          colorScheme,
          width,
          barriers: [],
        });
      }
  }

  it('show a process as it prints, type into it and stop it', async () => {
    await using opened = await openConsole(browser, server.url, 'processes');
    const { page, complaints } = opened;
    await page.getByText('No process runs').waitFor();
    const command = `printf '\\033[32mready\\033[0m\\n'; while read line; do echo "heard $line"; done`;
    const started = await person.makeCall({
      tool: 'run_background',
      args: { command },
      mode: 'auto',
    });
    expect(started).toMatchObject({ outcome: 'ok' });
    const printed = page.getByRole('region', { name: 'What it prints' });
    await printed.getByText('ready', { exact: true }).waitFor();
    await page.getByRole('textbox', { name: 'A line to type into it' }).fill('hello');
    await page.keyboard.press('Enter');
    await printed.getByText('heard hello').waitFor();
    await expectNoBarriers(page, 'console-processes');
    const shown = page.getByRole('region', { name: 'The process' });
    await shown.getByRole('button', { name: 'Stop' }).click();
    await shown.getByText('stopped').waitFor();
    await shown.getByRole('button', { name: 'Stop' }).waitFor({ state: 'detached' });
    expect(complaints).toEqual([]);
  });

  it('try a tool, which is asked about like any other call, in another window', async () => {
    await using opened = await openConsole(browser, server.url, 'tools/write');
    await using other = await openConsole(browser, server.url, 'approvals');
    const { page, complaints } = opened;
    await page.getByLabel('path').fill('tried.txt');
    await page.getByLabel('content').fill('tried\n');
    await page.getByRole('button', { name: 'What would be decided' }).click();
    const decided = page.getByRole('region', { name: 'What would be decided' });
    await decided.getByText('ask', { exact: true }).waitFor();
    await decided.locator('.diff-line.added').getByText('tried').waitFor();
    await expectNoBarriers(page, 'console-tools');
    await page.getByRole('button', { name: 'Call it' }).click();
    await other.page.locator('fieldset:enabled').waitFor();
    await other.page.keyboard.press('o');
    const ended = page.getByRole('region', { name: 'How it ended' });
    await ended.getByText('created tried.txt').waitFor();
    await page.getByRole('searchbox', { name: 'Find a tool' }).fill('nothing is called so');
    await page.getByText('No tool is called that').waitFor();
    expect(complaints).toEqual([]);
  });

  it('explain a policy, and replay what was with another', async () => {
    await person.makeCall({ tool: 'write', args: { path: 'p.txt', content: 'p\n' }, mode: 'auto' });
    await using opened = await openConsole(browser, server.url, 'policy');
    const { page, complaints } = opened;
    await page.getByLabel('Tool').fill('write');
    await page.getByLabel('Arguments').fill('{"path":".git/hooks/pre-commit","content":"x"}');
    await page.getByRole('button', { name: 'Explain' }).click();
    const decided = page.getByRole('region', { name: 'What would be decided' });
    await decided.getByText('deny', { exact: true }).waitFor();
    const settings = page.getByLabel('Your settings, as they could be');
    await settings.fill('{ "rulez": [] }');
    await page.getByRole('button', { name: /^Replay/ }).click();
    await page.getByRole('alert').getByText('rulez').waitFor();
    await settings.fill('{ "rules": [{ "permission": "fs.write", "action": "deny" }] }');
    await page.getByRole('button', { name: /^Replay/ }).click();
    await page.getByRole('table').getByRole('row').filter({ hasText: 'write' }).first().waitFor();
    await expectNoBarriers(page, 'console-policy');
    expect(complaints.filter((text) => !text.includes('400 (Bad Request)'))).toEqual([]);
  });

  it('add a project, look at it, and trust what it brings', async () => {
    for (const { id } of (await person.listProjects()).projects) await person.removeProject({ id });
    const folder = join(workspace.outside, 'shop');
    mkdirSync(join(folder, '.handrail'), { recursive: true });
    writeFileSync(join(folder, '.handrail', 'config.jsonc'), '{ "mode": "reversible" }\n');
    await using opened = await openConsole(browser, server.url, 'projects');
    const { page, complaints } = opened;
    await page.getByText('No project is registered').waitFor();
    const field = page.getByLabel('Add a folder of this machine');
    await field.fill(join(workspace.outside, 'nowhere'));
    await page.getByRole('button', { name: 'Add' }).click();
    await page.getByRole('alert').waitFor();
    await field.fill(folder);
    await page.getByRole('button', { name: 'Add' }).click();
    const row = page.getByRole('listitem').filter({ hasText: folder });
    await row.waitFor();
    await row.getByRole('button', { name: 'Trust…' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('"mode": "reversible"').waitFor();
    await dialog.getByRole('button', { name: 'Trust all of it, as it is' }).click();
    await dialog.getByText(/^Trusted\./).waitFor();
    await page.keyboard.press('Escape');
    await row.getByText('trusted', { exact: true }).waitFor();
    await expectNoBarriers(page, 'console-projects');

    await row.getByRole('button', { name: 'Look at it' }).click();
    await row.getByText('looked at').waitFor();
    const { projects } = await person.listProjects();
    const there = handrailClient({
      url: server.url.origin,
      token: server.token,
      approvalKey: server.approvalKey,
      project: projects[0]!.id,
    });
    await there.makeCall({ tool: 'write', args: { path: 'price.txt', content: '7\n' }, mode: 'auto' });
    await person.makeCall({ tool: 'read', args: { path: 'a.txt' } });
    for (const key of ['g', 'l']) await page.keyboard.press(key);
    const calls = page.getByRole('listbox', { name: 'Calls' }).getByRole('option');
    const elsewhere = calls.filter({ hasText: 'reada.txt' });
    const expectOwn = async (): Promise<void> => {
      await expect.poll(() => elsewhere.count()).toBe(0);
      await calls.filter({ hasText: 'price.txt' }).first().waitFor();
    };
    await expectOwn();
    const whose = page.getByRole('combobox', { name: 'Whose calls' });
    await whose.selectOption('all projects');
    await elsewhere.first().waitFor();
    await whose.selectOption('only shop');
    await expectOwn();
    const project = page.getByRole('combobox', { name: 'Project' });
    await project.selectOption('this workspace');
    await elsewhere.first().waitFor();
    await project.selectOption('shop');
    await expectOwn();
    for (const key of ['g', 'c']) await page.keyboard.press(key);
    await page.getByRole('region', { name: 'What the turn did' }).getByText('price.txt').first().waitFor();
    expect(await page.getByRole('list', { name: 'Turns' }).getByRole('listitem').count()).toBe(1);
    expect(complaints.filter((text) => !/40[04] \(/.test(text))).toEqual([]);
  });

  it('talk with the agent, show its calls, and interrupt it', async () => {
    script = [
      { text: 'I look.', calls: [{ tool: 'read', args: { path: 'a.txt' } }] },
      { text: MARKDOWN },
      { text: 'I think about', hangs: true },
    ];
    await using opened = await openConsole(browser, server.url, 'chat');
    const { page, complaints } = opened;
    const field = page.getByRole('textbox', { name: 'A message to the agent' });
    await field.fill('What does a.txt say?');
    await field.press('Enter');
    const said = page.getByRole('region', { name: 'The conversation' });
    await said.getByRole('heading', { name: 'What it says' }).waitFor();
    await said.locator('strong').getByText('old', { exact: true }).waitFor();
    await said.locator('pre .code-keyword').getByText('const').waitFor();
    await said.getByText('the docs (https://example.com/) and <b>tags</b> and \\u202e').waitFor();
    expect(await said.locator('.markdown :is(a, b)').count()).toBe(0);
    const call = said.locator('details').filter({ hasText: 'read a.txt ok' });
    await call.locator('summary').click();
    await call.getByRole('definition').getByText('old', { exact: true }).waitFor();
    const list = page.getByRole('list', { name: 'Conversations' });
    await list.getByText('What does a.txt say?').first().waitFor();
    await list.getByText('works').waitFor({ state: 'detached' });
    await expectNoBarriers(page, 'console-chat');
    await field.fill('And why?');
    await field.press('Enter');
    await said.getByText('I think about').waitFor();
    await page.getByRole('button', { name: 'Interrupt' }).click();
    await page.getByRole('button', { name: 'Interrupt' }).waitFor({ state: 'detached' });
    await said.getByText('And why?').waitFor();
    await call.getByRole('link', { name: 'All that is known of this call' }).click();
    await page.getByRole('region', { name: 'The call', exact: true }).getByText('allow').waitFor();
    expect(complaints).toEqual([]);
  });
});
