/**
 * How indentation as given becomes the file's. Lines that matched show the difference: a shift, tabs for blanks, another
 * width, or some of these at once. Added lines are moved by that difference; where it is not certain, nothing is.
 */

/** The indentation of one line as given, and of the line it matched. */
export interface IndentPair {
  readonly given: string;
  readonly found: string;
}

/** Undefined where the rule has no answer. */
type Rule = (indent: string) => string | undefined;

/** The blanks and tabs a line starts with. */
export function indentOf(text: string): string {
  let end = 0;
  while (text[end] === ' ' || text[end] === '\t') end++;
  return text.slice(0, end);
}

/** How each of the `wanted` indentations looks in the file; undefined where the pairs do not say. */
export function reindentation(
  pairs: readonly IndentPair[],
  wanted: readonly string[],
): ReadonlyMap<string, string> | undefined {
  const known = new Map<string, string>();
  for (const { given, found } of pairs) {
    if (known.has(given) && known.get(given) !== found) return undefined;
    known.set(given, found);
  }
  const unseen = [...new Set(wanted)].filter((indent) => !known.has(indent));
  if (unseen.length === 0) return known;
  const step = commonStep([...known.keys(), ...unseen]);
  for (const rules of candidates([...known], step)) {
    const answers = rules.map((rule) => unseen.map(rule)).filter((answer) => !answer.includes(undefined));
    const [first] = answers;
    if (first === undefined) continue;
    if (answers.some((answer) => answer.join('|') !== first.join('|'))) return undefined;
    for (const [index, indent] of unseen.entries()) known.set(indent, first[index]!);
    return known;
  }
  return undefined;
}

/** Rules that explain every pair, the simplest kinds first. */
function* candidates(
  pairs: readonly (readonly [given: string, found: string])[],
  step: number,
): Iterable<Rule[]> {
  const explains = (rule: Rule): boolean => pairs.every(([given, found]) => rule(given) === found);
  yield [shifted((indent) => indent, pairs)].filter(explains);
  const conversions = WIDTHS.flatMap((width) =>
    // Whoever indents by four blanks does not mean two tabs by them.
    step > width ? [tabsToBlanks(width)] : [tabsToBlanks(width), blanksToTabs(width)],
  );
  yield conversions.filter(explains);
  yield conversions.map((convert) => shifted(convert, pairs)).filter(explains);
  yield SCALES.filter(explains);
}

/** A conversion, and then what the first pair shows to be added or taken away in front. */
function shifted(convert: Rule, pairs: readonly (readonly [given: string, found: string])[]): Rule {
  const [[given, found] = ['', '']] = pairs;
  const converted = convert(given) ?? '';
  if (found.endsWith(converted)) {
    const added = found.slice(0, found.length - converted.length);
    return (indent) => prepend(added, convert(indent));
  }
  if (!converted.endsWith(found)) return () => undefined;
  const removed = converted.slice(0, converted.length - found.length);
  return (indent) => {
    const whole = convert(indent);
    return whole?.startsWith(removed) === true ? whole.slice(removed.length) : undefined;
  };
}

function prepend(added: string, indent: string | undefined): string | undefined {
  return indent === undefined ? undefined : added + indent;
}

const WIDTHS = [1, 2, 3, 4, 5, 6, 7, 8];

const SCALES: readonly Rule[] = WIDTHS.flatMap((from) =>
  WIDTHS.filter((to) => to !== from).map(
    (to): Rule =>
      (indent) =>
        indent.includes('\t') || indent.length % from !== 0
          ? undefined
          : ' '.repeat((indent.length / from) * to),
  ),
);

/** The width that all indentation of blanks is a multiple of; 0 where there is none. */
function commonStep(indents: readonly string[]): number {
  const divisor = (one: number, other: number): number => (other === 0 ? one : divisor(other, one % other));
  return indents.reduce((step, indent) => (indent.includes('\t') ? step : divisor(indent.length, step)), 0);
}

function tabsToBlanks(width: number): Rule {
  return (indent) => indent.replaceAll('\t', ' '.repeat(width));
}

function blanksToTabs(width: number): Rule {
  return (indent) =>
    indent.includes('\t')
      ? undefined
      : '\t'.repeat(Math.floor(indent.length / width)) + ' '.repeat(indent.length % width);
}
