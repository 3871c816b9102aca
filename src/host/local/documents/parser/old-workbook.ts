/** A workbook as the binary file of old (.xls). */
import { CFB, read, set_cptable, utils } from '@e965/xlsx';
import type { DocumentPart } from '../../../ports.ts';
import type { ReadSheet, Visibility } from './sheet-text.ts';
import { chooseSheets, type Workbook } from './workbook.ts';

/** What stands in the binary container. */
export function streamNames(bytes: Buffer): string[] {
  const { FullPaths } = CFB.read(bytes, { type: 'buffer' }) as { readonly FullPaths: readonly string[] };
  return FullPaths.map((path) => path.slice(path.indexOf('/') + 1));
}

const VISIBILITIES: readonly Visibility[] = ['visible', 'hidden', 'very hidden'];

/** Reads the wanted part of a workbook. */
export async function readOldWorkbook(bytes: Buffer, wanted: DocumentPart): Promise<Workbook> {
  // What was written before Unicode needs tables, which take a while to load.
  set_cptable(await import('@e965/xlsx/dist/cpexcel.full.mjs'));
  const options = { type: 'buffer', dense: true, cellText: false, cellNF: true, cellHTML: false } as const;
  const sheetRows = wanted.from + wanted.count - 1;
  const workbook = read(bytes, { ...options, cellStyles: true, sheetRows });
  const names = workbook.SheetNames.map((name, index) => ({
    name,
    visibility: VISIBILITIES[workbook.Workbook?.Sheets?.[index]?.Hidden ?? 0] ?? 'visible',
  }));
  const sheets = chooseSheets(names, wanted.sheet).map(({ name, visibility }): ReadSheet => {
    const sheet = workbook.Sheets[name] ?? {};
    const reference = (sheet['!fullref'] ?? sheet['!ref']) as string | undefined;
    const total = reference === undefined ? 0 : utils.decode_range(reference).e.r + 1;
    return {
      name,
      visibility,
      rows: sheet['!data'] ?? [],
      from: wanted.from,
      to: Math.min(total, sheetRows),
      total,
      hasImpossible: false,
      hiddenRows: Object.entries(sheet['!rows'] ?? []).flatMap(([key, row]) =>
        row?.hidden === true ? [Number(key) + 1] : [],
      ),
      hiddenColumns: Object.entries(sheet['!cols'] ?? []).flatMap(([key, column]): [number, number][] =>
        column?.hidden === true ? [[Number(key) + 1, Number(key) + 1]] : [],
      ),
      merged: (sheet['!merges'] ?? []).map((range) => utils.encode_range(range)),
    };
  });
  return { names, sheets, startsIn1904: workbook.Workbook?.WBProps?.date1904 === true };
}
