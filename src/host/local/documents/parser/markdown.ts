/** A text document as Markdown: headings, lists, tables, emphasis, links, pictures by name, notes and comments at the end. */
import type { Block, Inline, TableRow, WordTree } from './word-tree.ts';

/** Writes a document as Markdown. */
export function toMarkdown(tree: WordTree): string {
  const writer = new MarkdownWriter(tree);
  return writer.write();
}

/** A piece of a line with one kind of emphasis. */
interface Piece {
  readonly text: string;
  /** What stands before it and, mirrored, behind it. */
  readonly mark: string;
}

const MAX_SPAN = 1_000;

class MarkdownWriter {
  readonly #tree: WordTree;
  /** Notes and comments that were referred to, in that order; a note may refer to another one. */
  readonly #notes: (readonly Block[])[] = [];
  readonly #numbers = new Map<string, number>();
  /** The last number of each level of the list under way. */
  #counters: number[] = [];

  constructor(tree: WordTree) {
    this.#tree = tree;
  }

  write(): string {
    const body = this.#blocks(this.#tree.children);
    const notes: string[] = [];
    for (let index = 0; index < this.#notes.length; index++)
      notes.push(`[^${index + 1}]: ${this.#flat(this.#notes[index]!, ' ')}`);
    return [...body, ...notes].join('\n').trim();
  }

  /** Lines; an empty one between blocks, none between the items of a list. */
  #blocks(blocks: readonly Block[]): string[] {
    const lines: string[] = [];
    let wasItem = false;
    for (const block of blocks) {
      const isItem = isListItem(block);
      if (!isItem) this.#counters = [];
      const written = block.type === 'table' ? this.#table(block.children) : this.#paragraph(block);
      if (written === '') continue;
      if (lines.length > 0 && !(isItem && wasItem)) lines.push('');
      lines.push(written);
      wasItem = isItem;
    }
    return [...lines, ''];
  }

  #paragraph(paragraph: Extract<Block, { type: 'paragraph' }>): string {
    const { children, numbering } = paragraph;
    const heading = headingLevel(paragraph.styleName);
    if (heading !== undefined) {
      const text = this.#inline(children, { isPlain: true }).replaceAll('\n', ' ');
      return text === '' ? '' : `${'#'.repeat(heading)} ${text}`;
    }
    const text = this.#inline(children);
    if (numbering === null || text === '') return text;
    const level = Math.min(Number(numbering.level) || 0, 8);
    this.#counters.length = Math.min(this.#counters.length, level + 1);
    this.#counters[level] = (this.#counters[level] ?? 0) + 1;
    const bullet = numbering.isOrdered ? `${this.#counters[level]}.` : '-';
    return `${'   '.repeat(level)}${bullet} ${text.replaceAll('\n', ' ')}`;
  }

  #table(rows: readonly TableRow[]): string {
    const grid = this.#grid(rows);
    const width = grid.reduce((widest, row) => Math.max(widest, row.length), 0);
    if (width === 0) return '';
    const line = (cells: readonly string[]): string =>
      `| ${Array.from({ length: width }, (_, index) => cells[index] ?? '').join(' | ')} |`;
    const [head = [], ...rest] = grid;
    return [line(head), `|${' --- |'.repeat(width)}`, ...rest.map(line)].join('\n');
  }

  /** Cells by their place: one that spans several leaves those behind it empty. */
  #grid(rows: readonly TableRow[]): string[][] {
    const taken = new Map<number, number>();
    return rows.map(({ children }) => {
      const cells: string[] = [];
      const skipTaken = (): void => {
        for (let left = taken.get(cells.length); left !== undefined; left = taken.get(cells.length)) {
          if (left === 1) taken.delete(cells.length);
          else taken.set(cells.length, left - 1);
          cells.push('');
        }
      };
      for (const cell of children) {
        skipTaken();
        const text = this.#flat(cell.children, '<br>').replaceAll('|', '\\|');
        for (let column = 0; column < Math.min(Math.max(cell.colSpan, 1), MAX_SPAN); column++) {
          if (cell.rowSpan > 1) taken.set(cells.length, cell.rowSpan - 1);
          cells.push(column === 0 ? text : '');
        }
      }
      skipTaken();
      return cells;
    });
  }

  /** Blocks in one line. */
  #flat(blocks: readonly Block[], separator: string): string {
    const outer = this.#counters;
    this.#counters = [];
    const lines = this.#blocks(blocks).flatMap((block) => block.split('\n'));
    this.#counters = outer;
    return lines
      .map((line) => line.trim())
      .filter((line) => line !== '')
      .join(separator);
  }

  #inline(children: readonly Inline[], { isPlain = false } = {}): string {
    const pieces: Piece[] = [];
    for (const child of children) this.#collect(child, '', pieces);
    let text = '';
    for (let index = 0; index < pieces.length;) {
      const { mark } = pieces[index]!;
      let same = '';
      for (; index < pieces.length && pieces[index]!.mark === mark; index++) same += pieces[index]!.text;
      text += isPlain ? same : emphasised(same, mark);
    }
    return text.trim();
  }

  #collect(inline: Inline, mark: string, pieces: Piece[]): void {
    const add = (text: string): void => void pieces.push({ text, mark });
    switch (inline.type) {
      case 'run':
        for (const child of inline.children) this.#collect(child, mark || markOf(inline), pieces);
        break;
      case 'text':
        add(inline.value);
        break;
      case 'tab':
        add('\t');
        break;
      case 'checkbox':
        add(inline.checked ? '[x]' : '[ ]');
        break;
      case 'hyperlink':
        this.#link(inline, pieces);
        break;
      case 'noteReference':
        add(this.#note(`${inline.noteType} ${inline.noteId}`, () => this.#tree.notes.resolve(inline)?.body));
        break;
      case 'commentReference':
        add(this.#note(`comment ${inline.commentId}`, () => this.#comment(inline.commentId)));
        break;
      case 'image':
        this.#picture(inline, pieces);
        break;
      case 'break':
        if (inline.breakType === 'line') add('\n');
        break;
      case 'bookmarkStart':
        break;
    }
  }

  #link({ children, href }: Extract<Inline, { type: 'hyperlink' }>, pieces: Piece[]): void {
    const text = this.#inline(children, { isPlain: true });
    pieces.push({ text: href === undefined || text === '' ? text : `[${text}](${href})`, mark: '' });
  }

  #picture({ altText, name }: Extract<Inline, { type: 'image' }>, pieces: Piece[]): void {
    const shown = altText?.replaceAll(/\s+/g, ' ') ?? '';
    pieces.push({
      text: name ? `![${shown}](${name})` : `[a picture outside of the document: ${shown}]`,
      mark: '',
    });
  }

  #note(key: string, find: () => readonly Block[] | undefined): string {
    const known = this.#numbers.get(key);
    if (known !== undefined) return `[^${known}]`;
    const body = find();
    if (body === undefined) return '';
    this.#notes.push(body);
    this.#numbers.set(key, this.#notes.length);
    return `[^${this.#notes.length}]`;
  }

  #comment(id: string): readonly Block[] | undefined {
    const comment = this.#tree.comments.find(({ commentId }) => commentId === id);
    if (comment === undefined) return undefined;
    const text = `(comment${comment.authorName ? ` by ${comment.authorName}` : ''})`;
    const intro: Block = {
      type: 'paragraph',
      children: [{ type: 'text', value: text }],
      styleName: null,
      numbering: null,
    };
    return [intro, ...comment.body];
  }
}

function isListItem(block: Block): boolean {
  return (
    block.type === 'paragraph' && block.numbering !== null && headingLevel(block.styleName) === undefined
  );
}

/** Names of these styles are the same in every language of the program. */
function headingLevel(styleName: string | null): number | undefined {
  if (styleName === null) return undefined;
  if (/^title$/i.test(styleName)) return 1;
  const level = /^heading ([1-9])$/i.exec(styleName)?.[1];
  return level === undefined ? undefined : Math.min(Number(level), 6);
}

function markOf(run: Extract<Inline, { type: 'run' }>): string {
  return `${run.isStrikethrough ? '~~' : ''}${run.isBold ? '**' : ''}${run.isItalic ? '*' : ''}`;
}

/** Marks stand close to the words, or they are none. */
function emphasised(text: string, mark: string): string {
  const words = text.trim();
  if (mark === '' || words === '') return text;
  const start = text.indexOf(words);
  const closing = mark.split('').reverse().join('');
  return `${text.slice(0, start)}${mark}${words}${closing}${text.slice(start + words.length)}`;
}
