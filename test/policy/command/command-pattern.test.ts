import { describe, expect, it } from 'vitest';
import { compileCommandPattern } from '../../../src/policy/command/command-pattern.ts';
import { analysed } from './analysed.ts';

/** Whether a part of a command fits. */
function fits(pattern: string, command: string, strict: boolean): boolean {
  return analysed(command).parts.some(compileCommandPattern(pattern, { strict }));
}

describe('compileCommandPattern', () => {
  it.each([
    ['npm test', 'npm test'],
    ['npm test', '"npm"  te\'st\''],
    ['npm *', 'npm'],
    ['npm *', 'npm test'],
    ['npm *', 'npm run build -- --watch'],
    ['npm run *', 'npm run'],
    ['npm run *', 'npm run a b c'],
    ['npm run test:*', 'npm run test:unit'],
    ['npm * build', 'npm run build'],
    ['git commit -m *', "git commit -m 'a b c'"],
    ['git commit -m *', 'git commit -m'],
    ['*', 'ls'],
    ['ls src/*', 'ls src/a/b'],
    ['ls src/*', "ls 'src/a b'"],
    ['cat *.ts', 'cat a.ts'],
    ['a*b*c x', 'aXbYc x'],
    ['  npm   test ', 'npm test'],
    ['npm test', 'LANG=C npm test'],
    ['npm test', 'timeout 5 npm test'],
    ['/usr/bin/make *', '/usr/bin/make all'],
  ])('%s fits %s, whatever the rule does', (pattern, command) => {
    expect([fits(pattern, command, true), fits(pattern, command, false)]).toEqual([true, true]);
  });

  it.each([
    ['npm test', 'npm'],
    ['npm test', 'npm test x'],
    ['npm test', "npm 'test x'"],
    ['npm test', "'npm test'"],
    ['npm test *', 'npm tests'],
    ['npm run *', 'npm install'],
    ['npm * build', 'npm build'],
    ['npm * build', 'npm run x build'],
    ['*', 'ls -l'],
    ['cat *.ts', 'cat a.tsx'],
    ['a*b x', "'ab*c' x"],
    ['aba*aba x', 'aba x'],
    ['ls', 'LS'],
    ['make *', 'cmake all'],
  ])('%s does not fit %s, whatever the rule does', (pattern, command) => {
    expect([fits(pattern, command, true), fits(pattern, command, false)]).toEqual([false, false]);
  });

  it.each([
    ['make *', '/usr/bin/make all'],
    ['make *', './make all'],
    ['rm *', 'rm "$x"'],
    ['rm -rf *', 'rm $x'],
    ['rm -rf /', 'rm $x /'],
    ['rm *', '$x -rf'],
    ['rm', '$x'],
    ['npm publish', 'npm "$x"'],
    ['npm publish', 'npm $x'],
    ['npm publish *', 'npm $(cat x)'],
    ['npm publish --tag x', 'npm $x'],
    ['npm test', 'FOO=1 npm test'],
    ['npm test', 'cd "$x" && npm test'],
    ['rm *', 'echo x | xargs rm'],
    ['git push *', 'git $x'],
    ['git commit', 'git -C x commit'],
    ['git push *', 'git --no-pager -c user.name=x push origin'],
    ['rm -r *', 'rm -? x'],
    ['git push', 'git pu?h'],
    ['git push *', 'git p[u]* origin'],
    ['touch *', '/usr/bin/t?uch x'],
    ['npm pub*', 'npm p*'],
    ['touch *', "env -S 'touch x'"],
    ['touch *', "env -i -S'touch x' y"],
  ])('%s fits %s only for a rule that forbids or asks', (pattern, command) => {
    expect([fits(pattern, command, true), fits(pattern, command, false)]).toEqual([false, true]);
  });

  it.each([
    ['git push *', 'git status "$x"'],
    ['rm *', 'cat "$x"'],
    ['npm publish', 'npm test "$x"'],
    ['git push', 'git ./*.txt'],
    ['rm * /', 'rm -f ./*'],
    ['rm * /*', 'rm -f x*.o'],
    ['git pu*h', 'git l* x'],
  ])('%s never fits %s: what is known speaks against it', (pattern, command) => {
    expect(fits(pattern, command, false)).toBe(false);
  });

  it.each(['', '   ', 'a'.repeat(1_001)])('refuses a pattern that says nothing, or too much', (pattern) => {
    expect(() => compileCommandPattern(pattern, { strict: true })).toThrow(/can not be used/);
  });

  it('takes no time for patterns of many stars', () => {
    expect(fits(`${'a*'.repeat(400)}b`, 'a'.repeat(5_000), true)).toBe(false);
  });
});
