/** Documents through the built command line, whose parser is a bundle of its own. */
import { describe, expect, it } from 'vitest';
import { handrail } from '../support/command-line.ts';
import { documentBytes } from '../support/documents.ts';
import { tempWorkspace } from '../support/temp-workspace.ts';

describe('handrail call read_document', () => {
  it.each([
    ['stock.xlsx', 'Гвоздь\t120\t0.25\t2024-02-29'],
    ['stock.xls', 'Гвоздь\t120\t0.25\t2024-02-29'],
    ['report.docx', '| Имя | 数 |'],
    ['report.pdf', 'Отчёт 报告 Report'],
  ])('reads %s', async (name, text) => {
    await using workspace = tempWorkspace({ [name]: documentBytes(name) });
    const ran = await handrail(workspace, ['call', 'read_document', JSON.stringify({ path: name })]);
    expect({ exitCode: ran.exitCode, stderr: ran.stderr }).toEqual({ exitCode: 0, stderr: '' });
    expect((JSON.parse(ran.stdout) as { text: string }).text).toContain(text);
  });
});
