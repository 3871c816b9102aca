/** Markdown as lines of a terminal. What is in it is shown and never obeyed; a link shows where it leads. */
import { marked, type Token, type Tokens } from 'marked';
import {
  type Line,
  lineWidth,
  plain,
  safeLines,
  type Span,
  span,
  type Style,
  widthOf,
  wrap,
  wrapAnywhere,
} from './spans.ts';

/** The whole of a text, block after block with a blank line between. */
export function markdownLines(text: string, width: number): Line[] {
  return blocks(tokensOf(text), Math.max(width, 10));
}

/** The blocks that the text is made of, in order. */
export function tokensOf(text: string): Token[] {
  return marked.lexer(safeLines(text).join('\n'));
}

/** Blocks with a blank line between each two. */
export function blocks(tokens: readonly Token[], width: number): Line[] {
  const shown = tokens.filter(({ type }) => type !== 'space').map((token) => block(token, width));
  return shown.flatMap((lines, index) => (index === 0 ? lines : [[], ...lines]));
}

function block(token: Token, width: number): Line[] {
  const known = token as Tokens.Generic;
  switch (token.type) {
    case 'heading':
      return wrap(inline(known.tokens ?? [], known['depth'] === 1 ? ['bold', 'underline'] : ['bold']), width);
    case 'paragraph':
      return rows(inline(known.tokens ?? []), width);
    case 'text':
      return rows(known.tokens === undefined ? [span(unescaped(known.text))] : inline(known.tokens), width);
    case 'code':
      return codeBlock(token as Tokens.Code, width);
    case 'list':
      return list(token as Tokens.List, width);
    case 'blockquote':
      return blocks(known.tokens ?? [], width - 2).map((line) => [span('│ ', 'dim'), ...line]);
    case 'table':
      return table(token as Tokens.Table, width);
    case 'hr':
      return [[span('─'.repeat(Math.min(width, 40)), 'dim')]];
    default:
      return token.raw
        .replace(/\n+$/, '')
        .split('\n')
        .flatMap((line) => wrap([span(line)], width));
  }
}

/** A paragraph's own line breaks are kept where they are hard. */
function rows(line: Line, width: number): Line[] {
  const hard: Span[][] = [[]];
  for (const part of line) {
    const [first = '', ...rest] = part.text.split('\n');
    hard.at(-1)!.push({ ...part, text: first });
    for (const text of rest) hard.push([{ ...part, text }]);
  }
  return hard.flatMap((part) => wrap(part, width));
}

/** Code is never wrapped at words: a long line goes on in the next row, so that it can be copied. */
function codeBlock({ text, lang }: Tokens.Code, width: number): Line[] {
  const label: Line[] = lang === undefined || lang === '' ? [] : [[span(`  ${lang}`, 'dim')]];
  const code = text.split('\n').flatMap((line) => wrapAnywhere(line, width - 2, 'cyan'));
  return [...label, ...code.map((line) => [span('  '), ...line])];
}

function list({ items, ordered, start }: Tokens.List, width: number): Line[] {
  return items.flatMap((item, index) => {
    const number = `${(start === '' ? 1 : start) + index}. `;
    const task = item.task ? (item.checked === true ? '[x] ' : '[ ] ') : '';
    const mark = `${ordered ? number : '• '}${task}`;
    const indent = ' '.repeat(widthOf(mark));
    const content = item.tokens.filter(({ type }) => type !== 'checkbox');
    const lines = item.loose ? blocks(content, width - indent.length) : tight(content, width - indent.length);
    const body = lines.length === 0 ? [[]] : lines;
    return body.map((line, row): Line => [row === 0 ? span(mark, 'dim') : span(indent), ...line]);
  });
}

function tight(tokens: readonly Token[], width: number): Line[] {
  return tokens.filter(({ type }) => type !== 'space').flatMap((token) => block(token, width));
}

/** Columns as wide as their cells where that fits; else a row at a time, each cell under its header. */
function table({ header, rows: body }: Tokens.Table, width: number): Line[] {
  const cells = [header, ...body].map((row) => row.map(({ tokens }) => inline(tokens)));
  const widths = header.map((_, column) => Math.max(...cells.map((row) => lineWidth(row[column] ?? []))));
  const total = widths.reduce((sum, columns) => sum + columns + 3, -3);
  if (total > width) return records(cells, width);
  const rule = [span(widths.map((columns) => '─'.repeat(columns)).join('─┼─'), 'dim')];
  const drawn = cells.map((row, index) => tableRow(row, widths, index === 0 ? ['bold'] : []));
  return [drawn[0]!, rule, ...drawn.slice(1)];
}

function tableRow(row: readonly Line[], widths: readonly number[], styles: readonly Style[]): Line {
  return widths.flatMap((columns, index) => {
    const cell = row[index] ?? [];
    const gap = ' '.repeat(columns - lineWidth(cell));
    const styled = cell.map((part) => ({ ...part, styles: [...styles, ...(part.styles ?? [])] }));
    return [...(index === 0 ? [] : [span(' │ ', 'dim')]), ...styled, span(gap)];
  });
}

function records([header = [], ...body]: readonly (readonly Line[])[], width: number): Line[] {
  return body.flatMap((row, index) => [
    ...(index === 0 ? [] : [[]]),
    ...row.flatMap((cell, column) =>
      wrap([span(`${plain(header[column] ?? [])}: `, 'bold'), ...cell], width, [span('  ')]),
    ),
  ]);
}

/** Text within a line. */
function inline(tokens: readonly Token[], styles: readonly Style[] = []): Span[] {
  return tokens.flatMap((token): Span[] => {
    const known = token as Tokens.Generic;
    const within = (...more: Style[]): Span[] => inline(known.tokens ?? [], [...styles, ...more]);
    switch (token.type) {
      case 'strong':
        return within('bold');
      case 'em':
        return within('italic');
      case 'del':
        return within('struck');
      case 'codespan':
        return [span(unescaped(known.text), ...styles, 'cyan')];
      case 'link':
        return link(token as Tokens.Link, within('underline'));
      case 'image':
        return [span(`[image: ${known.text}] (${known['href']})`, ...styles, 'dim')];
      case 'br':
        return [span('\n')];
      case 'text':
        if (known.tokens !== undefined) return within();
        return [span(unescaped(known.text).replace(/\n/g, ' '), ...styles)];
      case 'escape':
        return [span(unescaped(known.text), ...styles)];
      default:
        return [span(token.raw.replace(/\n/g, ' '), ...styles)];
    }
  });
}

/** The words, and where they lead unless they say so themselves. */
function link({ href }: Tokens.Link, words: readonly Span[]): Span[] {
  const said = plain(words);
  return said === href || `mailto:${said}` === href ? [...words] : [...words, span(` (${href})`, 'dim')];
}

/** The lexer leaves entities as they are written. */
function unescaped(text: string): string {
  return text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');
}
