/** Ways out of the sandbox. Each one is shown to work for the same command where nothing confines it. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { tempWorkspace, type TempWorkspace } from '../../../support/temp-workspace.ts';
import { runCommands, type User, whyNotAs } from './fixtures/commands-in-a-child.ts';

const GOT = 'GOT IT';
const PTRACE = process.arch === 'arm64' ? 117 : 101;

/** Succeeds by printing what only a way out can print. */
interface Attack {
  readonly users: readonly User[];
  line(workspace: TempWorkspace): string;
}

const BOTH: readonly User[] = ['root', 'nobody'];
const attack = (line: Attack['line'] | string, users = BOTH): Attack => ({
  users,
  line: typeof line === 'string' ? () => line : line,
});
const then = (line: string): string => `{ ${line}; } && echo ${GOT}`;
const perl = (program: string): string => `perl -MSocket -e '${program} and print "${GOT}"'`;

let server: Server;
beforeAll(async () => {
  server = createServer((socket) => socket.destroy());
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
});
afterAll(() => void server.close());
const port = (): number => (server.address() as { port: number }).port;

const TYPING = `script -qec "perl -e '\\$x = qq(x); ioctl(STDIN, 0x5412, \\$x) and print qq(${GOT})'" /dev/null`;

/** Newer kernels can refuse it to everyone. */
function canType(): boolean {
  const setting = '/proc/sys/dev/tty/legacy_tiocsti';
  return !existsSync(setting) || readFileSync(setting, 'utf8').startsWith('1');
}

const ATTACKS: Readonly<Record<string, Attack>> = {
  'writing outside the workspace': attack(({ outside }) => then(`echo x > ${outside}/planted`)),
  'reading outside the workspace': attack(({ outside }) => then(`grep -q secret ${outside}/s.txt`)),
  'reading the home': attack(({ locations }) => then(`grep -q key ${locations.home}/.ssh/id`)),
  "listing Handrail's state": attack(({ locations }) => then(`ls ${locations.state}/sandbox`)),
  'a link out of the workspace': attack(({ outside }) => then(`ln -s ${outside} l && echo x > l/planted`)),
  'writing to /etc': attack(then('[ -w /etc ]'), ['root']),
  'reading /etc/shadow': attack(then('grep -q root /etc/shadow'), ['root']),
  'remounting the root': attack(then('mount -o remount,rw,bind / && [ -w /etc ]'), ['root']),
  'the handler of crashes': attack(
    then('f=/proc/sys/kernel/core_pattern; p=$(cat $f); printf %s "$p" > $f'),
    ['root'],
  ),
  'planting a hook': attack(then('echo x > .git/hooks/pre-commit')),
  'planting a hook behind a renamed folder': attack(
    then('mv .git g && mkdir -p .git/hooks && echo x > .git/hooks/x'),
  ),
  "changing git's settings": attack(then('echo x >> .git/config')),
  "replacing git's settings": attack(then('echo x > .git/n && mv .git/n .git/config')),
  'removing the repository': attack(then('rm -rf .git; [ ! -e .git/config ]')),
  'changing a frozen file': attack(then('echo x > kept/deep/frozen.txt')),
  'replacing a frozen file': attack(then('rm -f kept/deep/frozen.txt && echo x > kept/deep/frozen.txt')),
  'renaming a folder above a frozen file': attack(then('mv kept elsewhere')),
  'reading a hidden file': attack(then('grep -q hidden secrets.txt')),
  'reading in a hidden folder': attack(then('grep -q hidden closed/a.txt')),
  'renaming a folder above a hidden file': attack(then('mv inner away && grep -q hidden away/secret.txt')),
  'connecting to the machine': attack(() => then(`bash -c "exec 3<>/dev/tcp/127.0.0.1/${port()}"`)),
  'a socket of another family': attack(perl('socket(S, AF_UNIX, SOCK_STREAM, 0)')),
  "the parent's environment": attack(
    then("tr '\\0' '\\n' < /proc/$PARENT/environ | grep -q SECRET_OF_PARENT"),
  ),
  'a signal to the parent': attack(then('kill -0 $PARENT')),
  "the parent's descriptors": attack(then('ls /proc/$PARENT/fd')),
  'a user name space': attack(then('unshare -Ur true')),
  'another name space': attack(then('unshare -m true'), ['root']),
  tracing: attack(perl(`syscall(${PTRACE}, 0, 0, 0, 0) == 0`)),
  'a new mount': attack(perl('$n = "tmpfs\\0"; syscall(430, $n, 0) >= 0'), ['root']),
  'a ring of system calls': attack(perl('my $b = "\\0" x 256; syscall(425, 1, $b) >= 0')),
  ...(canType() ? { 'typing into the terminal': attack(TYPING) } : {}),
};

describe.each(BOTH)('a command of %s', (user) => {
  const whyNot = whyNotAs(user);

  it.for(Object.keys(ATTACKS).filter((name) => ATTACKS[name]!.users.includes(user)))(
    'does not get out by %s',
    async (name, { skip }) => {
      skip(whyNot !== undefined, whyNot);
      await using workspace = prepared();
      const line = ATTACKS[name]!.line(workspace);
      const [confined, outside] = await runCommands(workspace, user, [
        [line, { confinement: HELD }],
        [line, { confinement: 'none' }],
      ]);
      expect({ confined: confined!.stdout.includes(GOT), tier: confined!.tier }).toEqual({
        confined: false,
        tier: 'A',
      });
      expect({ outside: outside!.stdout.includes(GOT), stderr: outside!.stderr }).toMatchObject({
        outside: true,
      });
    },
  );
});

const HELD = {
  frozen: ['kept/deep/frozen.txt'],
  hidden: ['secrets.txt', 'closed', 'inner/secret.txt'],
};

function prepared(): TempWorkspace {
  const workspace = tempWorkspace({
    '.git/config': '[core]\n',
    '.git/HEAD': 'ref: refs/heads/main\n',
    'kept/deep/frozen.txt': 'frozen',
    'secrets.txt': 'hidden',
    'closed/a.txt': 'hidden',
    'inner/secret.txt': 'hidden',
  });
  mkdirSync(join(workspace.locations.home, '.ssh'));
  writeFileSync(join(workspace.locations.home, '.ssh/id'), 'key');
  return workspace;
}
