/** The documents port: real documents of an office program, what is wrong with others, and how the parser's process is kept. */
import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import { localDocuments } from '../../../../src/host/local/documents/documents.ts';
import type { DocumentPart, DocumentText } from '../../../../src/host/ports.ts';
import { documentBytes, packageOf, report, STOCK, wanting, wordParts } from '../../../support/documents.ts';

const NEVER = new AbortController().signal;
const documents = localDocuments();
afterAll(() => documents[Symbol.dispose]());

function read(bytes: Uint8Array, extension: string, part: Partial<DocumentPart> = {}): Promise<DocumentText> {
  return documents.read(wanting(extension, part), async () => bytes, { signal: NEVER });
}

describe('localDocuments', () => {
  it.each(['.xlsx', '.xls', '.xlsm'])(
    'reads a workbook (%s) as its maker filled it, and says what is merged or hidden',
    async (extension) => {
      const { text, sheets, isCut } = await read(documentBytes(`stock${extension}`), extension);
      expect(text).toBe(STOCK);
      expect({ sheets, isCut }).toEqual({
        sheets: [
          { name: 'Склад 仓库', isHidden: false },
          { name: '隐藏', isHidden: true },
          { name: 'Empty', isHidden: false },
        ],
        isCut: false,
      });
    },
  );

  it('reads a text document as Markdown, with its notes, and takes its pictures out', async () => {
    const { text, pictures, total } = await read(documentBytes('report.docx'), '.docx');
    expect(text).toBe(report('word/media/image1.png'));
    expect(total).toBe(30);
    expect(pictures.map(({ name }) => name)).toEqual(['word/media/image1.png']);
    expect(Buffer.from(pictures[0]!.bytes).subarray(1, 4).toString()).toBe('PNG');
  });

  it('reads the pages of a PDF', async () => {
    const bytes = documentBytes('report.pdf');
    const { text, total } = await read(bytes, '.pdf');
    expect(total).toBe(3);
    for (const words of ['Отчёт 报告 Report', '• Первый', '内部', 'Имя 数 a|b', 'A footnote, сноска, 脚注.'])
      expect(text).toContain(words);
    const second = await read(bytes, '.pdf', { from: 2, count: 1 });
    expect({ text: second.text, next: second.next, isCut: second.isCut }).toEqual({
      text: '# Page 2\nSecond page\nThe end, конец, 结束.i',
      next: 3,
      isCut: true,
    });
  });

  it('says of macros that there are some', async () => {
    expect((await read(documentBytes('stock.xlsm'), '.xlsm')).notes).toEqual([
      'The document holds macros, which were not run.',
    ]);
    expect((await read(documentBytes('stock.xlsx'), '.xlsx')).notes).toEqual([]);
  });

  it.each(['.xlsx', '.xls', '.docx', '.pdf'])(
    'says of a document (%s) that it is encrypted',
    async (kind) => {
      await expect(read(documentBytes(`encrypted${kind}`), kind)).rejects.toMatchObject({
        code: 'E_UNSUPPORTED',
        message: 'The document is encrypted.',
        details: { reason: 'encrypted' },
      });
    },
  );

  it.each(['stock.xlsx', 'stock.xls', 'report.docx', 'report.pdf'])(
    'says of a document (%s) that it was cut off, wherever that was',
    async (name) => {
      const whole = documentBytes(name);
      const extension = name.slice(name.indexOf('.'));
      for (const share of [0.1, 0.5, 0.9]) {
        const cut = whole.subarray(0, Math.floor(whole.length * share));
        const said = await read(cut, extension).catch((error: { details?: object }) => error.details);
        // What is left of a PDF or an old workbook may still be read in part; nothing is made up.
        const inPart = /^\.(?:pdf|xls)$/.test(extension) ? ['pdf', 'spreadsheet'] : [];
        expect(said).toSatisfy(
          (found: { reason?: string; kind?: string }) =>
            found.reason === 'damaged' || inPart.includes(found.kind ?? ''),
        );
      }
    },
  );

  it.each([
    ['report.pdf', '.xlsx', 'a PDF'],
    ['report.docx', '.xlsx', 'a text document (.docx)'],
    ['stock.xlsx', '.docx', 'a workbook (.xlsx)'],
    ['stock.xlsx', '.xls', 'a workbook (.xlsx)'],
    ['stock.xls', '.xlsx', 'an old workbook (.xls)'],
    ['report.doc', '.docx', 'an old binary document (such as .doc)'],
    ['report.doc', '.xls', 'an old binary document (such as .doc)'],
    ['stock.xlsx', '.pdf', 'a workbook (.xlsx)'],
    ['README.md', '.docx', 'not an office document or PDF at all'],
  ])('says of %s that it is called %s, but is %s', async (name, extension, what) => {
    await expect(read(documentBytes(name), extension)).rejects.toMatchObject({
      message: `The file is not what its name (${extension}) says: it is ${what}.`,
      details: { reason: 'renamed' },
    });
  });

  it('names the sheets where there is none of that name', async () => {
    await expect(read(documentBytes('stock.xlsx'), '.xlsx', { sheet: 'Lager' })).rejects.toMatchObject({
      code: 'E_NOT_FOUND',
      hint: 'Its sheets are "Склад 仓库", "隐藏", "Empty".',
    });
  });

  it('reads one sheet from a row on, and says where to go on', async () => {
    for (const extension of ['.xlsx', '.xls']) {
      const part = { sheet: 'склад 仓库', from: 3, count: 2 };
      const { text, next, total } = await read(documentBytes(`stock${extension}`), extension, part);
      expect({ lines: text.split('\n').slice(1), next, total }).toEqual({
        lines: [
          '(rows 3 to 4 of 10; hidden columns: F)',
          'Гвоздь\t120\t0.25\t2024-02-29\t2024-02-29 15:30:00\ta hidden word\t0.125\t30',
          '螺丝\t7\t12.5\t1999-12-31\t2024-03-01 00:00:30\tx\t1\t87.5',
        ],
        next: 5,
        total: 10,
      });
    }
  });

  it('goes on after a document that ended its parser', async () => {
    using own = localDocuments({ timeoutMs: 1 });
    const slow = own.read(wanting('.docx'), async () => documentBytes('report.docx'), { signal: NEVER });
    await expect(slow).rejects.toMatchObject({ code: 'E_TOOL_TIMEOUT', details: { reason: 'limit' } });
    const cancelling = new AbortController();
    const cancelled = documents.read(
      wanting('.docx'),
      async () => {
        cancelling.abort();
        return documentBytes('report.docx');
      },
      { signal: cancelling.signal },
    );
    await expect(cancelled).rejects.toMatchObject({ code: 'E_CANCELLED' });
    expect((await read(documentBytes('report.docx'), '.docx')).kind).toBe('word');
  });

  it('reads one after the other, and refuses what would wait too long', async () => {
    using own = localDocuments({ waiting: 2 });
    let loading = 0;
    let most = 0;
    const one = (): Promise<DocumentText> =>
      own.read(
        wanting('.docx'),
        async () => {
          most = Math.max(most, ++loading);
          await Promise.resolve();
          loading--;
          return packageOf(wordParts('<w:p/>'));
        },
        { signal: NEVER },
      );
    const ended = await Promise.allSettled([one(), one(), one(), one()]);
    expect(ended.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'fulfilled', 'rejected']);
    expect(most).toBe(1);
  });

  it('leaves no parser behind', async () => {
    const others = childrenOf(process.pid);
    const own = localDocuments();
    await own.read(wanting('.docx'), async () => documentBytes('report.docx'), { signal: NEVER });
    const mine = childrenOf(process.pid).filter((pid) => isParser(pid) && !others.includes(pid));
    expect(mine.length).toBeGreaterThan(0);
    own[Symbol.dispose]();
    await expect.poll(() => childrenOf(process.pid).filter((pid) => mine.includes(pid))).toEqual([]);
  });
});

function childrenOf(pid: number): number[] {
  return readdirSync(`/proc/${pid}/task`).flatMap((task) =>
    readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
  );
}

function isParser(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('documents/parser/main');
  } catch {
    return false;
  }
}
