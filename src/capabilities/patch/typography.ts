/**
 * Characters that look alike and get exchanged on the way through a model: typographic quotes, dashes and blanks.
 * They are exchanged one for one, so positions in a text stay what they are.
 */

/** `sort`: whoever exchanges one of them exchanges the others too. */
const KINDS: readonly { readonly plain: string; readonly sort: string; readonly alike: string }[] = [
  { plain: "'", sort: 'quote', alike: '\u2018\u2019\u201a\u201b\u2032\u00b4\uff07' },
  { plain: '"', sort: 'quote', alike: '\u201c\u201d\u201e\u201f\u2033\uff02' },
  { plain: '-', sort: 'dash', alike: '\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe63\uff0d' },
  {
    plain: ' ',
    sort: 'blank',
    alike: '\u00a0\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000',
  },
];

const PLAIN = new Map(
  KINDS.flatMap(({ plain, alike }) => alike.split('').map((character) => [character, plain])),
);
const SORTS = new Map(KINDS.map(({ plain, sort }) => [plain, sort]));
const TYPOGRAPHIC = new RegExp(`[${[...PLAIN.keys()].join('')}]`, 'g');

/** Whether a text has one of them. */
export function isTypographic(text: string): boolean {
  return text.search(TYPOGRAPHIC) !== -1;
}

/** The text with plain quotes, dashes and blanks. */
export function plainCharacters(text: string): string {
  return text.replaceAll(TYPOGRAPHIC, (character) => PLAIN.get(character)!);
}

/**
 * What a match says about characters: given ones that stand for others in the file. What is exchanged in added text is
 * a character that always stood for the same other one; and, where the edit is the more typographic side, its like.
 */
export class Exchange {
  readonly #found = new Map<string, string | undefined>();
  readonly #plainSorts = new Set<string>();

  /** Compares a line as given with the file's, both without indentation and blanks at the end. */
  learn(given: string, found: string): void {
    if (given === found || given.length !== found.length) return;
    for (let at = 0; at < given.length; at++) {
      const [one, other] = [given[at]!, found[at]!];
      if (plainCharacters(one) !== plainCharacters(other)) return;
      const known = this.#found.has(one) ? this.#found.get(one) : other;
      this.#found.set(one, known === other ? other : undefined);
      if (one !== other && PLAIN.get(one) === other) this.#plainSorts.add(SORTS.get(other)!);
    }
  }

  /** Added text, with the file's characters where they are known. */
  apply(text: string): string {
    if (this.#found.size === 0) return text;
    return text.replaceAll(/[^]/g, (character) => this.#exchanged(character));
  }

  #exchanged(character: string): string {
    if (this.#found.has(character)) return this.#found.get(character) ?? character;
    const plain = PLAIN.get(character);
    return plain !== undefined && this.#plainSorts.has(SORTS.get(plain)!) ? plain : character;
  }
}
