/** A path is what it says: other spellings of a protected name are protected, other notations are refused. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe } from 'vitest';
import { OUTSIDE_SECRET, type TempWorkspace } from '../support/temp-workspace.ts';
import { testPathAttacks } from './attack-case.ts';
import { PLANTED } from './file-tools.ts';
import { expanding, nameChecked, unchecked } from './undefended.ts';

const GUARDED = ['.git/hooks', '.git/config', '.ssh', '.handrail', 'secr\u00e9'];

/** Whether a guard that compares names as they are written lets a path through. */
function passesNameGuard(workspace: TempWorkspace, path: string): boolean {
  return nameChecked(workspace, GUARDED).write(path) === 'written';
}

describe('spellings of a path', () => {
  testPathAttacks([
    {
      id: 'FS-05',
      title: 'protected names in other spellings (CVE-2025-59944, CVE-2025-61593)',
      paths: () => [
        '.GIT/hooks/pre-commit',
        '.git/HOOKS/pre-commit',
        '.Git/Config',
        '.SSH/authorized_keys',
        '.\u017fsh/authorized_keys',
        '.g\u200dit/config',
        '\uff0e\uff47\uff49\uff54/hooks/post-checkout',
        '.HandRail/policy.json',
      ],
      does: ['write', 'make', 'delete', 'delete file', 'move from', 'move to'],
      refusedWith: ['E_POLICY_DENIED'],
      bites: { harms: passesNameGuard },
    },
    {
      id: 'FS-05',
      title: 'a denied name in other spellings',
      rules: [{ action: 'deny', permission: '*', path: 'secr\u00e9' }],
      paths: () => ['secre\u0301', 'SECR\u00c9', 'secre\u0301/a.txt', 'Secr\u00e9/a.txt'],
      refusedWith: ['E_POLICY_DENIED'],
      bites: { harms: passesNameGuard },
    },
    {
      id: 'FS-06',
      title: 'a NUL byte',
      paths: () => ['alive.txt\0.png', '\0', '../out/s.txt\0'],
      refusedWith: ['E_INVALID_PATH'],
      bites: { noProof: 'Node refuses NUL bytes before any system call, also for the undefended' },
    },
    {
      id: 'FS-06',
      title: 'half a character',
      given: (workspace) => workspace.write('a\ufffd.txt', "somebody else's"),
      paths: () => ['a\ud800.txt', 'a\udfff.txt'],
      refusedWith: ['E_INVALID_PATH'],
      noPattern: 'what a pattern fits is shown by its own name',
      // On the way to the disk it turns into U+FFFD, and hits a file that was never named.
      bites: {
        harms: (workspace, path) =>
          unchecked(workspace).write(path) === 'written' &&
          readFileSync(join(workspace.root, 'a\ufffd.txt'), 'utf8') === PLANTED,
      },
    },
    {
      id: 'FS-06',
      title: 'more than a path can hold',
      paths: () => [
        'x'.repeat(5_000),
        'a/'.repeat(2_100) + 'b',
        'a/'.repeat(300) + 'b',
        '\u00e4'.repeat(128),
      ],
      refusedWith: ['E_INVALID_PATH'],
      bites: { noProof: 'the kernel refuses the length too; the point is a typed answer instead of a crash' },
    },
    {
      id: 'FS-07',
      title: 'Windows spellings (CVE-2025-64108)',
      given: (workspace) => workspace.write('.git/config', ''),
      paths: () => [
        '.git./config',
        '.git /config',
        '.git::$INDEX_ALLOCATION/config',
        's.json::$DATA',
        'GIT~1/config',
        'git~2',
        '\\\\?\\C:\\x',
        '\\??\\C:\\x',
        '\\\\host\\share\\x',
        'C:\\x',
        'c:/x',
      ],
      refusedWith: ['E_INVALID_PATH'],
      bites: {
        noProof:
          'these mean another file on Windows only; on Linux the undefended makes a file of that odd name',
      },
    },
    {
      id: 'FS-07',
      title: 'names of Windows devices',
      paths: () => ['CON', 'nul.txt', 'a/Aux', 'com1', 'LPT9.log'],
      does: ['write'],
      refusedWith: ['E_INVALID_PATH'],
      bites: { noProof: 'these are devices on Windows only; on Linux the undefended makes an ordinary file' },
    },
    {
      id: 'FS-08',
      title: 'notations that somebody else expands (CVE-2025-66389)',
      given({ locations }) {
        writeFileSync(join(locations.home, 's.txt'), OUTSIDE_SECRET);
      },
      paths: ({ outside }) => [
        '~/s.txt',
        '~',
        '$HOME/s.txt',
        '${HOME}/s.txt',
        '%USERPROFILE%\\s.txt',
        `file://${outside}/s.txt`,
        '..%2fout%2fs.txt',
        '%2e%2e/out/s.txt',
        '..%5Cout%5Cs.txt',
      ],
      refusedWith: ['E_INVALID_PATH'],
      bites: { executor: expanding },
    },
    {
      id: 'FS-08',
      title: "another user's home",
      paths: () => ['~root/x', '~nobody/x'],
      refusedWith: ['E_INVALID_PATH'],
      bites: { noProof: 'the undefended expands its own home only; a shell would expand these as well' },
    },
  ]);
});
