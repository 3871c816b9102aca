/** Spellings that some file system takes for the same name. */
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { foldPath } from '../../src/policy/fold.ts';

describe('foldPath', () => {
  it.each([
    ['capitals', '.SSH/Id_RSA', '.ssh/id_rsa'],
    ['the Kelvin sign', '.\u212aube', '.kube'],
    ['the long s', '.\u017f\u017fh', '.ssh'],
    ['full-width letters', '.ｇｉｔ/ｃonfig', '.git/config'],
    ['ligatures', 'pro\ufb01le', 'profile'],
    ['a decomposed accent', 'cafe\u0301', 'caf\u00e9'],
    ['a zero-width joiner', '.g\u200dit', '.git'],
    ['a zero-width non-joiner', '.gi\u200ct', '.git'],
    ['a soft hyphen', '.s\u00adsh', '.ssh'],
    ['a byte order mark', '\ufeff.git', '.git'],
    ['a direction mark', '.git\u202e', '.git'],
    ['a variation selector', '.git\ufe0f', '.git'],
    ['a dot at the end', '.git./config', '.git/config'],
    ['blanks and dots at the end', '.git . ./config. ', '.git/config'],
    ['a dot hidden behind an ignored character', '.git.\u200b/x', '.git/x'],
    ['an ellipsis at the end', '.git\u2026', '.git'],
  ])('folds %s', (_, path, folded) => {
    expect(foldPath(path)).toBe(folded);
  });

  it.each(['.', 'a', 'src/index.ts', '.git/config', 'a-b_c.d/e', '..a', 'a/.b'])(
    'leaves %s as it is',
    (path) => {
      expect(foldPath(path)).toBe(path);
    },
  );

  it('leaves a name of dots alone', () => {
    expect(foldPath('A/../..')).toBe('a/../..');
  });

  it('keeps different names apart', () => {
    const paths = ['.git', 'git', '.gitignore', '.git-x', '.ssh', '.s-sh', 'a b', 'ab'];
    expect(new Set(paths.map(foldPath)).size).toBe(paths.length);
  });

  it('folds to something that stays, and does not look at capitals', () => {
    const names = fc.array(
      fc.string({
        unit: fc.constantFrom('a', 'Z', '.', ' ', '-', 'é', 'e\u0301', 'ﬁ', '\u200d', 'K', '１'),
        minLength: 1,
        maxLength: 5,
      }),
      { minLength: 1, maxLength: 4 },
    );
    fc.assert(
      fc.property(names, (parts) => {
        const path = parts.join('/');
        const folded = foldPath(path);
        expect(foldPath(folded)).toBe(folded);
        expect(foldPath(path.toUpperCase())).toBe(foldPath(path.toLowerCase()));
      }),
    );
  });
});
