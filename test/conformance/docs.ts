/** The tables of the operations that read documents. */
import { documentBytes, report, STOCK } from '../support/documents.ts';
import { tenasData } from './replies.ts';
import { NOT_PRESENTED, type Table } from './table.ts';
import { expect } from 'vitest';

const NOWHERE: Table = {
  handrail: NOT_PRESENTED,
  coder: NOT_PRESENTED,
  tenas: NOT_PRESENTED,
  clude: NOT_PRESENTED,
  codelab: NOT_PRESENTED,
};

const stock = documentBytes('stock.xls');
const text = documentBytes('report.docx');
const PICTURE = '831301ce3d0686ffbde22550b2cdc989.png';
const kept = expect.stringMatching(`^\\.tenas/chat/ses_\\w+/${PICTURE}$`) as string;

export const docsTables: Readonly<Record<string, Table>> = {
  'docs.read': {
    ...NOWHERE,
    handrail: [
      {
        tool: 'read_document',
        files: { 'a.docx': text },
        args: { path: 'a.docx', from: 5, limit: 5 },
        reply: (root) => ({
          ok: true,
          path: `${root}/a.docx`,
          text: report('').split('\n').slice(4, 9).join('\n'),
          has_more: true,
          next: 10,
          total: 30,
          notes: ['Pictures in it: 1.'],
        }),
      },
      {
        tool: 'read_document',
        files: { 'a.xls': stock },
        args: { path: 'a.xls' },
        reply: (root) => ({
          ok: true,
          path: `${root}/a.xls`,
          text: STOCK,
          has_more: false,
          sheets: ['Склад 仓库', '隐藏', 'Empty'],
        }),
      },
    ],
  },
  'docs.readPdf': NOWHERE,
  'docs.readSpreadsheet': {
    ...NOWHERE,
    tenas: {
      tool: 'file-read-excel',
      files: { 'a.xls': stock },
      args: { path: 'a.xls' },
      reply: () =>
        tenasData({
          path: 'a.xls',
          bytes: stock.length,
          text: STOCK,
          truncated: false,
          sheetNames: ['Склад 仓库', '隐藏', 'Empty'],
          images: [],
          imagesTruncated: false,
        }),
    },
  },
  'docs.readWord': {
    ...NOWHERE,
    tenas: {
      tool: 'file-read-docx',
      files: { 'a.docx': text },
      args: { path: 'a.docx' },
      reply: () =>
        tenasData({
          path: 'a.docx',
          bytes: text.length,
          text: expect.stringContaining('![a red square](.tenas/chat/ses_') as string,
          truncated: false,
          images: [{ url: kept, mediaType: 'image/png', fileName: PICTURE, relativePath: kept, bytes: 74 }],
          imagesTruncated: false,
        }),
    },
  },
};
