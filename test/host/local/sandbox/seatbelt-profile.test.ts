import { describe, expect, it } from 'vitest';
import { seatbeltProfile } from '../../../../src/host/local/sandbox/seatbelt-profile.ts';

const PLACES = {
  workspace: '/Users/ada/p',
  home: '/Users/ada',
  isReadOnly: false,
  hidden: ['/Users/ada/p/closed'],
  frozen: ['/Users/ada/p/a/"b"'],
  toolchains: ['/Users/ada/.nvm'],
  writable: ['/Users/ada/state/tmp/1'],
  own: ['/Users/ada/state'],
};

describe('seatbeltProfile', () => {
  it('allows what is needed first, and holds what is held after it', () => {
    expect(seatbeltProfile(PLACES).split('\n').slice(6)).toEqual([
      '(allow file-read* (subpath "/"))',
      '(deny file-read* (subpath "/Users") (subpath "/Users/ada") (subpath "/tmp") (subpath "/private/tmp") (subpath "/var/tmp") (subpath "/private/var/tmp") (subpath "/private/var/folders") (subpath "/Volumes"))',
      '(allow file-read* (subpath "/Users/ada/p") (subpath "/Users/ada/.nvm") (subpath "/Users/ada/state/tmp/1"))',
      '(allow file-read-metadata (literal "/Users") (literal "/Users/ada") (literal "/Users/ada/state") (literal "/Users/ada/state/tmp"))',
      '(allow file-write* (subpath "/Users/ada/p") (subpath "/Users/ada/state/tmp/1"))',
      '(allow file-write* (literal "/dev/null") (literal "/dev/zero") (literal "/dev/random") (literal "/dev/urandom") (literal "/dev/tty") (literal "/dev/dtracehelper"))',
      '(deny file-write* (subpath "/Users/ada/p/a/\\"b\\"") (subpath "/Users/ada/p/.git/hooks") (subpath "/Users/ada/p/.git/config"))',
      '(deny file-write-unlink (literal "/Users/ada/p/a") (literal "/Users/ada/p/.git"))',
      '(deny file-read* file-write* (subpath "/Users/ada/p/closed") (subpath "/Users/ada/state"))',
      '(allow file-read* file-write* (subpath "/Users/ada/state/tmp/1"))',
      '(deny network*)',
    ]);
  });

  it('lets a read-only workspace be read', () => {
    const profile = seatbeltProfile({ ...PLACES, isReadOnly: true });
    expect(profile).toContain('(allow file-write* (subpath "/Users/ada/state/tmp/1"))');
    expect(profile).toContain('(allow file-read* (subpath "/Users/ada/p")');
  });

  it('starts by denying everything', () => {
    expect(seatbeltProfile(PLACES).split('\n').slice(0, 2)).toEqual(['(version 1)', '(deny default)']);
  });
});
