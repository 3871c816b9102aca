import { describe, expect, it } from 'vitest';
import { analysed, files, isUnclear } from './analysed.ts';

/** Every operator with the descriptors it may have, and what it does to the file. */
const OPERATORS: readonly (readonly [operator: string, use: 'read' | 'write'])[] = [
  ['>', 'write'],
  ['>>', 'write'],
  ['>|', 'write'],
  ['<>', 'write'],
  ['&>', 'write'],
  ['&>>', 'write'],
  ['>&', 'write'],
  ['1>', 'write'],
  ['2>', 'write'],
  ['2>>', 'write'],
  ['3>', 'write'],
  ['9>|', 'write'],
  ['0<>', 'write'],
  ['<', 'read'],
  ['0<', 'read'],
  ['3<', 'read'],
];

const TARGETS: readonly (readonly [target: string, path: string])[] = [
  ['f', '/ws/f'],
  ['./sub/f', '/ws/sub/f'],
  ['../out/f', '/out/f'],
  ['/etc/passwd', '/etc/passwd'],
  ['.git/hooks/x', '/ws/.git/hooks/x'],
  ['"a b"', '/ws/a b'],
  ["'$x'", '/ws/$x'],
  ['f\\ g', '/ws/f g'],
  ["f''g", '/ws/fg'],
  ['"*"', '/ws/*'],
];

const MATRIX = OPERATORS.flatMap(([operator, use]) =>
  TARGETS.map(([target, path]) => [operator, target, `${use} ${path}`] as const),
);

describe('redirections', () => {
  it.each(MATRIX)('SH-10 %s %s is seen', (operator, target, expected) => {
    expect(files(`true ${operator} ${target}`)).toEqual([expected]);
    expect(files(`true ${operator}${target}`)).toEqual([expected]);
  });

  it.each([
    ['bare', '> f'],
    ['of exec', 'exec 3> f'],
    ['in front', '> f echo a'],
    ['between words', 'echo > f a'],
    ['of a group', '{ echo a; } > f'],
    ['of a subshell', '(echo a) > f'],
    ['of an if', 'if true; then echo; fi > f'],
    ['of a loop', 'for i in a; do echo; done > f'],
    ['of a while loop', 'while false; do :; done > f'],
    ['of a case', 'case a in a) ;; esac > f'],
    ['of a function', 'g() { echo; } > f'],
    ['of a test', '[[ a == b ]] > f'],
    ['of a pipeline member', 'echo a | cat > f'],
    ['in a substitution', 'echo $(echo a > f)'],
    ['in a default value', 'echo ${x:-$(> f)}'],
    ['in a here-document', 'cat <<E\n$(> f)\nE'],
    ['behind a here-document', 'cat <<E > f\na\nE'],
    ['in a shell', "sh -c 'echo > f'"],
    ['of a wrapper', 'env ls > f'],
    ['of an assignment', 'x=1 > f'],
    ['of another after one', 'ls 2>/dev/null > f'],
    ['copied and opened', 'ls 2>&1 > f'],
  ])('SH-10 %s are seen', (_, command) => {
    expect(files(command)).toContain('write /ws/f');
  });

  it.each([
    '>/dev/null',
    '2>/dev/null',
    '&>/dev/null',
    '>/dev/stdout',
    '>/dev/stderr',
    '</dev/stdin',
    '>/dev/fd/3',
    '</dev/zero',
    '</dev/urandom',
    '2>&1',
    '>&2',
    '1>&2',
    '2>&-',
    '<&-',
    '<&0',
    '3>&1-',
    '>//dev//null',
  ])('%s opens no file', (redirection) => {
    expect({ files: files(`true ${redirection}`), isUnclear: isUnclear(`true ${redirection}`) }).toEqual({
      files: [],
      isUnclear: false,
    });
  });

  it.each([
    '> $x',
    '> "$x"',
    '> f$x',
    '>> $(pwd)/f',
    '> ~/f',
    '> *',
    '> f?',
    '> {a,b}',
    "> $'f'",
    '>& $x',
    '&> $x',
    '< $x',
    '<> "$x"',
    '> "$@"',
    '10> f',
    '{x}> f',
  ])('SH-10 %s is unclear', (redirection) => {
    expect(isUnclear(`true ${redirection}`)).toBe(true);
  });

  it.each([
    ['cat < /dev/tcp/127.0.0.1/80', '127.0.0.1'],
    ['echo a > /dev/tcp/example.com/443', 'example.com'],
    ['exec 3<>/dev/udp/10.0.0.1/53', '10.0.0.1'],
    ['(cat) 5<>"/dev/tcp/h/1"', 'h'],
  ])('SH-10 %s reaches a host', (command, host) => {
    expect(analysed(command).hosts).toEqual([host]);
  });

  it('SH-10 a host that only the shell knows is unclear', () => {
    expect(isUnclear('cat < /dev/tcp/$x/80')).toBe(true);
  });
});
