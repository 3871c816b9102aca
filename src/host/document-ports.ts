/** What the engine may ask of the machine about documents: their text, from their bytes, parsed where it can do no harm. */

/** What an office document is. */
export type DocumentKind = 'spreadsheet' | 'word' | 'pdf';

/** Which part of a document is wanted, and how much of it at most. */
export interface DocumentPart {
  /** How its name ends, in lower case and with the dot: what it says it is. */
  readonly extension: string;
  /** Only this sheet; all of them without it. */
  readonly sheet?: string | undefined;
  /** The first row of each sheet, line of a text, or page; counted from 1. */
  readonly from: number;
  /** How many rows of each sheet, lines or pages. */
  readonly count: number;
  readonly maxColumns: number;
  readonly maxCharacters: number;
  /** How many pictures are taken out, and how large they are in all. */
  readonly pictures: { readonly count: number; readonly bytes: number };
}

/** What a document says. */
export interface DocumentText {
  readonly kind: DocumentKind;
  readonly text: string;
  /** Whether there is more than the text tells. */
  readonly isCut: boolean;
  /** Where to go on, where one place says it. */
  readonly next?: number | undefined;
  /** Rows of the one sheet, lines or pages there are in all; absent where several sheets were read. */
  readonly total?: number | undefined;
  /** All sheets there are, in their order. */
  readonly sheets: readonly DocumentSheet[];
  /** What a reader should know besides, each a sentence. */
  readonly notes: readonly string[];
  readonly pictures: readonly DocumentPicture[];
  /** How many pictures there are that were not taken out. */
  readonly picturesLeft: number;
}

export interface DocumentSheet {
  readonly name: string;
  readonly isHidden: boolean;
}

export interface DocumentPicture {
  /** Its name in the document, such as `word/media/image1.png`; the text refers to it by that. */
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** Reads office documents. */
export interface Documents {
  /** `load` gives the whole file once it is its turn; a failure says what is wrong with it. */
  read(
    part: DocumentPart,
    load: () => Promise<Uint8Array>,
    options: { readonly signal: AbortSignal },
  ): Promise<DocumentText>;
}
