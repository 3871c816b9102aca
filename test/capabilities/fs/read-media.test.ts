/** `fs.readMedia`: what a file is, told by its first bytes. */
import { describe, expect, it } from 'vitest';
import { mediaType } from '../../../src/capabilities/fs/media-type.ts';
import { tempWorkspace } from '../../support/temp-workspace.ts';

const bytes = (text: string): Buffer => Buffer.from(text, 'latin1');

describe('mediaType', () => {
  it.each([
    ['image/png', '\x89PNG\r\n\x1a\n'],
    ['image/jpeg', '\xff\xd8\xff\xe0'],
    ['image/gif', 'GIF87a'],
    ['image/gif', 'GIF89a'],
    ['image/webp', 'RIFF\x01\x02\x03\x04WEBPVP8 '],
    ['audio/wav', 'RIFF\x01\x02\x03\x04WAVEfmt '],
    ['image/avif', '\0\0\0\x20ftypavif'],
    ['video/mp4', '\0\0\0\x20ftypisom'],
    ['video/webm', '\x1a\x45\xdf\xa3'],
    ['image/tiff', 'II*\0'],
    ['image/tiff', 'MM\0*'],
    ['image/bmp', 'BM\x10\0\0\0\0\0\0\0'],
    ['application/pdf', '%PDF-1.7'],
    ['audio/mpeg', 'ID3\x04'],
    ['audio/ogg', 'OggS'],
    ['audio/flac', 'fLaC'],
  ])('knows %s', (type, start) => {
    expect(mediaType(bytes(start))).toBe(type);
    expect(mediaType(bytes(`${start}${'\0'.repeat(100)}`))).toBe(type);
  });

  it.each([
    '',
    'G',
    'GIF',
    '\x89PNG',
    'RIFF',
    'RIFF....AVI ',
    'BM is a text',
    '%PD',
    '<svg/>',
    '{}',
    '\0\0\0\0',
  ])('knows no %j', (start) => {
    expect(mediaType(bytes(start))).toBeUndefined();
  });
});

describe('fs.readMedia', () => {
  it('gives the bytes as they are', async () => {
    const content = bytes(`GIF89a${'\xff\0\x80'.repeat(1_000)}`);
    await using workspace = tempWorkspace();
    workspace.write('called.txt', content);
    const { result } = await (await workspace.runtime()).call('view', { path: 'called.txt' });
    expect(result.payload).toEqual({
      path: 'called.txt',
      mediaType: 'image/gif',
      bytes: content.length,
      data: content.toString('base64'),
    });
  });

  it.each([
    ['d', 'E_NOT_FILE'],
    ['gone', 'E_NOT_FOUND'],
    ['../out/s.txt', 'E_OUTSIDE_WORKSPACE'],
    ['a.txt', 'E_UNSUPPORTED'],
  ])('gives nothing for %s', async (path, code) => {
    await using workspace = tempWorkspace({ 'd/x': '', 'a.txt': 'text' });
    const { result } = await (await workspace.runtime()).call('view', { path });
    expect(result.error?.code).toBe(code);
  });
});
