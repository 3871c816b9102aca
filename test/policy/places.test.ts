/** Places that no rule opens. */
import { describe, expect, it } from 'vitest';
import { PERMISSIONS } from '../../src/policy/access.ts';
import { protectPlaces } from '../../src/policy/places.ts';

const LOCATIONS = {
  home: '/home/user',
  state: '/home/user/.local/state/handrail',
  config: '/home/user/.config/handrail',
};
const PROJECT = protectPlaces(['/home/user/project'], LOCATIONS);

const SSH = 'An `.ssh` folder is out of reach of tools.';
const OWN = "Handrail's own state and config are out of reach of tools.";
const CREDENTIALS = "Credentials of the user's home are out of reach of tools.";
const GIT = "Git's hooks and config are not changed by file tools: git would obey them later.";

describe('protectPlaces in any workspace', () => {
  it.each([
    '.ssh',
    '.ssh/id_rsa',
    'deep/.ssh/config',
    '.SSH/known_hosts',
    '.s\u200bsh',
    '.ssh./x',
    '.\uff53\uff53h/x',
    '.\u017f\u017fh',
  ])('closes %s to every permission', (path) => {
    expect(PERMISSIONS.map((permission) => PROJECT(permission, path))).toEqual(PERMISSIONS.map(() => SSH));
  });

  it.each([
    '.handrail-call_01-1.tmp',
    'deep/.handrail-call_01-1.tmp',
    '.Handrail-CALL_01-1.tmp',
    '.handrail-call_x.tmp/y',
  ])('closes %s, which is being written, to every permission', (path) => {
    const reason = 'A file that is being written is out of reach of tools.';
    expect(PERMISSIONS.map((permission) => PROJECT(permission, path))).toEqual(PERMISSIONS.map(() => reason));
  });

  it.each([
    '.git/hooks',
    '.git/hooks/pre-commit',
    '.git/config',
    '.git/config.worktree',
    '.git/commondir',
    '.git/modules/sub/config',
    '.git/modules/sub/hooks/post-checkout',
    '.git/worktrees/x/config.worktree',
    'vendor/library/.git/config',
    '.GIT/Config',
    '.git./hooks/x',
    '.g\u200cit/config',
  ])('lets %s be read, but not changed', (path) => {
    expect(PROJECT('fs.read', path)).toBeUndefined();
    expect([PROJECT('fs.write', path), PROJECT('fs.delete', path)]).toEqual([GIT, GIT]);
  });

  it('keeps the `.git` entry, a folder or a file, from being replaced', () => {
    const reason = 'The `.git` entry itself is not changed by file tools.';
    expect([PROJECT('fs.write', '.git'), PROJECT('fs.delete', 'sub/.git')]).toEqual([reason, reason]);
    expect(PROJECT('fs.read', '.git')).toBeUndefined();
  });

  it("keeps the workspace's settings from being changed", () => {
    const reason = "The workspace's Handrail settings are changed by people, not by tools.";
    expect([PROJECT('fs.write', '.handrail/rules.json'), PROJECT('fs.delete', '.HANDRAIL')]).toEqual([
      reason,
      reason,
    ]);
    expect(PROJECT('fs.read', '.handrail/rules.json')).toBeUndefined();
  });

  it.each([
    '.',
    'ssh',
    'x.ssh',
    '.sshd',
    '.gitignore',
    '.github/config',
    'git/config',
    '.git/HEAD',
    '.git/refs/heads/main',
    'hooks/use.ts',
    'config',
    '.vscode/settings.json',
    '.handrail-notes.tmp',
    'handrail-call_01.tmp',
  ])('leaves %s open', (path) => {
    expect([PROJECT('fs.read', path), PROJECT('fs.write', path), PROJECT('fs.delete', path)]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });
});

describe('protectPlaces in a workspace that holds such a place', () => {
  it("closes Handrail's state and config to reading too, whether or not they exist", () => {
    const inState = protectPlaces(['/home/user/.local'], LOCATIONS);
    expect(
      ['state/handrail', 'state/handrail/audit/x.jsonl', 'State/HANDRAIL/x'].map((path) =>
        inState('fs.read', path),
      ),
    ).toEqual([OWN, OWN, OWN]);
    expect(
      ['state', 'state/handrail-other', 'share/handrail'].map((path) => inState('fs.write', path)),
    ).toEqual([undefined, undefined, undefined]);
    const inConfig = protectPlaces(['/home/user/.config'], LOCATIONS);
    expect(inConfig('fs.read', 'handrail/rules.json')).toBe(OWN);
  });

  it("closes the home's credentials", () => {
    const inConfig = protectPlaces(['/home/user/.config'], LOCATIONS);
    expect(
      ['gh/hosts.yml', 'GCloud/credentials.db', 'git/config'].map((path) => inConfig('fs.read', path)),
    ).toEqual([CREDENTIALS, CREDENTIALS, undefined]);
    const inDocker = protectPlaces(['/home/user/.docker'], LOCATIONS);
    expect(['config.json', 'contexts/x'].map((path) => inDocker('fs.read', path))).toEqual([
      CREDENTIALS,
      undefined,
    ]);
  });

  it.each([
    '.gnupg/x',
    '.aws/credentials',
    '.azure/x',
    '.kube/config',
    '.docker/config.json',
    '.config/gh/hosts.yml',
    '.config/gcloud/x',
    '.netrc',
    '.npmrc',
    '.pypirc',
    '.git-credentials',
    '.cargo/credentials.toml',
  ])('knows %s of a home that lies in the workspace', (path) => {
    const protection = protectPlaces(['/container'], {
      home: '/container/home',
      state: '/state',
      config: '/config',
    });
    expect([protection('fs.read', `home/${path}`), protection('fs.read', `elsewhere/${path}`)]).toEqual([
      CREDENTIALS,
      undefined,
    ]);
  });

  it('knows a place by each of its spellings', () => {
    const spellings = (path: string): string[] => [path, path.replace('/home/user', '/data/user')];
    const protection = protectPlaces(['/data/user/.config'], LOCATIONS, spellings);
    expect(['handrail/x', 'gh/hosts.yml', 'other'].map((path) => protection('fs.read', path))).toEqual([
      OWN,
      CREDENTIALS,
      undefined,
    ]);
  });

  it('knows the workspace by each of its spellings', () => {
    const protection = protectPlaces(['/data/user/.local', '/home/user/.local'], LOCATIONS);
    expect(protection('fs.read', 'state/handrail/x')).toBe(OWN);
  });
});
