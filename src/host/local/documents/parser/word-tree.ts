/** What a text document is made of, as mammoth reads it; its own types do not say. */

export type Block =
  | {
      readonly type: 'paragraph';
      readonly children: readonly Inline[];
      readonly styleName: string | null;
      readonly numbering: { readonly isOrdered: boolean; readonly level: string } | null;
    }
  | { readonly type: 'table'; readonly children: readonly TableRow[] };

export interface TableRow {
  readonly type: 'tableRow';
  readonly children: readonly TableCell[];
}

export interface TableCell {
  readonly type: 'tableCell';
  readonly children: readonly Block[];
  readonly colSpan: number;
  readonly rowSpan: number;
}

export type Inline =
  | {
      readonly type: 'run';
      readonly children: readonly Inline[];
      readonly isBold: boolean;
      readonly isItalic: boolean;
      readonly isStrikethrough: boolean;
    }
  | { readonly type: 'text'; readonly value: string }
  | { readonly type: 'tab' }
  | { readonly type: 'checkbox'; readonly checked: boolean }
  | { readonly type: 'hyperlink'; readonly children: readonly Inline[]; readonly href?: string }
  | { readonly type: 'noteReference'; readonly noteType: string; readonly noteId: string }
  | { readonly type: 'commentReference'; readonly commentId: string }
  | {
      readonly type: 'image';
      readonly altText?: string | null;
      readAsBuffer(): Promise<Buffer>;
      /** Its name in the document, once it was asked for. */
      name?: string;
    }
  | { readonly type: 'break'; readonly breakType: string }
  | { readonly type: 'bookmarkStart' };

export interface WordTree {
  readonly type: 'document';
  readonly children: readonly Block[];
  readonly notes: {
    resolve(reference: { noteType: string; noteId: string }): { readonly body: readonly Block[] } | null;
  };
  readonly comments: readonly {
    readonly commentId: string;
    readonly body: readonly Block[];
    readonly authorName?: string | null;
  }[];
}
