/** `search.code` through a runtime: what the policy says counts for every part that is shown. */
import { existsSync, readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Config } from '../../../src/config/schema.ts';
import { trust, trustContent } from '../../../src/config/trust.ts';
import { localHost } from '../../../src/host/local/host.ts';
import type { Rule } from '../../../src/index.ts';
import { openState } from '../../../src/open-state.ts';
import { approver } from '../../support/approver.ts';
import { embeddingServer } from '../../support/embedding-server.ts';
import { searchSettings } from '../../support/search-settings.ts';
import { type TempWorkspace, tempWorkspace } from '../../support/temp-workspace.ts';

interface Reply {
  readonly ok: boolean;
  readonly code?: string;
  readonly engine?: string;
  readonly note?: string;
  readonly results?: readonly { readonly path: string; readonly text: string }[];
}

type Ask = (query: string, more?: object) => Promise<Reply>;

async function asking(
  workspace: TempWorkspace,
  { rules = [], search }: { rules?: readonly Rule[]; search?: Config['search'] } = {},
): Promise<Ask> {
  const approve = approver('once');
  const runtime = await workspace.runtime({ approve, rules, ...searchSettings(workspace, search) });
  return async (query, more = {}) => (await runtime.call('code_search', { query, ...more })).reply as Reply;
}

async function trustIn({ root, locations }: TempWorkspace): Promise<void> {
  await using state = openState(locations);
  using host = localHost(root, locations.home).host;
  await trust(state.store.database, host.clock, root, (await trustContent(host.files))!);
}

const pathsOf = ({ results = [] }: Reply): string[] => results.map(({ path }) => path).sort();
const FOUND = 'const ledger = 1;\n';

describe('search.code', () => {
  it('answers by grep for the words while the index is being built, and says so', async () => {
    await using workspace = tempWorkspace({
      'a.ts': `one\ntwo\nthree\nfour\nexport function sendBatch() {}\nsix\n`,
      'b.ts': 'batch\n',
      'c.ts': 'nothing\n',
    });
    const ask = await asking(workspace, { search: { waitSeconds: 0 } });
    expect(await ask('how are batches sent: send')).toEqual({
      ok: true,
      engine: 'grep',
      note: expect.stringMatching(
        /^The index is being built.*\. Searched by grep for the words\.$/,
      ) as string,
      results: [
        {
          path: 'a.ts',
          start_line: 2,
          end_line: 6,
          score: expect.any(Number) as number,
          text: 'two\nthree\nfour\nexport function sendBatch() {}\nsix',
        },
        { path: 'b.ts', start_line: 1, end_line: 1, score: expect.any(Number) as number, text: 'batch' },
      ],
    });
  });

  it('answers by grep where the index is switched off, and keeps none', async () => {
    await using workspace = tempWorkspace({ 'a.ts': FOUND });
    const ask = await asking(workspace, { search: { index: 'never' } });
    expect(await ask('ledger')).toMatchObject({
      engine: 'grep',
      note: 'The index is switched off in the settings. Searched by grep for the words.',
      results: [{ path: 'a.ts' }],
    });
    expect(existsSync(join(workspace.locations.state, 'code-index'))).toBe(false);
  });

  it.each(['!=', 'x', '->'])('looks for %s as it is, since it has no word', async (query) => {
    await using workspace = tempWorkspace({ 'a.ts': 'if (a != x->b) c;\n', 'b.ts': 'nothing\n' });
    const ask = await asking(workspace);
    const reply = await ask(query);
    expect([reply.engine, pathsOf(reply)]).toEqual(['grep', ['a.ts']]);
  });

  it('shows nothing of files that a rule denies, before the index knew the rule or after', async () => {
    await using workspace = tempWorkspace({ 'a.ts': FOUND, 'vault/b.ts': FOUND });
    const open = await asking(workspace);
    expect(pathsOf(await open('ledger'))).toEqual(['a.ts', 'vault/b.ts']);
    const rules: Rule[] = [{ action: 'deny', permission: 'fs.read', path: 'vault/' }];
    const closed = await asking(workspace, { rules });
    expect(pathsOf(await closed('ledger'))).toEqual(['a.ts']);
    expect(await closed('ledger', { paths: ['vault'] })).toMatchObject({
      ok: false,
      code: 'E_POLICY_DENIED',
    });
  });

  it('shows nothing of files that would be asked about, unless the question names them', async () => {
    await using workspace = tempWorkspace({
      'a.ts': FOUND,
      '.env': FOUND,
      'd/id_rsa': FOUND,
      'd/b.ts': FOUND,
    });
    const ask = await asking(workspace);
    expect(pathsOf(await ask('ledger'))).toEqual(['a.ts', 'd/b.ts']);
    expect(pathsOf(await ask('ledger', { paths: ['d'] }))).toEqual(['d/b.ts']);
    // Somebody said yes to that one.
    expect(await ask('ledger', { paths: ['.env'] })).toMatchObject({
      engine: 'grep',
      note: 'Nothing at ".env" is in the index. Searched by grep for the words.',
      results: [{ path: '.env' }],
    });
  });

  it('never shows what lies in an .ssh folder', async () => {
    await using workspace = tempWorkspace({ 'a.ts': FOUND, 'd/.ssh/config': FOUND });
    const ask = await asking(workspace);
    expect(pathsOf(await ask('ledger'))).toEqual(['a.ts']);
  });

  it('looks behind a link that it is given, and behind no other', async () => {
    await using workspace = tempWorkspace({ 'real/a.ts': FOUND });
    symlinkSync('real', join(workspace.root, 'link'));
    symlinkSync(workspace.outside, join(workspace.root, 'leaving'));
    writeFileSync(join(workspace.outside, 'o.ts'), FOUND);
    const ask = await asking(workspace);
    expect(pathsOf(await ask('ledger', { paths: ['link'] }))).toEqual(['real/a.ts']);
    expect(pathsOf(await ask('ledger'))).toEqual(['real/a.ts']);
    expect(await ask('ledger', { paths: ['leaving'] })).toMatchObject({ code: 'E_OUTSIDE_WORKSPACE' });
  });

  it('searches an ignored folder that it is given by grep', async () => {
    await using workspace = tempWorkspace({ '.gitignore': 'built\n', 'built/a.ts': FOUND, 'b.ts': FOUND });
    const ask = await asking(workspace);
    expect(pathsOf(await ask('ledger'))).toEqual(['b.ts']);
    expect(await ask('ledger', { paths: ['built'] })).toMatchObject({
      engine: 'grep',
      results: [{ path: 'built/a.ts' }],
    });
  });

  it('says that a place is not there', async () => {
    await using workspace = tempWorkspace({ 'a.ts': FOUND });
    const ask = await asking(workspace);
    expect(await ask('ledger', { paths: ['gone'] })).toMatchObject({ ok: false, code: 'E_NOT_FOUND' });
  });

  it('knows what another tool of ours changed', async () => {
    await using workspace = tempWorkspace({ 'a.ts': FOUND });
    const runtime = await workspace.runtime({ approve: approver('once'), ...searchSettings(workspace) });
    const found = async (query: string): Promise<string[]> =>
      pathsOf((await runtime.call('code_search', { query })).reply as Reply);
    expect(await found('ledger')).toEqual(['a.ts']);
    await runtime.call('write', { path: 'd/b.ts', content: FOUND });
    expect(await found('ledger')).toEqual(['a.ts', 'd/b.ts']);
    await runtime.call('edit', { path: 'a.ts', old_string: 'ledger', new_string: 'wallet' });
    expect(await found('ledger')).toEqual(['d/b.ts']);
    expect(await found('wallet')).toEqual(['a.ts']);
    await runtime.call('delete', { path: 'd' });
    expect(await found('ledger')).toEqual([]);
    // All of it was one turn.
    await runtime.undo({ last: 1 });
    expect(await found('ledger')).toEqual(['a.ts']);
  });

  it('keeps a private index outside the workspace', async () => {
    await using workspace = tempWorkspace({ 'a.ts': FOUND });
    const ask = await asking(workspace);
    await ask('ledger');
    const folder = join(workspace.locations.state, 'code-index');
    const modes = [folder, ...readdirSync(folder).map((name) => join(folder, name))].map(
      (place) => statSync(place).mode & 0o077,
    );
    expect(new Set(modes)).toEqual(new Set([0]));
    expect(readdirSync(workspace.root)).toEqual(['a.ts']);
  });

  it("embeds where the user's settings say, never where a trusted project does", async () => {
    await using server = await embeddingServer();
    const embeddings = { endpoint: server.endpoint, model: 'words' };
    await using workspace = tempWorkspace({
      'a.ts': FOUND,
      '.handrail/config.jsonc': JSON.stringify({ search: { embeddings } }),
    });
    await trustIn(workspace);
    const own = await asking(workspace);
    expect(await own('ledger')).toMatchObject({ engine: 'index' });
    expect(server.asked).toEqual([]);
    const users = await asking(workspace, { search: { waitSeconds: 600, embeddings } });
    expect(await users('ledger')).toMatchObject({ engine: 'index+embeddings' });
  });

  it('sends no part that looks as if it held a secret', async () => {
    await using server = await embeddingServer();
    const key = `ghp_${'a1B2'.repeat(9)}`;
    await using workspace = tempWorkspace({ 'a.ts': FOUND, 'b.ts': `const token = '${key}';\n` });
    const search = { waitSeconds: 600, embeddings: { endpoint: server.endpoint, model: 'words' } };
    const ask = await asking(workspace, { search });
    let reply = await ask('ledger');
    while (reply.note !== undefined) reply = await ask('ledger');
    expect(server.texts.some((text) => text.startsWith('a.ts'))).toBe(true);
    expect(server.texts.join('\n')).not.toContain(key);
  });
});
