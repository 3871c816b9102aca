/** Pages that are cut to fit a reply: whoever reads them has to know that something is missing. */
import { describe, expect, it } from 'vitest';
import { speak } from '../../dialects/fixtures/speak.ts';

describe('a page that does not fit into a reply', () => {
  it('of coder is not said to be complete', async () => {
    const lines = Array.from({ length: 200 }, () => '"'.repeat(1_000));
    await using coder = await speak('coder', { 'a.txt': lines.join('\n') });
    const page = (await coder.reply('read', { path: 'a.txt', limit: 200 })) as {
      content: string;
      end_line: number;
      has_more: boolean;
    };
    const shown = page.content.split('\n').length;
    expect({ end: page.end_line, isWhole: !page.has_more }).toEqual({ end: shown, isWhole: shown === 200 });
  });

  it('of handrail is not said to be complete', async () => {
    const lines = Array.from({ length: 50 }, () => '\u0001'.repeat(1_000));
    await using handrail = await speak('handrail', { 'a.txt': lines.join('\n') });
    const page = (await handrail.reply('read', { path: 'a.txt' })) as {
      content: string;
      end_line: number;
      has_more: boolean;
    };
    const shown = page.content.split('\n').length;
    expect({ end: page.end_line, isWhole: !page.has_more }).toEqual({ end: shown, isWhole: shown === 50 });
  });

  it('of clude is not said to be complete', async () => {
    const text = Array.from({ length: 90 }, () => '\u0001'.repeat(9_999)).join('\n');
    await using clude = await speak('clude', { 'a.txt': text });
    const { payload } = (await clude.reply('read_file', { path: 'a.txt' })) as {
      payload: { text: string; truncated: boolean; warning?: string };
    };
    expect(payload.truncated || payload.warning !== undefined).toBe(payload.text.length < text.length);
  });

  it('of several files leaves out none of them', async () => {
    const text = Array.from({ length: 50 }, () => '\u0001'.repeat(1_000)).join('\n');
    await using handrail = await speak('handrail', { 'a.txt': text, 'b.txt': text, 'c.txt': text });
    const { files } = (await handrail.reply('read_files', { paths: ['a.txt', 'b.txt', 'c.txt'] })) as {
      files: { path: string }[];
    };
    expect(files.map(({ path }) => path)).toEqual(['a.txt', 'b.txt', 'c.txt']);
  });
});

describe('a page with a very long line', () => {
  it.each([
    ['coder', 'read'],
    ['handrail', 'read'],
  ])('of %s says that more lines follow, or gives them', async (dialect, tool) => {
    await using speaker = await speak(dialect, { 'a.txt': `${'x'.repeat(5_000_000)}\nshort` });
    const page = (await speaker.reply(tool, { path: 'a.txt' })) as { end_line: number; has_more: boolean };
    expect([page.end_line, page.has_more]).toEqual(page.end_line === 2 ? [2, false] : [1, true]);
  });
});
