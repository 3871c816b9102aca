/** The text of a PDF, page by page. Its scripts and actions are never looked at. */
import { getDocumentProxy } from 'unpdf';
import { damaged, encrypted } from './trouble.ts';

export interface PdfPages {
  readonly total: number;
  readonly pages: readonly { readonly number: number; readonly text: string }[];
}

/** The pages that are wanted, until there are enough characters. */
export async function readPdf(
  bytes: Uint8Array,
  wanted: { readonly from: number; readonly count: number; readonly maxCharacters: number },
): Promise<PdfPages> {
  const pdf = await open(bytes);
  try {
    const pages: { number: number; text: string }[] = [];
    const last = Math.min(pdf.numPages, wanted.from + wanted.count - 1);
    let room = wanted.maxCharacters;
    for (let number = wanted.from; number <= last && room > 0; number++) {
      const page = await pdf.getPage(number);
      const { items } = await page.getTextContent();
      const text = items
        .map((item) => ('str' in item ? `${item.str}${item.hasEOL ? '\n' : ''}` : ''))
        .join('')
        .trim();
      page.cleanup();
      pages.push({ number, text });
      room -= text.length;
    }
    return { total: pdf.numPages, pages };
  } finally {
    await pdf.loadingTask.destroy();
  }
}

async function open(bytes: Uint8Array): Promise<Awaited<ReturnType<typeof getDocumentProxy>>> {
  try {
    // Fonts are of no use for text.
    return await getDocumentProxy(bytes, {
      disableFontFace: true,
      useSystemFonts: false,
      enableXfa: false,
      verbosity: 0,
    });
  } catch (error) {
    const { name, message } = error as Error;
    if (name === 'PasswordException') throw encrypted();
    throw damaged(message);
  }
}
