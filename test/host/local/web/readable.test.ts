/** Pages as Markdown, and pages that are made to be no text at all. */
import { describe, expect, it } from 'vitest';
import { readable } from '../../../../src/host/local/web/readable.ts';

const NEVER = new AbortController().signal;
const URL = 'https://site.example/docs/page';
const PARAGRAPH = 'Some words, and a few more of them. '.repeat(8);

async function markdown(html: string): Promise<string> {
  return (await readable(html, URL, NEVER)).markdown;
}

describe('readable', () => {
  it('gives the text of an article without what surrounds it', async () => {
    const html = `<!doctype html><html><head><title>The title</title></head><body>
      <nav><a href="/elsewhere">Elsewhere</a></nav>
      <main><article><h1>Heading</h1><p>${PARAGRAPH}<a href="next">next</a></p><p>${PARAGRAPH}</p>
      <pre><code class="language-js">let a = 1;</code></pre>
      <table><thead><tr><th>A</th><th>B</th></tr></thead><tbody><tr><td>1</td><td>2</td></tr></tbody></table>
      <script>steal()</script></article></main><footer>Footer</footer></body></html>`;
    const { title, markdown } = await readable(html, URL, NEVER);
    const text = PARAGRAPH.trim();
    expect({ title, markdown }).toEqual({
      title: 'The title',
      markdown: [
        '## Heading',
        `${PARAGRAPH}[next](https://site.example/docs/next)`,
        text,
        '```js\nlet a = 1;\n```',
        '| A   | B   |\n| --- | --- |\n| 1   | 2   |',
      ].join('\n\n'),
    });
  });

  it('gives all there is of a page that is no article', async () => {
    const html = '<base href="/b/"><p>One <a href="c">link</a></p><script>x</script><ul><li>a<li>b</ul>';
    expect(await markdown(html)).toBe('One [link](https://site.example/b/c)\n\n-   a\n-   b');
  });

  it('leaves out where a script or data would be', async () => {
    const html = '<p>a <a href="javascript:x">b</a> <img src="data:image/png;base64,AAAA" alt="c"> d</p>';
    expect(await markdown(html)).toBe('a b  d');
  });

  it.each([
    ['is empty', ''],
    ['is not closed', '<html><body'],
    ['holds no element', 'plain'],
  ])('takes a page that %s', async (_, html) => {
    expect(await markdown(html)).toBe(html === 'plain' ? 'plain' : '');
  });

  it.each([
    ['<!doctype html><title>T</title><p>x</p>'],
    ['<html lang=en><meta charset=utf-8><title>T</title><p>x'],
    ['<html><title>T</title><body><p>x</p></body></html>'],
    ['<html><head><title>T</title></head><p>x</p></html>'],
    ['<head><title>T</title></head><body><p>x</p></body>'],
    ['<title>T</title></head></body></html><p>x</p>'],
  ])('reads %s, which leaves out what HTML lets a page leave out', async (html) => {
    expect(await readable(html, URL, NEVER)).toEqual({ title: 'T', markdown: 'x' });
  });

  it('ends with what takes too long', async () => {
    const limits = { timeoutMs: 500, memoryMegabytes: 256 };
    await expect(readable('<div>'.repeat(100_000), URL, NEVER, limits)).rejects.toMatchObject({
      code: 'E_UNSUPPORTED',
      message: 'The page can not be made readable: it takes too long.',
    });
  });

  it('ends with what takes too much memory, and not with the process', async () => {
    const limits = { timeoutMs: 50_000, memoryMegabytes: 24 };
    await expect(readable('<p>a b c</p>'.repeat(300_000), URL, NEVER, limits)).rejects.toMatchObject({
      code: 'E_UNSUPPORTED',
      message: expect.stringContaining('memory') as string,
    });
  });

  it('ends with its caller', async () => {
    const controller = new AbortController();
    const reading = readable('<div>'.repeat(100_000), URL, controller.signal);
    controller.abort();
    await expect(reading).rejects.toMatchObject({ name: 'AbortError' });
  });
});
