import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { BoundedMessageReader } from '../../../../src/host/local/language/message-reader.ts';

/** What is read of some chunks, and what goes wrong. */
async function read(...chunks: (string | Buffer)[]): Promise<{ messages: unknown[]; errors: string[] }> {
  const stream = new PassThrough();
  const reader = new BoundedMessageReader(stream);
  const messages: unknown[] = [];
  const errors: string[] = [];
  reader.onError((error) => errors.push(error.message));
  reader.listen((message) => messages.push(message));
  const closed = new Promise((resolve) => void stream.once('close', resolve));
  for (const chunk of chunks) stream.write(chunk);
  stream.end();
  await closed;
  return { messages, errors };
}

function framed(message: unknown, header = ''): string {
  const body = JSON.stringify(message);
  return `${header}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
}

describe('BoundedMessageReader', () => {
  it('reads messages however they are cut', async () => {
    const text = framed({ a: 'ä€👍' }) + framed({ b: 2 }, 'Content-Type: x; charset=utf-8\r\n');
    const bytes = Buffer.from(text);
    const expected = { messages: [{ a: 'ä€👍' }, { b: 2 }], errors: [] };
    expect(await read(bytes)).toEqual(expected);
    expect(await read(...Array.from(bytes, (byte) => Buffer.of(byte)))).toEqual(expected);
  });

  it.each([
    [
      'a length that nobody could send',
      'Content-Length: 17000000\r\n\r\n',
      'it sent a message of 17000000 bytes',
    ],
    ['a length that is none', 'Content-Length: -1\r\n\r\n', 'it wrote something that is no message'],
    ['a header without a length', 'Content-Type: x\r\n\r\n{}', 'it wrote something that is no message'],
    ['a header without an end', 'x'.repeat(5_000), 'it wrote something that is no message'],
  ])('stops at %s', async (_title, text, error) => {
    expect(await read(framed({ a: 1 }), text, framed({ b: 2 }))).toEqual({
      messages: [{ a: 1 }],
      errors: [error],
    });
  });

  it('stops at a body that is no JSON', async () => {
    const { messages, errors } = await read('Content-Length: 3\r\n\r\n{a}', framed({ b: 2 }));
    expect({ messages, errors: errors.length }).toEqual({ messages: [], errors: 1 });
  });

  it('stops at a flood of messages', async () => {
    const { messages, errors } = await read(...Array.from({ length: 12_000 }, () => framed({})));
    expect(errors).toEqual(['it sent more than anyone could read']);
    expect(messages.length).toBeLessThan(12_000);
  });
});
