/**
 * File patterns: `*` and `?` within a name, `**` over directories, `[a-z]`, `{a,b}`. Matched in time linear in path times pattern,
 * which a regular expression made of many stars is not. Hidden names are names like any other.
 */
import { Failure } from '../failure.ts';
import { fitsStars } from '../stars.ts';

/** Whether a `/`-separated path fits. */
export type PathTest = (path: string) => boolean;

const MAX_ALTERNATIVES = 100;
const MAX_CHARACTERS = 500;
/** How many characters are compared for a path, on the average, and for some paths at once. */
const MAX_STEPS = 20_000;
const MAX_STEPS_AT_ONCE = 20_000_000;

/** Compiles a pattern that speaks about whole paths. A test that takes too much time fails. */
export function compileGlob(pattern: string): PathTest {
  const effort = new Effort(pattern);
  const tests = alternatives(pattern).map((one) => compileAlternative(one, effort));
  return (path) => {
    effort.begin();
    return tests.some((fits) => fits(path));
  };
}

/** Counts the steps that a pattern takes: many alternatives that nearly fit long names take too many. */
class Effort {
  readonly #pattern: string;
  #left = MAX_STEPS_AT_ONCE;

  constructor(pattern: string) {
    this.#pattern = pattern;
  }

  /** Goes on to another path. */
  begin(): void {
    this.#left = Math.min(this.#left + MAX_STEPS, MAX_STEPS_AT_ONCE);
  }

  step(): void {
    if (--this.#left >= 0) return;
    throw new Failure(
      'E_INVALID_ARGS',
      `The file pattern ${JSON.stringify(this.#pattern)} takes too long for the names that are here.`,
      { hint: 'Use fewer alternatives, or fewer stars.' },
    );
  }
}

/** Compiles a pattern that, where it has no slash, speaks about the last name alone. */
export function compileNameGlob(pattern: string): PathTest {
  return compileGlob(pattern.includes('/') ? pattern.replace(/^\//, '') : `**/${pattern}`);
}

/** The directories at the start of a pattern that are written out: where a search can begin. */
export function literalBase(pattern: string): string {
  const names = pattern.split('/').slice(0, -1);
  const firstWild = names.findIndex((name) => /[*?[\]{}\\]/.test(name));
  return (firstWild === -1 ? names : names.slice(0, firstWild)).join('/') || '.';
}

/** What stands for one character, or for any number of them. */
type Token = ((character: string) => boolean) | typeof STAR;
const STAR = Symbol('star');
const GLOBSTAR = Symbol('globstar');
type Segment = readonly Token[] | typeof GLOBSTAR;

function compileAlternative(pattern: string, effort: Effort): PathTest {
  const segments = pattern
    .split('/')
    .filter((name) => name !== '' && name !== '.')
    .map((name): Segment => (name === '**' ? GLOBSTAR : tokenize(name)));
  // What lies in a directory is not the directory.
  if (segments.at(-1) === GLOBSTAR) segments.push([STAR]);
  const ending = literalEnding(pattern);
  if (pattern === `**/*${ending}`) return (path) => path.endsWith(ending);
  return (path) => path.endsWith(ending) && fitsSegments(path.split('/'), segments, effort);
}

/** The plain characters a pattern ends with: most paths fail there already. */
function literalEnding(pattern: string): string {
  return /[^*?[\]{}\\/]*$/.exec(pattern)![0];
}

function fitsSegments(names: readonly string[], segments: readonly Segment[], effort: Effort): boolean {
  return fitsStars(
    names,
    segments,
    (segment) => segment === GLOBSTAR,
    (name, segment) =>
      segment !== GLOBSTAR &&
      fitsStars(
        name,
        segment,
        (token) => token === STAR,
        (character, token) => {
          effort.step();
          return token !== STAR && token(character);
        },
      ),
  );
}

function tokenize(name: string): Token[] {
  const tokens: Token[] = [];
  for (let at = 0; at < name.length; at++) {
    const character = name[at]!;
    if (character === '*') tokens.push(STAR);
    else if (character === '?') tokens.push(() => true);
    else if (character === '[' && name.indexOf(']', at + 2) !== -1) {
      const end = name.indexOf(']', at + 2);
      tokens.push(characterClass(name.slice(at + 1, end)));
      at = end;
    } else {
      const literal = character === '\\' && at + 1 < name.length ? name[++at]! : character;
      tokens.push((found) => found === literal);
    }
  }
  return tokens;
}

/** `a-z_`, or with `!` or `^` first everything else. */
function characterClass(body: string): (character: string) => boolean {
  const isNegated = /^[!^]/.test(body);
  const members = isNegated ? body.slice(1) : body;
  const ranges = [...members.matchAll(/(.)-(.)|(.)/gs)].map(([, from, to, single]) => [
    from ?? single!,
    to ?? single!,
  ]);
  return (character) => ranges.some(([from, to]) => character >= from! && character <= to!) !== isNegated;
}

/** Writes out `{a,b}`, nested ones too. */
export function alternatives(pattern: string): string[] {
  if (pattern.length > MAX_CHARACTERS) throw unusable('it is too long');
  let pending = [pattern];
  const done: string[] = [];
  while (pending.length > 0) {
    const next = pending.flatMap((one) => {
      const group = /(?<!\\)\{([^{}]*,[^{}]*)\}/.exec(one);
      if (group === null) return done.push(one) > 0 ? [] : [];
      const [whole, body] = group;
      return body!
        .split(',')
        .map((choice) => one.slice(0, group.index) + choice + one.slice(group.index + whole.length));
    });
    if (next.length + done.length > MAX_ALTERNATIVES)
      throw unusable('its braces stand for too many patterns');
    pending = [...new Set(next)];
  }
  return [...new Set(done)];
}

function unusable(why: string): Failure {
  return new Failure('E_INVALID_ARGS', `The file pattern can not be used: ${why}.`);
}
