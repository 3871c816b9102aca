/** The encodings of the web: as the bytes, the sender or the page says, or as they look. */
import { describe, expect, it } from 'vitest';
import { decodeText, isHtml } from '../../../src/capabilities/web/decode-text.ts';

const utf16 = (text: string): Buffer => Buffer.from(`\uFEFF${text}`, 'utf16le');
const CYRILLIC = Buffer.from('cff0e8e2e5f22c20eceee920e4eef0eee3eee920e4f0f3e321', 'hex');
const CHINESE = Buffer.from('c4e3bac3a3accac0bde7a1a3d5e2cac7d2bbb6ced6d0cec4cec4d7d6a1a3', 'hex');

describe('decodeText', () => {
  it.each([
    ['UTF-8', Buffer.from('grün'), 'text/plain', 'grün'],
    ['what the sender says', CYRILLIC, 'text/plain; charset=windows-1251', 'Привет, мой дорогой друг!'],
    ['what it says in quotes', CYRILLIC, 'text/plain; charset="cp1251"', 'Привет, мой дорогой друг!'],
    ['a mark of the byte order over what the sender says', utf16('ab'), 'text/plain; charset=utf-8', 'ab'],
    [
      'what a page says',
      Buffer.concat([Buffer.from('<meta charset=gbk>'), CHINESE]),
      'text/html',
      '<meta charset=gbk>你好，世界。这是一段中文文字。',
    ],
    [
      'what XML says',
      Buffer.concat([Buffer.from('<?xml version="1.0" encoding="windows-1251"?>'), CYRILLIC]),
      'application/xml',
      '<?xml version="1.0" encoding="windows-1251"?>Привет, мой дорогой друг!',
    ],
    ['how it looks, of nothing said', CHINESE, 'text/plain', '你好，世界。这是一段中文文字。'],
    [
      'how it looks, of nonsense said',
      CHINESE,
      'text/plain; charset=none-such',
      '你好，世界。这是一段中文文字。',
    ],
    ['UTF-8 of a type that nobody knows', Buffer.from('text'), 'application/x-unknown', 'text'],
    ['UTF-8 of no type', Buffer.from('text'), '', 'text'],
    ['nothing', Buffer.of(), 'application/octet-stream', ''],
  ])('reads %s', async (_, body, type, text) => {
    expect(await decodeText(body, type)).toBe(text);
  });

  it.each([
    ['a picture', Buffer.from('89504e470d0a1a0a00', 'hex'), 'image/png'],
    ['a document', Buffer.from('255044462d312e350a25e2e3cfd3', 'hex'), 'application/pdf'],
    ['bytes', Buffer.from('6100', 'hex'), 'application/octet-stream'],
  ])('refuses %s', async (_, body, type) => {
    await expect(decodeText(body, type)).rejects.toMatchObject({
      code: 'E_ENCODING',
      message: `The answer is ${type}, and no text.`,
    });
  });
});

describe('isHtml', () => {
  it.each([
    ['text/html; charset=utf-8', '', true],
    ['application/xhtml+xml', '', true],
    ['', ' <!DOCTYPE html><p>', true],
    ['text/plain', '<html>', false],
    ['application/json', '{}', false],
  ])('%s with %j: %s', (type, text, expected) => expect(isHtml(type, text)).toBe(expected));
});
