/** What the index finds, and in which order. */
import { describe, expect, it } from 'vitest';
import { tempWorkspace } from '../../../support/temp-workspace.ts';
import { indexing } from './fixtures/indexing.ts';

const filler = (count: number): string =>
  Array.from({ length: count }, (_, line) => `  const value${line} = ${line};`).join('\n');

describe('the index of code', () => {
  it('shows the lines that answer, with what is defined there', async () => {
    await using workspace = tempWorkspace({
      'src/a.ts': `${filler(30)}\n\n/** Reads a request. */\nexport function parseRequest(text: string) {\n${filler(20)}\n}\n`,
    });
    await using index = indexing(workspace);
    const answer = await index.ask('where are requests parsed');
    expect(answer).toEqual({
      status: 'ready',
      way: 'index',
      parts: [
        {
          path: 'src/a.ts',
          startLine: 32,
          endLine: 43,
          symbol: 'parseRequest',
          score: expect.any(Number) as number,
          text: `/** Reads a request. */\nexport function parseRequest(text: string) {\n${filler(10)}`,
        },
      ],
    });
  });

  it.each(['sendBatch', 'send_batch', 'SEND_BATCH', 'how is a batch sent: sending batches'])(
    'finds a name by %s',
    async (question) => {
      await using workspace = tempWorkspace({
        'a.ts': 'export function sendBatch() {}\n',
        'b.py': 'def receive_stream():\n    pass\n',
      });
      await using index = indexing(workspace);
      expect(await index.files(question)).toEqual(['a.ts']);
    },
  );

  it('prefers where something is defined to where it is used, tested or told about', async () => {
    const uses = 'openLedger(); openLedger(); openLedger();\n'.repeat(5);
    await using workspace = tempWorkspace({
      'use.ts': uses,
      'test/open-ledger.test.ts': uses,
      'notes.md': 'The openLedger of a bank.\n',
      'z/open.ts': `${filler(40)}\nexport function openLedger() {\n  return 1;\n}\n`,
    });
    await using index = indexing(workspace);
    expect((await index.files('openLedger'))[0]).toBe('z/open.ts');
  });

  it.each([
    ['go', 'func (s *Store) OpenLedger(path string) error {\n'],
    ['rs', 'pub(crate) async fn open_ledger(path: &str) {\n'],
    ['c', 'static int open_ledger(const char *path)\n{\n'],
    ['cpp', 'Ledger Bank::open_ledger(int a) {\n'],
    ['java', '  public static Ledger openLedger(String path) {\n'],
    ['kt', '  suspend fun openLedger(path: String) {\n'],
    ['rb', '  def open_ledger(path)\n'],
    ['sh', 'open_ledger() {\n'],
    ['sql', 'create table if not exists open_ledger (\n'],
    ['md', '## Open ledger\n'],
  ])('knows what is defined in a file of .%s', async (ending, definition) => {
    await using workspace = tempWorkspace({ [`a.${ending}`]: definition });
    await using index = indexing(workspace);
    const answer = await index.ask('open ledger');
    expect(answer).toMatchObject({ parts: [{ symbol: expect.stringMatching(/open.?ledger/i) as string }] });
  });

  it('prefers all of the words to many of one, and words in their order to others', async () => {
    await using workspace = tempWorkspace({
      'a.txt': 'retry retry retry retry retry retry retry\n',
      'b.txt': 'the policy decides, far away somebody has to retry\n',
      'c.txt': 'the retry policy is here, and decides\n',
    });
    await using index = indexing(workspace);
    expect(await index.files('retry policy')).toEqual(['c.txt', 'b.txt', 'a.txt']);
  });

  it('counts the names of files and folders', async () => {
    await using workspace = tempWorkspace({ 'a/x.ts': 'const y = 1;\n', 'billing/x.ts': 'const y = 1;\n' });
    await using index = indexing(workspace);
    expect(await index.files('billing')).toEqual(['billing/x.ts']);
  });

  it('looks at and below the given paths only', async () => {
    const text = 'export const ledger = 1;\n';
    await using workspace = tempWorkspace({
      'a/x.ts': text,
      'a/b/y.ts': text,
      'ab/z.ts': text,
      'c.ts': text,
    });
    await using index = indexing(workspace);
    expect((await index.files('ledger', ['a'])).sort()).toEqual(['a/b/y.ts', 'a/x.ts']);
    expect((await index.files('ledger', ['c.ts', 'a/b'])).sort()).toEqual(['a/b/y.ts', 'c.ts']);
  });

  it('gives as many parts as are wanted, few of each file, and always in the same order', async () => {
    const files = Object.fromEntries(
      Array.from({ length: 9 }, (_, file) => [`f${file}.ts`, `// ledger\n${filler(60)}\n`.repeat(8)]),
    );
    await using workspace = tempWorkspace(files);
    await using index = indexing(workspace);
    const answers = [];
    for (let time = 0; time < 3; time++) answers.push(await index.ask('ledger', { limit: 20 }));
    expect(answers[1]).toEqual(answers[0]);
    expect(answers[2]).toEqual(answers[0]);
    const paths = answers[0]!.status === 'ready' ? answers[0]!.parts.map(({ path }) => path) : [];
    expect(paths).toHaveLength(20);
    const ofEach = [...new Set(paths)].map((path) => paths.filter((one) => one === path).length);
    expect(Math.max(...ofEach)).toBe(3);
  });

  it('finds text without spaces by a part of it', async () => {
    await using workspace = tempWorkspace({
      'a.py': '# 每次工具调用必须写一条结构化日志\n',
      'b.py': '# 文件\n',
    });
    await using index = indexing(workspace);
    expect(await index.files('结构化日志')).toEqual(['a.py']);
  });

  it('takes what is special to a query of SQLite for text', async () => {
    await using workspace = tempWorkspace({ 'a.ts': 'near ledger\n' });
    await using index = indexing(workspace);
    expect(await index.files('NEAR("ledger" AND text:* -x) OR ^ledger\' --')).toEqual(['a.ts']);
  });

  it('says that it is being built to who does not wait', async () => {
    await using workspace = tempWorkspace({ 'a.ts': 'ledger\n' });
    await using index = indexing(workspace, { patienceMs: 0 });
    expect(await index.ask('ledger')).toEqual({
      status: 'unavailable',
      note: expect.stringMatching(/^The index is being built/) as string,
    });
  });

  it('ends a question that was cancelled, and answers the next', async () => {
    await using workspace = tempWorkspace({ 'a.ts': 'ledger\n' });
    await using index = indexing(workspace);
    const signal = AbortSignal.abort(new Error('enough'));
    await expect(index.find({ question: 'ledger', paths: ['.'], limit: 1, signal })).rejects.toThrow(
      'enough',
    );
    expect(await index.files('ledger')).toEqual(['a.ts']);
  });
});
