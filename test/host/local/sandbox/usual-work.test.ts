/** What people do all day still works under the sandbox. */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { tempWorkspace } from '../../../support/temp-workspace.ts';
import { runCommands, type User, whyNotAs } from './fixtures/commands-in-a-child.ts';

const SERVE = `perl -MIO::Socket::INET -e '
  my $server = IO::Socket::INET->new(Listen => 1, LocalAddr => "127.0.0.1") or die;
  if (fork) { my $client = $server->accept; print $client "hello\\n"; close $client; wait; }
  else { my $c = IO::Socket::INET->new(PeerAddr => "127.0.0.1", PeerPort => $server->sockport); print <$c>; }'`;

const WORK: Readonly<Record<string, readonly [line: string, stdout: string]>> = {
  'a commit': [
    'git add -A && git -c user.name=a -c user.email=a@b commit -qm one && git log --format=%s',
    'one\n',
  ],
  'a branch and a merge': [
    'git() { command git -c user.name=a -c user.email=a@b "$@"; }; git add -A; git commit -qm one; git checkout -qb b; echo b > b; git add b; git commit -qm two; git checkout -q -; git merge -q b; ls',
    'a.txt\nb\nd\n',
  ],
  'work in a folder': ['cd d && git add . && git status --short -uno', 'A  e.txt\n'],
  'a server of its own': [SERVE, 'hello\n'],
  'pipes and many processes': ['seq 1 200 | xargs -P 8 -n 1 echo | wc -l', '200\n'],
  'a temporary file': ['f=$(mktemp) && echo t > $f && cat $f', 't\n'],
  'shared memory': ['echo s > /dev/shm/s && cat /dev/shm/s', 's\n'],
  'a script with a first line': ['printf "#!/bin/sh\\necho ran\\n" > run; chmod +x run; ./run', 'ran\n'],
  'its own processes': ['sleep 30 & kill $! && wait $! ; echo $?', '143\n'],
  'job control': ["bash -c 'set -m; sleep 0 & wait; echo done'", 'done\n'],
};

const SETTINGS =
  '[user]\n\tname = Ada \\"A\\" L\n\temail = ada@example.org\n[alias]\n\tst = !touch made\n[credential]\n\thelper = store\n';

describe.each<User>(['root', 'nobody'])('under the sandbox, %s', (user) => {
  const whyNot = whyNotAs(user);

  it.for(Object.keys(WORK))('can do with %s', async (name, { skip }) => {
    skip(whyNot !== undefined, whyNot);
    await using workspace = tempWorkspace({ 'a.txt': 'a', 'd/e.txt': 'e' });
    execFileSync('git', ['init', '-q', workspace.root]);
    const [line, stdout] = WORK[name]!;
    const [answer] = await runCommands(workspace, user, [[line]]);
    expect(answer).toMatchObject({ exitCode: 0, stdout, tier: 'A' });
  });

  it("commits in the user's name, and has nothing else of their git settings", async ({ skip }) => {
    skip(whyNot !== undefined, whyNot);
    await using workspace = tempWorkspace({ 'a.txt': 'a' });
    writeFileSync(join(workspace.locations.home, '.gitconfig'), SETTINGS, { mode: 0o644 });
    execFileSync('git', ['init', '-q', workspace.root]);
    const line =
      'git add -A && git commit -qm one && git log --format="%an <%ae>" && git config --global --list --name-only';
    const [answer] = await runCommands(workspace, user, [[line]]);
    expect(answer).toMatchObject({
      exitCode: 0,
      stdout: 'Ada "A" L <ada@example.org>\nuser.name\nuser.email\n',
    });
  });
});
