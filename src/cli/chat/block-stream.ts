/** Markdown that comes in piece by piece: blocks are given out once they can't change any more. */
import type { Token } from 'marked';
import type { Line } from './spans.ts';
import { blocks, tokensOf } from './markdown.ts';

export class BlockStream {
  #pending = '';
  #hasPrinted = false;

  /** Takes the next piece; gives the lines of the blocks that it finished. */
  add(text: string, width: number): Line[] {
    this.#pending += text;
    // A block ends where the next one begins, which takes a line break.
    if (!text.includes('\n')) return [];
    const tokens = tokensOf(this.#pending);
    const last = tokens.findLastIndex(({ type }) => type !== 'space');
    if (last < 1) return [];
    // What was made safe to show once stays as it is the second time.
    this.#pending = tokens
      .slice(last)
      .map(({ raw }) => raw)
      .join('');
    return this.#lines(tokens.slice(0, last), width);
  }

  /** The block that is still growing. */
  pending(width: number): Line[] {
    return this.#pending.trim() === '' ? [] : blocks(tokensOf(this.#pending), width);
  }

  /** The rest; what is added from then on begins anew. */
  end(width: number): Line[] {
    const lines = this.#lines(tokensOf(this.#pending), width);
    this.#pending = '';
    this.#hasPrinted = false;
    return lines;
  }

  #lines(tokens: readonly Token[], width: number): Line[] {
    const lines = blocks(tokens, width);
    if (lines.length === 0) return [];
    const gap: Line[] = this.#hasPrinted ? [[]] : [];
    this.#hasPrinted = true;
    return [...gap, ...lines];
  }
}
