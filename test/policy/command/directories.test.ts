import { describe, expect, it } from 'vitest';
import { analysed, files, isUnclear } from './analysed.ts';

/** Where the last part runs. */
function lastDirectory(command: string, directory = '.'): string | undefined {
  return analysed(command, directory).parts.at(-1)?.directory;
}

describe('the directory of a part', () => {
  it.each([
    ['npm test', '.'],
    ['cd sub && npm test', 'sub'],
    ['cd sub/deep && npm test', 'sub/deep'],
    ['cd ./sub && npm test', 'sub'],
    ['cd sub && cd deep && npm test', 'sub/deep'],
    ['cd sub && cd .. && npm test', '.'],
    ['cd sub/../other && npm test', 'other'],
    ['cd /ws/sub && npm test', 'sub'],
    ['cd "a b" && npm test', 'a b'],
    ['cd -- sub && npm test', 'sub'],
    ['cd -L sub && npm test', 'sub'],
    ['command cd sub && npm test', 'sub'],
    ["eval 'cd sub' && npm test", 'sub'],
    ['{ cd sub; } && npm test', 'sub'],
    ['cd sub || exit; npm test', 'sub'],
    ['cd sub || exit 1\nnpm test', 'sub'],
    ['! cd sub || npm test', 'sub'],
    ['if cd sub; then npm test; fi', 'sub'],
    ['pushd sub && npm test', 'sub'],
    ['(cd sub); npm test', '.'],
    ['cd sub & npm test', '.'],
    ['cd sub | true; npm test', '.'],
    ['echo $(cd sub); npm test', '.'],
    ["sh -c 'cd sub'; npm test", '.'],
    ['env cd sub; npm test', '.'],
    ['(cd sub && npm test)', 'sub'],
    ["sh -c 'cd sub && npm test'", 'sub'],
    ['env -C sub npm test', 'sub'],
    ['env --chdir=sub npm test', 'sub'],
    ['git -C sub commit', 'sub'],
    ['git -C sub -C deep commit', 'sub/deep'],
    ['git -C sub -C /ws/x commit', 'x'],
    ['make -C sub all', 'sub'],
    ['make --directory=sub all', 'sub'],
    ['tar -C sub -xf a.tar', 'sub'],
    ['tar xf a.tar --directory sub', 'sub'],
    ['cd /etc && npm test', undefined],
    ['cd .. && npm test', undefined],
    ['cd && npm test', undefined],
    ['cd - && npm test', undefined],
    ['cd ~ && npm test', undefined],
    ['cd "$x" && npm test', undefined],
    ['cd $x; npm test', undefined],
    ['cd -P sub && npm test', undefined],
    ['cd sub; npm test', undefined],
    ['cd sub || true; npm test', undefined],
    ['cd sub || cd other; npm test', undefined],
    ['if x; then cd sub; fi; npm test', undefined],
    ['for i in a b; do cd sub; done; npm test', undefined],
    ['while cd sub; do :; done; npm test', undefined],
    ['case x in x) cd sub;; esac; npm test', undefined],
    ['time cd sub && npm test', undefined],
    ['popd; npm test', undefined],
    ['. ./x; npm test', undefined],
    ['eval "$x"; npm test', undefined],
    ['$x sub; npm test', undefined],
    ['cd() { :; }; cd sub; npm test', undefined],
    ['chroot sub npm test', undefined],
    ['find . -execdir npm test \\;', undefined],
    ['git -C "$x" commit', undefined],
    ['git -C sub/.. commit', undefined],
    ['cd sub && git -C .. commit', undefined],
    ['cd sub && env -C .. npm test', undefined],
    ['git -C / commit', undefined],
    ['make -C "$x"', undefined],
  ])('SH-11 of %s is %s', (command, expected) => {
    expect(lastDirectory(command)).toBe(expected);
  });

  it('starts in the directory of the call', () => {
    expect([lastDirectory('npm test', 'a/b'), lastDirectory('cd .. && npm test', 'a/b')]).toEqual([
      'a/b',
      'a',
    ]);
  });

  it.each([
    'cd / && npm test',
    'cd "$x" && npm test',
    'cd .. ; npm test',
    'git -C .. commit',
    'git -C "$x" commit',
    'make -C ..',
  ])('SH-11 no rule allows %s', (command) => {
    expect(analysed(command).parts.at(-1)?.unclear).toBeDefined();
  });

  it('is not needed where every one it may be is inside', () => {
    expect(isUnclear('cd sub; npm test')).toBe(false);
  });
});

describe('paths', () => {
  it.each<[command: string, expected: string[]]>([
    ['cd sub && echo x > f', ['write /ws/sub/f']],
    ['cd sub && echo x > ../../out/f', ['write /out/f']],
    ['pushd sub && echo x > ../../out/f', ['write /out/f']],
    ['cd sub; echo x > f', ['write /ws/sub/f', 'write /ws/f']],
    ['cd sub || exit; echo x > f', ['write /ws/sub/f']],
    ['(cd sub); echo x > f', ['write /ws/f']],
    ['cd sub && cat a /b', ['read /ws/sub/a', 'read /b']],
    ['cd .git && echo x > config', ['write /ws/.git/config']],
    ['cd sub > f', ['write /ws/f']],
    ['{ cd sub; echo > a; } > b', ['write /ws/b', 'write /ws/sub/a', 'write /ws/a']],
    ['cd "$x" && echo > /tmp/f', ['write /tmp/f']],
    ['env -C sub touch f', ['write /ws/sub/f']],
  ])('SH-11 in %s are judged from where it runs', (command, expected) => {
    expect(files(command)).toEqual(expected);
  });

  it.each([
    'cd "$x" && echo > f',
    'cd "$x" && cat f',
    'cd "$x" && touch f',
    'cd - ; echo > f',
    'popd; echo > f',
  ])('SH-11 in %s are unclear', (command) => {
    expect(isUnclear(command)).toBe(true);
  });

  it.each(['cat sub/../f', 'cd sub && cat ../f', 'echo > sub/../f', 'cat sub/*/../f', 'cat */../../f'])(
    'in %s may go through a link, and are unclear',
    (command) => {
      expect(isUnclear(command)).toBe(true);
    },
  );

  it('out of the directory of the call are as written: no link leads there', () => {
    expect({
      files: files('cat ../f', 'a/b'),
      unclear: analysed('cat ../f', 'a/b').parts[0]?.unclear,
    }).toEqual({ files: ['read /ws/a/f'], unclear: undefined });
  });
});

describe('the files of writers', () => {
  it.each<[command: string, expected: string[]]>([
    ['rm a b', ['write /ws/a', 'write /ws/b']],
    ['rm -rf src', ['write /ws/src/*']],
    ['rm -f -- -x', ['write /ws/-x']],
    ['rm build/*', ['write /ws/build/*']],
    ['rmdir a', ['write /ws/a']],
    ['mv a b/c', ['write /ws/a/*', 'write /ws/b/c/*']],
    ['mv -t d a', ['write /ws/a/*', 'write /ws/d/*']],
    ['cp a b', ['read /ws/a', 'write /ws/b']],
    ['cp -r a b c', ['read /ws/a/*', 'read /ws/b/*', 'write /ws/c/*']],
    ['cp -t d a b', ['read /ws/a', 'read /ws/b', 'write /ws/d']],
    ['ln -s ../x y', ['read /x', 'write /ws/y']],
    ['mkdir -p a/b', ['write /ws/a/b']],
    ['mkdir -m 700 a', ['write /ws/a']],
    ['touch -d yesterday a', ['write /ws/a']],
    ['echo x | tee -a log', ['write /ws/log']],
    ['chmod +x a', ['write /ws/a']],
    ['chmod -R 755 src', ['write /ws/src/*']],
    ['chown -R x:y src', ['write /ws/src/*']],
    ['truncate -s 0 a', ['write /ws/a']],
    ['dd if=a of=b bs=1', ['read /ws/a', 'write /ws/b']],
    ['sed -i s/a/b/ f g', ['write /ws/f', 'write /ws/g']],
    ['sed -i.bak -e s/a/b/ f', ['write /ws/f']],
    ['install -m 755 a /usr/bin/b', ['read /ws/a', 'write /usr/bin/b']],
    ['sort -o out f', ['write /ws/out']],
    ['sort -uoout f', ['write /ws/out']],
    ['sort --output=out f', ['write /ws/out']],
    ['uniq f out', ['write /ws/out']],
    ['find src -delete', ['read /ws/src/*', 'write /ws/src/*']],
    ['find . -fprintf out x', ['read /ws/*', 'write /ws/out']],
    ['strace -o out true', ['write /ws/out']],
    ['flock lock true', ['write /ws/lock']],
    ['rm "$x"', []],
  ])('of %s are known', (command, expected) => {
    expect(files(command)).toEqual(expected);
  });
});
