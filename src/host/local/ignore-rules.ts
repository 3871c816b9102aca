/**
 * What one `.gitignore` says, read as git reads it. Trees have many names and ignore files many lines, so plain names,
 * endings and paths are looked up; only lines with other wildcards are tried one by one, in linear time.
 */
import { fitsStars } from '../../stars.ts';

interface Rule {
  /** The last line that fits counts. */
  readonly order: number;
  readonly isNegated: boolean;
  readonly onlyDirectories: boolean;
}

interface WildRule extends Rule {
  readonly fits: (name: string, path: string, folderLength: number) => boolean;
}

export class IgnoreRules {
  readonly #names = new RuleTable();
  /** By what follows a star, from a dot on. */
  readonly #endings = new RuleTable();
  readonly #paths = new RuleTable();
  readonly #wild: WildRule[] = [];

  constructor(text: string) {
    const lines = text.replace(/^\ufeff/, '').split('\n');
    for (const [order, line] of lines.entries()) this.#add(order, line.replace(/\r$/, ''));
    this.#wild.reverse();
  }

  /** Whether an entry is ignored; undefined where no line speaks about it. The file's folder is the start of the path. */
  judge(name: string, path: string, folderLength: number, isDirectory: boolean): boolean | undefined {
    let last = this.#names.find(name, isDirectory);
    if (this.#paths.size > 0) last = laterOf(last, this.#paths.find(path.slice(folderLength), isDirectory));
    if (this.#endings.size > 0)
      for (let dot = name.indexOf('.'); dot !== -1; dot = name.indexOf('.', dot + 1))
        last = laterOf(last, this.#endings.find(name.slice(dot), isDirectory));
    for (const rule of this.#wild) {
      if (last !== undefined && last.order > rule.order) break;
      if ((isDirectory || !rule.onlyDirectories) && rule.fits(name, path, folderLength)) last = rule;
    }
    return last === undefined ? undefined : !last.isNegated;
  }

  #add(order: number, line: string): void {
    if (line.startsWith('#')) return;
    const isNegated = line.startsWith('!');
    const written = withoutTrailingSpaces(isNegated ? line.slice(1) : line);
    const onlyDirectories = written.endsWith('/');
    // In every directory is what a name alone means, too.
    const pattern = (onlyDirectories ? written.slice(0, -1) : written).replace(/^(\*\*\/)+(?=[^/]*$)/, '');
    if (pattern === '') return;
    const rule: Rule = { order, isNegated, onlyDirectories };
    if (!pattern.includes('/')) this.#addName(rule, pattern);
    else if (isPlain(pattern)) this.#paths.add(pattern.replace(/^\//, ''), rule);
    else this.#addWild(rule, pattern, pathTest(pattern.replace(/^\//, '')));
  }

  #addWild(rule: Rule, pattern: string, fits: WildRule['fits']): void {
    const part = plainPart(pattern);
    this.#wild.push({
      ...rule,
      fits: (name, path, length) => name.includes(part) && fits(name, path, length),
    });
  }

  #addName(rule: Rule, pattern: string): void {
    if (isPlain(pattern)) this.#names.add(pattern, rule);
    else if (pattern.startsWith('*.') && isPlain(pattern.slice(1))) this.#endings.add(pattern.slice(1), rule);
    else {
      const tokens = tokenize(pattern);
      if (tokens !== undefined) this.#addWild(rule, pattern, (name) => fitsTokens(name, tokens));
    }
  }
}

/** The longest plain text of a pattern's last name: most names don't have it, which is soon seen. */
function plainPart(pattern: string): string {
  const plain = pattern.slice(pattern.lastIndexOf('/') + 1).split(/[*?]|\\.?|\[.*\]?/s);
  return plain.reduce((longest, part) => (part.length > longest.length ? part : longest), '');
}

/** Rules by a text that they are about, the last one first. */
class RuleTable {
  readonly #rules = new Map<string, Rule[]>();

  get size(): number {
    return this.#rules.size;
  }

  add(about: string, rule: Rule): void {
    const rules = this.#rules.get(about);
    if (rules === undefined) this.#rules.set(about, [rule]);
    else rules.unshift(rule);
  }

  find(about: string, isDirectory: boolean): Rule | undefined {
    return this.#rules.get(about)?.find(({ onlyDirectories }) => isDirectory || !onlyDirectories);
  }
}

function laterOf(one: Rule | undefined, other: Rule | undefined): Rule | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return one.order > other.order ? one : other;
}

/** Spaces at the end count only behind a backslash. */
function withoutTrailingSpaces(line: string): string {
  let end = 0;
  for (let at = 0; at < line.length; at++) {
    if (line[at] === '\\') at++;
    else if (line[at] === ' ') continue;
    end = at + 1;
  }
  return line.slice(0, end);
}

function isPlain(pattern: string): boolean {
  return !/[*?[\\]/.test(pattern);
}

type Token = ((character: string) => boolean) | typeof STAR;
const STAR = Symbol('star');
const GLOBSTAR = Symbol('globstar');
type Segment = readonly Token[] | typeof GLOBSTAR;

/** A test for whole paths; a pattern that can't be read fits none. */
function pathTest(pattern: string): WildRule['fits'] {
  const names = pattern.replaceAll(/\\(.)/gs, (pair, escaped) => (escaped === '/' ? '/' : pair)).split('/');
  const segments = names.map((name) => (/^\*\*+$/.test(name) ? GLOBSTAR : tokenize(name)));
  if (!segments.every((segment) => segment !== undefined)) return () => false;
  // What lies in a directory is not the directory.
  if (segments.at(-1) === GLOBSTAR) segments.push([STAR]);
  return (_, path, folderLength) => fitsSegments(path.slice(folderLength).split('/'), segments);
}

function fitsSegments(names: readonly string[], segments: readonly Segment[]): boolean {
  return fitsStars(
    names,
    segments,
    (segment) => segment === GLOBSTAR,
    (name, segment) => segment !== GLOBSTAR && fitsTokens(name, segment),
  );
}

function fitsTokens(name: string, tokens: readonly Token[]): boolean {
  return fitsStars(
    name,
    tokens,
    (token) => token === STAR,
    (character, token) => token !== STAR && token(character),
  );
}

/** The parts of a pattern for one name; undefined where it can't be read. */
function tokenize(pattern: string): Token[] | undefined {
  const tokens: Token[] = [];
  for (let at = 0; at < pattern.length; at++) {
    const character = pattern[at]!;
    if (character === '*') tokens.push(STAR);
    else if (character === '?') tokens.push(() => true);
    else if (character === '[') {
      const found = CHARACTER_CLASS.exec(pattern.slice(at));
      if (found === null) return undefined;
      const test = characterClass(found[2]!, found[1] !== '');
      tokens.push(test);
      at += found[0].length - 1;
    } else {
      if (character === '\\' && ++at === pattern.length) return undefined;
      const literal = pattern[at]!;
      tokens.push((given) => given === literal);
    }
  }
  return tokens;
}

/** A bracket that comes first stands for itself, as one behind a backslash does. */
const CHARACTER_CLASS = /^\[([!^]?)(\]?(?:\[:[a-z]+:\]|\\.|[^\]\\])*)\]/s;
const MEMBER = /\[:([a-z]+):\]|(\\.|[^\\])-(\\.|[^\\\]])|(\\.|[^\\])/gs;

const NAMED_CLASSES: Readonly<Record<string, RegExp>> = {
  alnum: /[a-z0-9]/i,
  alpha: /[a-z]/i,
  blank: /[ \t]/,
  cntrl: /[\0-\x1f\x7f]/,
  digit: /[0-9]/,
  graph: /[!-~]/,
  lower: /[a-z]/,
  print: /[ -~]/,
  punct: /[!-/:-@[-`{-~]/,
  space: /[ \t-\r]/,
  upper: /[A-Z]/,
  xdigit: /[0-9a-f]/i,
};

function characterClass(body: string, isNegated: boolean): (character: string) => boolean {
  const members = [...body.matchAll(MEMBER)].map(([, named, from, to, single]) => {
    if (named !== undefined) return (character: string) => NAMED_CLASSES[named]?.test(character) ?? false;
    const first = (from ?? single)!.slice(-1);
    const last = (to ?? single)!.slice(-1);
    return (character: string) => character >= first && character <= last;
  });
  return (character) => members.some((holds) => holds(character)) !== isNegated;
}
