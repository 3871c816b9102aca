/** The texts that cells share: of what may be millions, only those that picked rows refer to are parsed. */
import { visitElements } from './elements.ts';

const CELL = /<((?:\w+:)?)c\s([^>]*[^/>])>([^]*?)<\/\1c>/g;
const REFERS = /(?:^|\s)t\s*=\s*["']s["']/;
const NUMBER = /(<(?:\w+:)?v(?:\s[^>]*)?>)\s*(\d+)\s*</;

/** Rewrites references in sheets to a shorter list of texts, and makes that list. */
export class SharedStrings {
  /** Numbers in the document's list, by the order in which they came up. */
  readonly #numbers = new Map<number, number>();

  /** A sheet with its references to the shorter list. */
  refer(xml: string): string {
    return xml.replaceAll(CELL, (cell: string, prefix: string, attributes: string, body: string) =>
      REFERS.test(attributes) ? `<${prefix}c ${attributes}>${this.#renumber(body)}</${prefix}c>` : cell,
    );
  }

  /** The shorter list, picked from the document's. */
  async pick(list: AsyncIterable<Buffer>): Promise<string> {
    const texts = Array.from({ length: this.#numbers.size }, () => '<si><t/></si>');
    const last = Math.max(-1, ...this.#numbers.keys());
    let number = -1;
    await visitElements(list, { list: 'sst', element: 'si' }, (element) => {
      number++;
      const place = this.#numbers.get(number);
      if (place !== undefined) texts[place] = element.toString('latin1');
      return number < last;
    });
    return `<sst xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">${texts.join('')}</sst>`;
  }

  #renumber(body: string): string {
    return body.replace(NUMBER, (_whole, tag: string, digits: string) => {
      const number = Number(digits);
      const place = this.#numbers.get(number) ?? this.#numbers.size;
      this.#numbers.set(number, place);
      return `${tag}${place}<`;
    });
  }
}
