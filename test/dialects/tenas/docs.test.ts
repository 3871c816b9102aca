/** The tools of `tenas` for office documents: their limits, their pictures, and what is wrong with a file. */
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { RuntimeOptions } from '../../../src/index.ts';
import { documentBytes, packageOf, paragraph, wordParts, workbookParts } from '../../support/documents.ts';
import { speak, type Speaker } from '../fixtures/speak.ts';

interface Image {
  readonly relativePath: string;
  readonly bytes: number;
}

interface Reply {
  readonly ok: boolean;
  readonly data: {
    readonly text: string;
    readonly truncated: boolean;
    readonly images: readonly Image[];
    readonly imagesTruncated: boolean;
    readonly notes?: readonly string[];
  };
  readonly error?: { readonly code: string; readonly message: string };
}

const report = { 'a.docx': documentBytes('report.docx') };

async function speaking(
  files: Readonly<Record<string, string | Uint8Array>>,
  options: Partial<RuntimeOptions> = {},
): Promise<Speaker & { read(tool: string, path: string): Promise<Reply> }> {
  const speaker = await speak('tenas', files, options);
  return {
    ...speaker,
    read: async (tool, path) => (await speaker.reply(tool, { path })) as Reply,
  };
}

describe('tenas file-read-docx', () => {
  it('keeps pictures in the folder of the session, asks nobody, and undo takes them back', async () => {
    await using tenas = await speaking(report);
    const { data } = await tenas.read('file-read-docx', 'a.docx');
    const [image] = data.images;
    expect(image!.relativePath).toMatch(/^\.tenas\/chat\/ses_\w+\/[0-9a-f]{32}\.png$/);
    expect(data.text).toContain(`![a red square](${image!.relativePath})`);
    const file = join(tenas.workspace.root, image!.relativePath);
    expect(readFileSync(file).length).toBe(image!.bytes);
    expect(tenas.asked).toEqual([]);
    await tenas.runtime.undo();
    expect(existsSync(file)).toBe(false);
    expect(readdirSync(tenas.workspace.root)).toEqual(['a.docx']);
  });

  it('has what it kept on record, before and after', async () => {
    await using tenas = await speaking(report);
    const { effects, result } = await tenas.runtime.call('file-read-docx', { path: 'a.docx' });
    const paths = effects.map(({ path }) => path);
    expect(paths.slice(0, 2)).toEqual(['.tenas', '.tenas/chat']);
    expect(effects.every(({ change, reversible }) => change === 'created' && reversible)).toBe(true);
    expect(result.artifacts?.files_changed).toEqual(paths.slice(-1));
    // What is there already is not kept twice.
    const again = await tenas.runtime.call('file-read-docx', { path: 'a.docx' });
    expect(again.effects).toEqual([]);
  });

  it('writes nothing in mode read-only, and says so', async () => {
    await using tenas = await speaking(report, { mode: 'read-only' });
    const { data } = await tenas.read('file-read-docx', 'a.docx');
    expect(data).toMatchObject({
      images: [],
      imagesTruncated: true,
      notes: ['Its pictures were not kept: nothing is written in mode read-only.'],
    });
    expect(data.text).toContain('![a red square](word/media/image1.png)');
    expect(readdirSync(tenas.workspace.root)).toEqual(['a.docx']);
  });

  it('writes nothing where a rule denies it, or behind a link', async () => {
    const rules = [{ action: 'deny', permission: 'fs.write', path: '.tenas/**' }] as const;
    await using denied = await speaking(report, { rules });
    expect((await denied.read('file-read-docx', 'a.docx')).data.notes).toEqual([
      'Its pictures were not kept: the policy does not permit writing to .tenas/chat.',
    ]);
    await using linked = await speaking(report);
    mkdirSync(join(linked.workspace.root, 'src'));
    symlinkSync('src', join(linked.workspace.root, '.tenas'));
    expect((await linked.read('file-read-docx', 'a.docx')).data.notes).toEqual([
      'Its pictures were not kept: .tenas/chat is behind a link.',
    ]);
    expect(readdirSync(join(linked.workspace.root, 'src'))).toEqual([]);
  });

  it('keeps a call that limited itself to reading from writing', async () => {
    await using tenas = await speaking(report);
    const { reply } = await tenas.runtime.execute({
      tool_call_id: 'c1',
      name: 'file-read-docx',
      args: { path: 'a.docx' },
      requested_permissions: ['fs.read'],
    });
    expect((reply as Reply).data.images).toEqual([]);
    expect(readdirSync(tenas.workspace.root)).toEqual(['a.docx']);
  });

  it('gives a session with any id a folder of its own', async () => {
    await using tenas = await speaking(report);
    const session = await tenas.runtime.openSession({ id: '../../out', dialect: 'tenas' });
    const { reply } = await tenas.runtime.call('file-read-docx', { path: 'a.docx' }, { session });
    expect((reply as Reply).data.images[0]!.relativePath).toMatch(/^\.tenas\/chat\/ses_[0-9a-f]{32}\//);
  });

  it('keeps 20 pictures of 10 MiB in all, and only what is one', async () => {
    const png = documentBytes('report.docx');
    const start = Buffer.from('89504e470d0a1a0a', 'hex');
    const pictures = Array.from({ length: 22 }, (_, index) => [
      `word/media/image${index + 1}.png`,
      Buffer.concat([start, Buffer.from(String(index))]),
    ]);
    await using tenas = await speaking({
      'a.docx': packageOf(wordParts('', Object.fromEntries(pictures) as Record<string, Buffer>)),
      'b.docx': packageOf(wordParts('', { 'word/media/image1.png': png })),
    });
    const { data } = await tenas.read('file-read-docx', 'a.docx');
    expect({ kept: data.images.length, imagesTruncated: data.imagesTruncated }).toEqual({
      kept: 20,
      imagesTruncated: true,
    });
    expect((await tenas.read('file-read-docx', 'b.docx')).data.images).toEqual([]);
  });

  it('cuts a text after 200,000 characters, and says so', async () => {
    const body = paragraph('x'.repeat(99)).repeat(3_000);
    await using tenas = await speaking({ 'a.docx': packageOf(wordParts(body)) });
    const { data } = await tenas.read('file-read-docx', 'a.docx');
    expect(data.truncated).toBe(true);
    expect(data.text.length).toBeGreaterThan(199_000);
    expect(data.text.length).toBeLessThanOrEqual(200_000);
  });

  it.each([
    ['a.txt', 'E_UNSUPPORTED', /^Only \.docx files are supported\./],
    ['b.docx', 'E_TOO_LARGE', /more than the 10485760/],
    ['gone.docx', 'E_NOT_FOUND', /^There is no/],
    ['d.docx', 'E_NOT_FILE', /is a directory/],
    ['e.docx', 'E_UNSUPPORTED', /^The document is encrypted\./],
    ['f.docx', 'E_UNSUPPORTED', /it is an old workbook/],
    ['g.docx', 'E_UNSUPPORTED', /damaged or cut off/],
  ])('says what is wrong with %s', async (path, code, message) => {
    await using tenas = await speaking({
      'a.txt': 'text',
      'b.docx': Buffer.alloc(10 * 2 ** 20 + 1),
      'd.docx/x': '',
      'e.docx': documentBytes('encrypted.docx'),
      'f.docx': documentBytes('stock.xls'),
      'g.docx': documentBytes('report.docx').subarray(0, 4_000),
    });
    const { ok, error } = await tenas.read('file-read-docx', path);
    expect({ ok, code: error?.code }).toEqual({ ok: false, code });
    expect(error?.message).toMatch(message);
  });
});

describe('tenas file-read-excel', () => {
  it('reads at most 2000 rows and 200 columns of each sheet, and says so', async () => {
    const wide = `<row r="1">${'<c><v>1</v></c>'.repeat(201)}</row>`;
    const rows = Array.from(
      { length: 2_001 },
      (_, index) => `<row r="${index + 2}"><c><v>${index}</v></c></row>`,
    );
    await using tenas = await speaking({ 'a.xlsx': packageOf(workbookParts(wide + rows.join(''))) });
    const { data } = await tenas.read('file-read-excel', 'a.xlsx');
    const lines = data.text.split('\n');
    expect(data.truncated).toBe(true);
    expect(lines[1]).toBe('(rows 1 to 2000 of 2002; columns after GR left out)');
    expect(lines.length).toBe(2_002);
    expect(lines[2]!.split('\t').length).toBe(200);
  });

  it('keeps pictures of a workbook, and says that there are macros', async () => {
    await using tenas = await speaking({ 'a.xlsm': documentBytes('stock.xlsm') });
    const { data } = await tenas.read('file-read-excel', 'a.xlsm');
    expect(data.images.length).toBe(1);
    expect(data.notes).toEqual(['The document holds macros, which were not run.']);
  });

  it.each([
    ['a.ods', /^Only \.xlsx\/\.xls\/\.xlsm files are supported\./],
    ['b.xlsx', /more than the 20971520/],
  ])('says what is wrong with %s', async (path, message) => {
    await using tenas = await speaking({ 'a.ods': 'x', 'b.xlsx': Buffer.alloc(20 * 2 ** 20 + 1) });
    expect((await tenas.read('file-read-excel', path)).error?.message).toMatch(message);
  });
});
