/**
 * Words as code and questions about code have them: names fall into their parts, endings fall away, so that `parseRequests`,
 * `request_parser` and "how requests are parsed" share theirs. What is indexed and what is asked go through here alike.
 */

/** Runs of letters and digits; everything above ASCII counts as a letter. */
const NAMES = /[a-z0-9_\u0080-\uffff]+/gi;
/** Scripts without spaces: each two neighbours are a word. */
const UNSPACED = /[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff]+/g;
/** Longer ones are no words, but keys, hashes and data. */
const MAX_CHARACTERS = 48;
/** A sentence without spaces can be one. */
const MAX_NAME = 400;
const MAX_KNOWN = 50_000;

/** What questions are made of, and no answer. */
const FILLERS = new Set(
  `a an and are as at be by can code do does file find for from function get how i in is it its me my of on or show
  that the their them there this to use used uses using we what when where which who why will with you`.split(
    /\s+/,
  ),
);

let known = new Map<string, readonly string[]>();

/** The words of a text in their order, each name as a whole and in its parts. */
export function wordsOf(text: string): string[] {
  const words: string[] = [];
  for (const [name] of text.matchAll(NAMES)) words.push(...partsOf(name));
  return words;
}

/** The words that a question is about, each once; fillers count only where there is nothing else. */
export function questionWords(question: string): string[] {
  const names = [...question.matchAll(NAMES)].map(([name]) => name);
  const telling = names.filter((name) => !FILLERS.has(name.toLowerCase()));
  return [...new Set((telling.length > 0 ? telling : names).flatMap(partsOf))];
}

/** A name as a whole and, where it has several, its parts. */
function partsOf(name: string): readonly string[] {
  const before = known.get(name);
  if (before !== undefined) return before;
  const parts = takeApart(name);
  if (known.size >= MAX_KNOWN) known = new Map();
  known.set(name, parts);
  return parts;
}

function takeApart(name: string): readonly string[] {
  if (name.length > MAX_NAME) return [];
  const unspaced = [...name.matchAll(UNSPACED)].flatMap(([run]) => neighbours(run));
  const parts = name
    .replaceAll(UNSPACED, '_')
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replaceAll(/([A-Z])([A-Z][a-z])/g, '$1_$2')
    .toLowerCase()
    .split('_')
    .filter((part) => part !== '' && part.length <= MAX_CHARACTERS);
  const whole = parts.length > 1 && unspaced.length === 0 ? [parts.join('')] : [];
  return [...whole, ...parts, ...unspaced].filter((word) => word.length > 1).map(stem);
}

function neighbours(run: string): string[] {
  const characters = run.split('');
  if (characters.length === 1) return [`${run}${run}`];
  return characters.slice(1).map((character, at) => `${characters[at]}${character}`);
}

const ENDINGS = ['ations', 'ation', 'ions', 'ings', 'ion', 'ing', 'ers', 'er', 'ed', 'es', 's', 'e'];

/** A word without its ending; roughly, but always the same way. */
function stem(word: string): string {
  if (word.length < 4 || !/^[a-z]+$/.test(word) || word.endsWith('ss')) return word;
  if (word.endsWith('ies') && word.length > 4) return `${word.slice(0, -3)}i`;
  const ending = ENDINGS.find((end) => word.endsWith(end) && word.length - end.length >= 3);
  if (ending === undefined) return word.replace(/y$/, 'i');
  const rest = word.slice(0, -ending.length);
  return /^(?:ed|er|ing)/.test(ending) ? rest.replace(/([bdgmnprt])\1$/, '$1') : rest;
}
