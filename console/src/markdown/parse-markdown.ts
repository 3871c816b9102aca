/** The blocks of a text in Markdown. A text that is made to keep the parser busy is one block of plain words. */
import { marked, type Token } from 'marked';

/** Nobody writes more than that, and the parser is quick with it. */
const MAX_CHARACTERS = 100_000;
const MAX_MARKS = 1_000;
/** Also what begins a comment or an address, whose end is looked for each time. */
const MARK = /[*_~[]|<[!?]|:\/\//g;
const DEEP = /^(?:[ \t]*(?:>|[-+*]|\d{1,9}[.)])){12}/m;

export function parseMarkdown(text: string): readonly Token[] {
  return isTame(text) ? marked.lexer(text) : [{ type: 'text', raw: text, text }];
}

/** What the parser does with marks grows with the square of their number in a paragraph, and lists in lists take its stack. */
function isTame(text: string): boolean {
  if (text.length > MAX_CHARACTERS || DEEP.test(text)) return false;
  return text.split(/\n\s*\n/).every((paragraph) => (paragraph.match(MARK)?.length ?? 0) <= MAX_MARKS);
}
