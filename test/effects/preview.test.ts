/** Seeing what a command would do, and then having exactly that. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import type { ApprovalRequest, Approver, Rule, Runtime } from '../../src/index.ts';
import { treeOf } from '../journal/fixtures/tree.ts';
import { approver } from '../support/approver.ts';
import { openQuestions } from '../support/questions.ts';
import { type TempWorkspace, tempWorkspace } from '../support/temp-workspace.ts';

const ENVIRONMENT = { PATH: process.env['PATH'] };
const FILES = 500;
/** Another result each time it is run. */
const REWRITE = `sed -i "s/line/$(date +%N)/" many/*.txt; echo "$RANDOM$(date +%N)" > once.txt`;

function many(): TempWorkspace {
  const names = Array.from({ length: FILES }, (_, index) => `many/${index}.txt`);
  return tempWorkspace(Object.fromEntries(names.map((name) => [name, `line of ${name}\n`])));
}

interface Previewed {
  readonly id: string;
  readonly diff: string;
  readonly changedTotal: number;
}

async function preview(runtime: Runtime, command: string): Promise<Previewed> {
  const { result } = await runtime.call('preview_command', { command });
  if (!result.ok) throw new Error(JSON.stringify(result.error));
  return result.payload as Previewed;
}

describe('exec.preview', () => {
  it('shows what a command that rewrites 500 files would do, and leaves the tree as it was', async () => {
    await using workspace = many();
    const before = treeOf(workspace.root);
    const runtime = await workspace.runtime({ mode: 'reversible', environment: ENVIRONMENT });
    const { diff, changedTotal } = await preview(runtime, 'sed -i s/line/LINE/ many/*.txt; rm many/7.txt');
    expect(treeOf(workspace.root)).toEqual(before);
    expect(changedTotal).toBe(FILES);
    expect(diff).toContain('It changes 500 entries: 499 updated, 1 deleted.');
    expect(diff).toContain('-line of many/10.txt\n+LINE of many/10.txt');
  });

  it('says where there can be no view, and runs nothing', async () => {
    await using workspace = tempWorkspace({ 'a.txt': 'a\n' });
    const bin = join(workspace.outside, 'bin');
    mkdirSync(bin);
    // Everything but what a view is made with.
    for (const name of ['bwrap', 'sh'])
      execFileSync('sh', ['-c', `ln -s "$(command -v ${name})" "${bin}/${name}"`]);
    const runtime = await workspace.runtime({
      mode: 'auto',
      environment: { PATH: bin },
      approve: approver('once'),
    });
    const { result } = await runtime.call('preview_command', { command: 'echo b > a.txt' });
    expect(result.error?.code).toBe('E_UNSUPPORTED');
    expect(treeOf(workspace.root)).toEqual({ 'a.txt': 'file 644 a\n' });
  });

  it('keeps the last eight of a session', async () => {
    await using workspace = tempWorkspace();
    const runtime = await workspace.runtime({ mode: 'reversible', environment: ENVIRONMENT });
    const ids: string[] = [];
    for (let index = 0; index < 9; index++) ids.push((await preview(runtime, `touch ${index}`)).id);
    const gone = await runtime.call('apply_preview', { id: ids[0] });
    expect(gone.result.error?.code).toBe('E_NOT_FOUND');
    expect((await runtime.call('apply_preview', { id: ids[1] })).outcome).toBe('ok');
    const other = await runtime.openSession();
    const theirs = await runtime.call('apply_preview', { id: ids[2] }, { session: other });
    expect(theirs.result.error?.code).toBe('E_NOT_FOUND');
    expect(Object.keys(treeOf(workspace.root))).toEqual(['1']);
  });
});

describe('exec.apply', () => {
  it('gives exactly the tree that was shown, once, and undo takes it back', async () => {
    await using workspace = many();
    const before = treeOf(workspace.root);
    const runtime = await workspace.runtime({ mode: 'reversible', environment: ENVIRONMENT });
    const { id, diff } = await preview(runtime, REWRITE);
    const { result } = await runtime.call('apply_preview', { id });
    expect(result.error).toBeNull();
    const once = readFileSync(join(workspace.root, 'once.txt'), 'utf8');
    expect(diff).toContain(`+${once.trim()}`);
    expect((await runtime.call('apply_preview', { id })).result.error?.code).toBe('E_NOT_FOUND');
    await runtime.undo();
    expect(treeOf(workspace.root)).toEqual(before);
  });

  it('reports a file that was changed by hand in between, and overwrites nothing', async () => {
    await using workspace = many();
    const runtime = await workspace.runtime({ mode: 'reversible', environment: ENVIRONMENT });
    const { id } = await preview(runtime, REWRITE);
    workspace.write('many/3.txt', 'by hand\n');
    const before = treeOf(workspace.root);
    const { result } = await runtime.call('apply_preview', { id });
    expect(result.error).toMatchObject({ code: 'E_CONFLICT', details: { paths: ['many/3.txt'] } });
    expect(treeOf(workspace.root)).toEqual(before);
  });

  it('asks with the diff where the mode wants it', async () => {
    await using workspace = tempWorkspace({ 'a.txt': 'a\n' });
    const approve = approver('once');
    const runtime = await workspace.runtime({ environment: ENVIRONMENT, approve });
    const { id } = await preview(runtime, 'echo b >> a.txt');
    expect((await runtime.call('apply_preview', { id })).outcome).toBe('ok');
    expect(approve.asked.at(-1)?.preview).toEqual({
      kind: 'diff',
      text: '$ echo b >> a.txt\nIt changes 1 entry: 1 updated.\n--- a/a.txt\n+++ b/a.txt\n@@ -1 +1,2 @@\n a\n+b',
    });
  });

  it('finds a preview of a process that has ended', async () => {
    await using workspace = tempWorkspace({ 'a.txt': 'a\n' });
    const { root, locations } = workspace;
    const program = fileURLToPath(new URL('fixtures/preview-once.ts', import.meta.url));
    const said = execFileSync(process.execPath, [
      program,
      root,
      JSON.stringify(locations),
      'ses_kept',
      REWRITE,
    ]);
    const { id } = JSON.parse(said.toString()) as Previewed;
    const runtime = await workspace.runtime({ mode: 'reversible', environment: ENVIRONMENT });
    expect(runtime.recovery.cutShort).toEqual([]);
    const session = await runtime.openSession({ id: 'ses_kept' });
    expect((await runtime.call('apply_preview', { id }, { session })).outcome).toBe('ok');
    expect(Object.keys(treeOf(root))).toContain('once.txt');
  });
});

const PREVIEW: Rule = { action: 'ask', permission: 'proc.exec', preview: true };

/** Says yes after it did something. */
function after(deed: (request: ApprovalRequest) => void, answer: 'once' | 'deny' = 'once'): Approver {
  return async (request) => {
    deed(request);
    return { answer };
  };
}

describe('a rule that wants a preview before asking', () => {
  it('shows what the command did in a view; a yes takes over exactly that', async () => {
    await using workspace = many();
    const before = treeOf(workspace.root);
    let shown = '';
    const approve = after(({ preview: seen }) => {
      shown = seen!.text;
      expect(treeOf(workspace.root)).toEqual(before);
    });
    const runtime = await workspace.runtime({ rules: [PREVIEW], environment: ENVIRONMENT, approve });
    const { outcome, result, effects } = await runtime.call('bash', { command: REWRITE });
    expect([outcome, effects.length]).toEqual(['ok', FILES + 1]);
    expect(result.payload).toMatchObject({ changedTotal: FILES + 1, exitCode: 0 });
    expect(shown).toContain(`+${readFileSync(join(workspace.root, 'once.txt'), 'utf8').trim()}`);
    await runtime.undo();
    expect(treeOf(workspace.root)).toEqual(before);
  });

  it('takes nothing over after a no, or where a file changed while the question was open', async () => {
    await using workspace = tempWorkspace({ 'a.txt': 'a\n' });
    const rules = [PREVIEW];
    const no = await workspace.runtime({ rules, environment: ENVIRONMENT, approve: approver('deny') });
    expect((await no.call('bash', { command: 'echo b > a.txt' })).outcome).toBe('denied');
    expect(treeOf(workspace.root)).toEqual({ 'a.txt': 'file 644 a\n' });
    const approve = after(() => workspace.write('a.txt', 'by hand\n'));
    const late = await workspace.runtime({ rules, environment: ENVIRONMENT, approve });
    const { result } = await late.call('bash', { command: 'echo b > a.txt' });
    expect(result.error).toMatchObject({ code: 'E_CONFLICT', details: { paths: ['a.txt'] } });
    expect(treeOf(workspace.root)).toEqual({ 'a.txt': 'file 644 by hand\n' });
  });

  it('does not try what wants the network, and says so', async () => {
    await using workspace = tempWorkspace();
    const approve = approver('deny');
    const runtime = await workspace.runtime({ rules: [PREVIEW], environment: ENVIRONMENT, approve });
    await runtime.call('bash', { command: 'touch a', network: ['example.org'] });
    expect(approve.asked[0]?.preview?.text).toContain(
      'It was not tried before, because it wants to reach the network.',
    );
  });

  it('lets a caller that could not wait have what was shown, without running it again', async () => {
    await using workspace = tempWorkspace();
    const { locations } = workspace;
    mkdirSync(locations.config);
    writeFileSync(join(locations.config, 'config.jsonc'), '{ "approvals": { "pendingAfterSeconds": 1 } }');
    const options = { rules: [PREVIEW], environment: ENVIRONMENT, readConfig: true, wait: true };
    const runtime = await workspace.runtime(options);
    await using questions = openQuestions(locations.state);
    const session = await runtime.openSession();
    let asked: ApprovalRequest | undefined;
    runtime.subscribe((event) => {
      if (event.type === 'approval-requested') asked = event.request;
    });
    const send = (): ReturnType<Runtime['call']> =>
      runtime.call('bash', { command: 'date +%N > once.txt' }, { session, canWait: false });
    const pending = await send();
    expect(pending.result.error?.code).toBe('E_PENDING');
    const { id, preview: shown, hash } = asked!;
    await questions.answer(id, { answer: 'once' });
    const done = await send();
    expect([done.outcome, asked!.hash]).toEqual(['ok', hash]);
    expect(shown!.text).toContain(`+${readFileSync(join(workspace.root, 'once.txt'), 'utf8').trim()}`);
  });
});
