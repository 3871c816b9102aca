/** `codebase_search` of `clude`. */
import { describe, expect, it } from 'vitest';
import { approver } from '../../support/approver.ts';
import { searchSettings } from '../../support/search-settings.ts';
import { tempWorkspace } from '../../support/temp-workspace.ts';
import { failed, succeeded } from './fixtures/results.ts';

async function answering(files: Readonly<Record<string, string>>) {
  const workspace = tempWorkspace(files);
  const approve = approver('once');
  const runtime = await workspace.runtime({ dialect: 'clude', approve, ...searchSettings(workspace) });
  return {
    asked: approve.asked,
    reply: async (args: object) =>
      (await runtime.execute({ tool_call_id: 'c1', name: 'codebase_search', args })).reply,
    [Symbol.asyncDispose]: () => workspace[Symbol.asyncDispose](),
  };
}

describe('clude codebase_search', () => {
  it('says how it searched, gives parts with their places, and asks nobody', async () => {
    await using clude = await answering({
      'a/b.py': 'def send_batch(items):\n    return items\n',
      'c.py': 'x = 1\n',
    });
    expect(await clude.reply({ query: 'where is a batch sent', target_directories: [] })).toEqual(
      succeeded({
        engine: 'index',
        results: [
          {
            path: 'a/b.py',
            start_line: 1,
            end_line: 2,
            score: expect.any(Number) as number,
            symbol: 'send_batch',
            snippet: 'def send_batch(items):\n    return items',
          },
        ],
      }),
    );
    expect(clude.asked).toEqual([]);
  });

  it('looks in the target directories, all of the workspace where one is empty', async () => {
    const text = 'ledger = 1\n';
    await using clude = await answering({ 'a/x.py': text, 'b/y.py': text, 'c/z.py': text });
    const paths = async (target_directories: string[]): Promise<string[]> => {
      const reply = (await clude.reply({ query: 'ledger', target_directories })) as {
        payload: { results: { path: string }[] };
      };
      return reply.payload.results.map(({ path }) => path);
    };
    expect(await paths(['a', 'c/'])).toEqual(['a/x.py', 'c/z.py']);
    expect(await paths([''])).toEqual(['a/x.py', 'b/y.py', 'c/z.py']);
  });

  it('gives ten parts at most, the equally good ones in the order of their names', async () => {
    const files = Object.fromEntries(
      Array.from({ length: 15 }, (_, at) => [`f${10 + at}.py`, 'ledger = 1\n']),
    );
    await using clude = await answering(files);
    expect(await clude.reply({ query: 'ledger', target_directories: [] })).toMatchObject({
      payload: { results: Array.from({ length: 10 }, (_, at) => ({ path: `f${10 + at}.py` })) },
    });
  });

  it.each([
    [{ target_directories: [] }, /query/],
    [{ query: 'a b' }, /target_directories/],
    [{ query: '', target_directories: [] }, /query/],
    [{ query: 'a b', target_directories: 'src' }, /target_directories/],
    [{ query: 'a b', target_directories: [], max_results: 3 }, /max_results/],
    [{ query: 'a\0b', target_directories: [] }, /no text file/],
  ])('refuses %j', async (args, why) => {
    await using clude = await answering({ 'a.py': '' });
    expect(await clude.reply(args)).toEqual(failed('E_INVALID_ARGS', why));
  });

  it.each([
    ['..', 'E_OUTSIDE_WORKSPACE', /outside/],
    ['/etc', 'E_INVALID_ARGS', /absolute/],
    ['gone', 'E_NOT_FOUND', /"gone"/],
  ])('refuses the directory %s', async (directory, code, why) => {
    await using clude = await answering({ 'a.py': '' });
    expect(await clude.reply({ query: 'ledger', target_directories: [directory] })).toEqual(
      failed(code, why),
    );
  });
});
