/** `handrail`'s one tool for documents: pages of every kind, and what it does not read. */
import { describe, expect, it } from 'vitest';
import { documentBytes } from '../../support/documents.ts';
import { speak } from '../fixtures/speak.ts';

describe('handrail read_document', () => {
  it('pages through a PDF, a sheet and a text by what it says comes next', async () => {
    await using handrail = await speak('handrail', {
      'a.pdf': documentBytes('report.pdf'),
      'a.xlsx': documentBytes('stock.xlsx'),
      'a.docx': documentBytes('report.docx'),
    });
    const read = (args: object): Promise<unknown> => handrail.reply('read_document', args);
    expect(await read({ path: 'a.pdf', from: 2, limit: 1 })).toMatchObject({
      text: '# Page 2\nSecond page\nThe end, конец, 结束.i',
      has_more: true,
      next: 3,
      total: 3,
    });
    expect(await read({ path: 'a.xlsx', sheet: '隐藏' })).toMatchObject({
      text: '# Sheet: 隐藏\n(hidden sheet)\nnobody looks here',
      has_more: false,
      total: 1,
    });
    expect(await read({ path: 'a.docx', from: 30 })).toMatchObject({
      text: '[^2]: An endnote.',
      has_more: false,
    });
    expect(handrail.asked).toEqual([]);
  });

  it('reads nothing else', async () => {
    await using handrail = await speak('handrail', { 'a.txt': 'text' });
    expect(await handrail.reply('read_document', { path: 'a.txt' })).toMatchObject({
      ok: false,
      code: 'E_UNSUPPORTED',
      error: expect.stringContaining('Only .xlsx/.xls/.xlsm/.docx/.pdf files are supported.') as string,
    });
  });

  it('reads only what may be read', async () => {
    const rules = [{ action: 'deny', permission: 'fs.read', path: 'secret/**' }] as const;
    await using handrail = await speak(
      'handrail',
      { 'secret/a.docx': documentBytes('report.docx') },
      { rules },
    );
    expect(await handrail.reply('read_document', { path: 'secret/a.docx' })).toMatchObject({
      ok: false,
      denied: true,
    });
  });
});
