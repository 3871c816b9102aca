/**
 * Command lines from a shell's grammar. Every name comes from a closed set, no path is absolute, and the few `..` never
 * lead out of the case's own folder: whatever a shell makes of such a text, it touches nothing else.
 */
import type { Random } from './random.ts';

/** Programs that exist, all of them recorders. */
export const PROGRAMS = ['alpha', 'bravo', 'charlie', 'delta', 'cat', 'ls', 'touch', 'rm', 'grep'];
/** Real programs that start others. */
export const STARTERS = ['env', 'nice', 'timeout', 'xargs', 'nohup', 'setsid', 'find'];

const LITERALS = [
  'one',
  'two',
  '-n',
  '--',
  'a=b',
  'x,y',
  '1',
  '2',
  '%s',
  '@',
  '+',
  ':',
  'if',
  'do',
  'time',
  '[',
  ']',
  '{}',
  'é',
  'Áă‡',
];
const FILES = ['out', 'log', 'res', 'sub/in'];
const VARIABLES = ['v', 'w', 'unset'];

/** How deep a case's folder lies below the place that may be written: a command climbs less. */
export const MAX_CLIMBS = 3;

export class Generator {
  readonly #random: Random;
  #budget = 0;
  #climbs = 0;
  #isRepeated = false;

  constructor(random: Random) {
    this.#random = random;
  }

  /** A command line that the grammar makes. */
  whole(): string {
    this.#budget = 3 + this.#random.below(9);
    this.#climbs = MAX_CLIMBS;
    this.#isRepeated = false;
    return this.#lists(1 + this.#random.below(3));
  }

  /** Texts that shells read differently, among others. */
  disputed(): string {
    this.#budget = 2;
    this.#climbs = 0;
    this.#isRepeated = false;
    const commands = Array.from({ length: 1 + this.#random.below(3) }, () =>
      this.#random.pick([
        () => this.#random.pick(DISPUTED_COMMANDS),
        () => `${this.#random.pick(PROGRAMS)} ${this.#random.pick(DISPUTED_WORDS)}`,
        () => `${this.#random.pick(PROGRAMS)} one${this.#random.pick(DISPUTED_WORDS)} ${this.#word()}`,
        () => this.#simple(),
      ])(),
    );
    const start = this.#random.chance(0.5) ? "w='a[$(alpha hidden)]'\n" : '';
    return start + commands.join(this.#random.pick(['; ', '\n', ' && ', ' || ', ' | ', ' & ']));
  }

  /** Pieces of the grammar in any order, half of them closed again. */
  spliced(): string {
    const open: string[] = [];
    let text = '';
    for (let count = 3 + this.#random.below(12); count > 0; count--) {
      const [piece, end] = this.#random.pick(PIECES);
      if (end !== undefined) open.push(end);
      text += piece;
      if (open.length > 0 && this.#random.chance(0.5)) text += open.pop()!;
      text += this.#random.pick(['', ' ', ' ', '\n']);
    }
    return text + open.reverse().join('');
  }

  /** A command line with stray characters in it: no slash, no dot and no loop, so that it stays where it is. */
  broken(): string {
    this.#budget = 6;
    const words = Array.from({ length: 2 + this.#random.below(6) }, () => this.#flatWord());
    let text = words.join(' ');
    for (let stray = 1 + this.#random.below(7); stray > 0; stray--) {
      const at = this.#random.below(text.length + 1);
      text = text.slice(0, at) + this.#random.pick(STRAY) + text.slice(at);
    }
    return text;
  }

  #flatWord(): string {
    const word = this.#random.pick([
      ...PROGRAMS,
      ...PROGRAMS,
      'one',
      'out',
      'v=one',
      '-n',
      'if',
      'then',
      'fi',
      '{',
      '}',
      '!',
      'eval',
      'case',
      'in',
      'esac',
      'time',
      '[[',
      ']]',
      'E',
    ]);
    return this.#random.chance(0.2) ? this.#quoted(word) : word;
  }

  #lists(count: number): string {
    return Array.from({ length: count }, () => this.#list()).join(
      this.#random.pick(['; ', '\n', ' ; ', '\n\n', ' &\n']),
    );
  }

  #list(): string {
    const first = this.#pipeline();
    return this.#random.chance(0.35)
      ? `${first} ${this.#random.pick(['&&', '||'])} ${this.#pipeline()}`
      : first;
  }

  #pipeline(): string {
    const count = this.#random.chance(0.2) ? 2 : 1;
    const commands = Array.from({ length: count }, () => this.#command());
    const prefix = this.#random.chance(0.06) ? '! ' : '';
    return prefix + commands.join(this.#random.pick([' | ', '|', ' |\n', ' |& ']));
  }

  #command(): string {
    if (this.#budget-- <= 0) return this.#simple();
    const kind = this.#random.below(31);
    if (kind < 16) return this.#simple();
    if (kind < 19) return this.#directory();
    if (kind < 22) return this.#started();
    return this.#compound(kind) + (this.#random.chance(0.2) ? this.#redirection() : '');
  }

  #compound(kind: number): string {
    switch (kind) {
      case 22:
        return `(${this.#lists(2)}\n)`;
      case 23:
        return `{ ${this.#lists(1)}\n}`;
      case 24:
        return `if ${this.#list()}\nthen ${this.#list()}\nelse ${this.#list()}\nfi`;
      case 25:
        return this.#repeated(() => `for v in ${this.#words(2)}; do ${this.#lists(1)}\ndone`);
      case 26:
        return `case ${this.#word()} in one|"two") ${this.#list()}\n;; *) ${this.#list()}\n;; esac`;
      case 27:
        if (this.#random.chance(0.8)) return this.#simple();
        return this.#repeated(
          () =>
            `${this.#random.pick(['fun() {', 'function fun {'])} ${this.#lists(1)}\n}; fun ${this.#word()}`,
        );
      case 28:
        return this.#repeated(() => `while false; do ${this.#lists(1)}\ndone`);
      case 29:
        return this.#random.pick(DISPUTED_COMMANDS);
      default:
        return this.#random.pick([
          () => `[[ ${this.#word()} == ${this.#word()} ]]`,
          () => `((1 + 1))`,
          () => `eval ${this.#quoted(this.#nestedScript())}`,
          () => `cat <<E\n${this.#substitution()} one $v\nE\n`,
          () => `cat <<'E'\n$(alpha)\nE\n`,
          () => `${this.#simple()} # $(alpha) "`,
          () => `coproc ${this.#simple()}`,
        ])();
    }
  }

  #repeated(make: () => string): string {
    const before = this.#isRepeated;
    this.#isRepeated = true;
    const made = make();
    this.#isRepeated = before;
    return made;
  }

  #nestedScript(): string {
    return this.#lists(1);
  }

  #simple(): string {
    const assignments = this.#random.chance(0.1) ? `${this.#assignment()} ` : '';
    if (this.#random.chance(0.05)) return this.#assignment();
    const early = this.#random.chance(0.05) ? `${this.#redirection()} ` : '';
    const words = this.#random.chance(0.8) ? ` ${this.#words(1 + this.#random.below(3))}` : '';
    const late = this.#random.chance(0.3) ? this.#redirection() : '';
    return assignments + early + this.#program() + words + late;
  }

  #program(): string {
    const program = this.#random.pick(PROGRAMS);
    if (this.#random.chance(0.8)) return program;
    return this.#random.pick([
      () => this.#quoted(program),
      () => `${program[0]}\\${program.slice(1)}`,
      () => `${program[0]}''${program.slice(1)}`,
      () => `\\${program}`,
      () => `$v`,
      () => `command ${program}`,
      () => `exec ${program}`,
    ])();
  }

  /** Programs that start others. */
  #started(): string {
    const inner = `${this.#random.pick(PROGRAMS)} ${this.#words(1)}`;
    return this.#random.pick([
      () => `env ${inner}`,
      () => `env v=one ${inner}`,
      () => `env -u v -- ${inner}`,
      () => `nice -n 1 ${inner}`,
      () => `timeout 5 ${inner}`,
      () => `timeout -k 1 5 nice ${inner}`,
      () => `nohup ${inner}`,
      () => `printf 'one two' | xargs ${inner}`,
      () => `printf one | xargs -I{} ${this.#random.pick(PROGRAMS)} x{}y ${this.#word()}`,
      () => `find . -maxdepth 1 -name 'k*' -exec ${inner} {} \\;`,
      () => `sh -c ${this.#quoted(this.#nestedScript())}`,
      () => `sh -ec ${this.#quoted(this.#nestedScript())} one two`,
      () => `bash -c ${this.#quoted(this.#nestedScript())}`,
    ])();
  }

  #directory(): string {
    const mayClimb = this.#climbs > 0 && !this.#isRepeated;
    const path = this.#random.pick(
      mayClimb ? ['sub', 'sub/deep', '..', '../other', 'missing', './sub'] : ['sub', 'missing', './sub'],
    );
    if (path.includes('..')) this.#climbs--;
    return `${this.#random.pick(['cd', 'cd', 'cd', 'command cd', '\\cd', 'cd --'])} ${path}`;
  }

  #redirection(): string {
    const operator = this.#random.pick([
      '>',
      '>',
      '>>',
      '>|',
      '2>',
      '<>',
      '&>',
      '>&',
      '&>>',
      '<',
      '3>',
      '2>&1 >',
    ]);
    const blank = this.#random.pick(['', ' ']);
    return ` ${operator}${blank}${this.#target()}`;
  }

  #target(): string {
    const file = this.#random.pick(FILES);
    if (this.#climbs > 0 && !this.#isRepeated && this.#random.chance(0.15)) {
      this.#climbs--;
      return `../${file}`;
    }
    return this.#random.pick([file, file, `"${file}"`, `./${file}`, `'${file} x'`]);
  }

  #words(count: number): string {
    return Array.from({ length: count }, () => this.#word()).join(' ');
  }

  #word(): string {
    const literal = this.#random.pick(LITERALS);
    const kind = this.#random.below(24);
    if (kind < 9) return literal;
    if (kind < 13) return this.#quoted(literal);
    return this.#random.pick([
      () => `$${this.#random.pick(VARIABLES)}`,
      () => `"$${this.#random.pick(VARIABLES)}"`,
      () => this.#substitution(),
      () => `"${this.#substitution()}"`,
      () => `x${this.#quoted(literal)}y`,
      () => `\${v:-${this.#substitution()}}`,
      () => `"\${v-one}"`,
      () => `$((1 + 2))`,
      () => `k*`,
      () => `su?/*`,
      () => `"*"`,
      () => `\\*`,
      () => `{one,two}`,
      () => `$'a\\tb'`,
      () => `~`,
      () => `<(${this.#random.pick(PROGRAMS)})`,
      () => `\${#v}`,
      () => `\\$v`,
      () => `'$(alpha)'`,
      () => `one\\ two`,
      () => this.#random.pick(DISPUTED_WORDS),
    ])();
  }

  #substitution(): string {
    if (this.#budget-- <= 0) return '$(alpha)';
    return this.#random.pick([
      () => `$(${this.#list()})`,
      () => `$(${this.#lists(1)}\n)`,
      () => `\`${this.#random.pick(PROGRAMS)} one\``,
      () => `$(cat <<E\n$(bravo)\nE\n)`,
    ])();
  }

  #assignment(): string {
    return `${this.#random.pick(['v', 'w', 'LANG', 'LANG', 'LANG'])}=${this.#random.pick(['one', '"two three"', '', this.#random.pick(PROGRAMS), '$(bravo)'])}`;
  }

  /** A text that stands for itself, in one of the ways to write that. */
  #quoted(text: string): string {
    const single = `'${text.replaceAll("'", "'\\''")}'`;
    const double = `"${text.replaceAll(/["\\$`]/g, '\\$&')}"`;
    return this.#random.pick([single, double, double]);
  }
}

const STRAY = [
  ';',
  '&',
  '|',
  '\n',
  '"',
  "'",
  '\\',
  '$',
  '(',
  ')',
  '{',
  '}',
  '>',
  '<',
  '#',
  '`',
  ' ',
  '!',
  '=',
  '[',
  ']',
  '~',
  '*',
  '?',
  '$(',
  '${',
  '&&',
  '<<',
  '\t',
  '$((',
  ';;',
  '\\\n',
  "$'",
  '\v',
  ' ',
];

/** Commands that shells read differently, or that run what a variable holds. */
const DISPUTED_COMMANDS = [
  '((alpha))',
  '((alpha one))',
  '[[ one || alpha ]]',
  '[[ one || ! alpha ]]',
  '[[ one > out ]]',
  '[[ one =~ two|alpha ]]',
  '[[ w -eq 1 ]]',
  '[[ -v $w ]]',
  'alpha &> out bravo',
  '&> out alpha',
  'alpha 10> out',
  'alpha {v}> out',
  'alpha >& out',
  'test -v "$w"',
  '[ -v "$w" ]',
  'printf -v "$w" one',
  'unset "$w"',
  'let w',
  'read "$w"',
  'alpha[$w]=one',
  'alias bravo=alpha\nbravo one',
  'trap alpha EXIT',
  'function alpha { bravo; }\nalpha',
  'alpha() bravo one\nalpha',
  'coproc alpha',
  '!(alpha)',
  'time -p alpha',
  'time { alpha; }',
  'for ((;v<1;v=1)); do alpha; done',
  'select v in one; do alpha; done',
  'cat <<$v\n$(alpha)\n$v\nbravo',
  'cat <<"E F"\n$(alpha)\nE F\nbravo',
  'cat <<\\E\n$(alpha)\nE\nbravo',
  'cat <<E\n\\$(alpha)\n\\\nE\nE\nbravo',
  'cat <<E; bravo\n$(cat <<F\n$(alpha)\nF\n)\nE',
  'cat <<E <<F\n$(alpha)\nE\n`bravo`\nF',
  'echo "$(case one in one) alpha;; esac)"',
  'echo $(alpha # )\n)',
  'set -k; alpha v=one',
  'set -- alpha; "$@"',
  'v=bravo; env $v one',
  "v='one alpha two'\nenv LANG=C LANG=$v bravo",
  "v='one ; -exec alpha two'\nfind . -name kept -exec bravo $v {} \\;",
  "v='C alpha'\nexport LANG=$v",
  'touch 5 5s\ntimeout 5* alpha',
  'exec >out; alpha',
  'cd sub &>log && alpha >out',
  'cd sub | alpha >out',
  'cd sub && alpha >out & bravo >log',
];

const DISPUTED_WORDS = [
  '$((w))',
  '${!w}',
  '${w@P}',
  '${v:w}',
  '${v[w]}',
  '$[w]',
  '$[$(alpha) ]',
  '`alpha "one two"`',
  '"`alpha "one two"`"',
  '"`alpha \\"one two\\"`"',
  '`alpha \\`bravo\\``',
  '"${v:-\'one}"',
  '"${v:-"one two"}"',
  "${v:-'one two'}",
  '"${v:-\'$(alpha)\'}"',
  '"${v#\'}\'}"',
  "$'one\\' two'",
  "$'one'",
  '$"one"',
  '${ alpha; }',
  '$((alpha);(bravo))',
  '$( (alpha) )',
  '{alpha,one}',
  'x{1..2}',
  '{"one",two}',
  '~+',
  'v=~',
  '@(one|two)',
  '"$@"',
  '$*',
  '"${v}"two',
  '$v"one"',
  '\\\none',
  'one\\\ntwo',
  '"one \\\ntwo"',
  '"\\a\\$\\`"',
  '"$"',
  '$',
  '%{',
  '[a',
  '[!k]*',
  '-?',
];

/** A piece of the grammar, and what closes it. */
const PIECES: readonly (readonly [piece: string, end?: string])[] = [
  ['alpha'],
  ['bravo one'],
  ['charlie "two"'],
  ['delta'],
  ['one'],
  ['-n'],
  ['v=one'],
  [' > out'],
  [' >> log'],
  [' 2>&1'],
  [' < kept'],
  ['; '],
  [' && '],
  [' || '],
  [' | '],
  [' & '],
  ['\n'],
  [' # one'],
  ['! '],
  ['\\'],
  [' \\\n'],
  ['*'],
  ['$v'],
  ['$$'],
  ['time '],
  ["'", "'"],
  ['"', '"'],
  ['$(', ')'],
  ['"$(', ')"'],
  ['$(alpha ', ')'],
  ['`', '`'],
  ['${v:-', '}'],
  ['"${v-', '}"'],
  ['${v#', '}'],
  ['$((1+', '))'],
  ["$'", "'"],
  ['$"', '"'],
  ['(', ')'],
  ['{ ', '; }'],
  ['{', '}'],
  ['((', '))'],
  ['[[ ', ' ]]'],
  ['[ ', ' ]'],
  ['<(', ')'],
  ['if alpha; then ', '; fi'],
  ['if ', '; then bravo; fi'],
  ['for v in one two; do ', '; done'],
  ['for v in ', '; do alpha; done'],
  ['case one in one) ', ';; esac'],
  ['case ', ' in *) alpha;; esac'],
  ['cat <<E\n', '\nE\n'],
  ["cat <<'E'\n", '\nE\n'],
  ['cat <<-E\n\t', '\n\tE\n'],
  ['<<E ', '\none\nE\n'],
  ["eval '", "'"],
  ["sh -c '", "'"],
  ['v=(', ')'],
];
