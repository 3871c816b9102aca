/** Commands through the runtime: what is asked, what is confined, and what comes back. */
import { existsSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { CallResponse, Rule, RuntimeEvent } from '../../../src/index.ts';
import { speak, type Speaker } from '../../dialects/fixtures/speak.ts';
import { approver } from '../../support/approver.ts';

interface Reply {
  readonly ok: boolean;
  readonly exit_code: number;
  readonly stdout: string;
  readonly stderr: string;
  readonly truncated: boolean;
  readonly output_id?: string;
}

const bash = async ({ runtime }: Speaker, command: string): Promise<Reply> =>
  (await runtime.call('bash', { command })).reply as Reply;

const call = ({ runtime }: Speaker, command: string): Promise<CallResponse> =>
  runtime.call('bash', { command });

describe('exec.run', () => {
  it('runs in the workspace, and gives back what was written and how it ended', async () => {
    await using coder = await speak('coder', { 'a.txt': 'hello\n' });
    expect(await bash(coder, 'cat a.txt; echo trouble >&2; exit 7')).toMatchObject({
      ok: false,
      exit_code: 7,
      stdout: 'hello\n',
      stderr: 'trouble\n',
      truncated: false,
    });
    expect((await call(coder, 'exit 7')).outcome).toBe('failed');
    expect((await call(coder, 'true')).outcome).toBe('ok');
  });

  it.each([
    ['', 'The command is empty.'],
    [' \n ', 'The command is empty.'],
    ['echo \0', 'The command contains a NUL character.'],
    ['echo \ud800', 'The command contains half a Unicode character.'],
  ])('refuses %j', async (command, message) => {
    await using coder = await speak('coder');
    const { outcome, result } = await call(coder, command);
    expect([outcome, result.error?.message]).toEqual(['failed', message]);
    expect(coder.asked).toEqual([]);
  });

  it('asks about a command that may change something, and shows it whole', async () => {
    await using coder = await speak('coder');
    expect(await bash(coder, 'touch made\nls')).toMatchObject({ ok: true, stdout: 'made\n' });
    expect(coder.asked).toHaveLength(1);
    expect(coder.asked[0]!.preview?.text).toContain('$ touch made\n> ls\n');
  });

  it('lets a command that only reads pass, in a workspace it could not change', async () => {
    await using coder = await speak('coder', { 'a.txt': 'one\ntwo\n' });
    expect(await bash(coder, 'grep -n two a.txt | head -1')).toMatchObject({ stdout: '2:two\n' });
    expect(coder.asked).toEqual([]);
  });

  it('gives it input, which the question shows, and a terminal', async () => {
    await using handrail = await speak('handrail');
    const { reply } = await handrail.runtime.call('bash', {
      command: 'sh',
      stdin: 'echo from stdin\nexit 3',
    });
    expect(reply).toMatchObject({ exit_code: 3, stdout: 'from stdin\n' });
    expect(handrail.asked[0]!.preview?.text).toContain('$ sh\n< echo from stdin\n< exit 3\n');
    const inTerminal = await handrail.runtime.call('bash', { command: 'test -t 1 && stty size', tty: true });
    expect(inTerminal.reply).toMatchObject({ ok: true, stdout: '40 120\r\n' });
  });

  it('ends a command whose time is up, with exit code 124', async () => {
    await using handrail = await speak('handrail');
    const { reply, outcome, result } = await handrail.runtime.call('bash', {
      command: 'echo before; sleep 60',
      timeout: 1,
    });
    expect(reply).toMatchObject({ ok: false, exit_code: 124, stdout: 'before\n' });
    expect(reply).toMatchObject({ notes: ['It took longer than it may, and was ended.'] });
    expect([outcome, result.error?.code]).toEqual(['failed', 'E_TOOL_TIMEOUT']);
  });

  it('shows both ends of long output, and pages through the whole', async () => {
    await using handrail = await speak('handrail', {}, { mode: 'auto' });
    const reply = await bash(handrail, 'seq 1 100000');
    expect(reply).toMatchObject({ ok: true, truncated: true });
    expect(reply.stdout).toMatch(/^1\n2\n[^]*\n\[output truncated\]\n[^]*\n99999\n100000\n$/);
    const page = await handrail.runtime.call('read_output', {
      output_id: reply.output_id,
      offset: 200_000,
      limit: 5_000,
    });
    expect(page.reply).toMatchObject({ ok: true, total: 588_895, has_more: true });
    const whole = Array.from({ length: 100_000 }, (_, index) => `${index + 1}\n`).join('');
    expect((page.reply as { part: string }).part).toBe(whole.slice(200_000, 205_000));
  });

  it('tells of output while the command runs', async () => {
    await using coder = await speak('coder');
    const heard: string[] = [];
    coder.runtime.subscribe((event: RuntimeEvent) => {
      if (event.type === 'output-added') heard.push(event.text);
    });
    await bash(coder, 'echo one; echo two');
    expect(heard.join('')).toBe('one\ntwo\n');
  });

  it('is ended by a cancel', async () => {
    await using coder = await speak('coder');
    const controller = new AbortController();
    coder.runtime.subscribe((event) => {
      if (event.type === 'output-added') controller.abort();
    });
    const running = coder.runtime.call(
      'bash',
      { command: 'echo go; sleep 60' },
      { signal: controller.signal },
    );
    expect(await running).toMatchObject({ outcome: 'cancelled' });
  });

  it('gives bytes that are no text as text all the same', async () => {
    await using coder = await speak('coder');
    const { stdout } = await bash(coder, String.raw`printf 'a\377b'`);
    expect(stdout).toBe('a\ufffdb');
  });

  it('says in the audit what ran, and in which sandbox', async () => {
    await using coder = await speak('coder');
    const { callId, result } = await call(coder, 'echo x > made');
    expect(result.artifacts?.commands_run).toEqual(['echo x > made']);
    await coder.runtime.flush();
    const { state } = coder.workspace.locations;
    const lines = auditLines(state).filter((line) => line['call_id'] === callId);
    expect(lines.at(-1)).toMatchObject({
      event: 'closed',
      sandbox: expect.stringMatching(/^(A|A-|C)$/) as string,
      artifacts: { commands_run: ['echo x > made'] },
      accesses: [
        { permission: 'fs.write', resource: 'made' },
        { permission: 'proc.exec', resource: 'echo x' },
      ],
    });
  });
});

describe('the files of a command', () => {
  it('are asked about as by any other tool', async () => {
    await using coder = await speak('coder', { '.env': 'KEY=1\n', 'a.txt': 'x' });
    await bash(coder, 'cat a.txt');
    expect(coder.asked).toEqual([]);
    await bash(coder, 'cat .env');
    expect(coder.asked.map(({ reason }) => reason)).toEqual(['The file may hold secrets.']);
  });

  it('that nobody was asked about are not in the trees it reads', async () => {
    await using coder = await speak('coder', {
      '.gitignore': '.env\nbuild/\n',
      'build/.env': 'KEY=secret\n',
      '.env': 'KEY=secret\n',
      'd/.env': 'KEY=other\n',
      'd/a': 'KEY=x\n',
    });
    for (const command of [
      'grep -r KEY .',
      'grep -r KEY . ; ls .',
      'ls . ; grep -r KEY .',
      'cat ./.e* d/.e* d/a | grep KEY',
      'cat $(echo .env)',
      'for f in .e* d/.e*; do cat "$f"; done',
      'find . -name ".e*" | xargs cat',
      'find . -name ".e*" -exec cat {} +',
    ])
      expect((await bash(coder, command)).stdout).not.toMatch(/secret|other/);
    expect(coder.asked).toEqual([]);
  });

  it('that only the shell knows are in the workspace or of the system, where nobody was asked', async () => {
    await using coder = await speak('coder', { a: 'a\n' });
    const secret = join(import.meta.dirname, 'run.test.ts');
    const { stdout, stderr } = await bash(coder, `cat $(echo a; echo ${secret}; echo /etc/passwd)`);
    expect(coder.asked).toEqual([]);
    expect(stdout).toMatch(/^a\nroot:/);
    expect(stderr).toContain(`cat: ${secret}: No such file`);
  });

  it.each([
    'echo x > ../out/made',
    'echo x > "$PWD"/../out/made',
    'cd .. && echo x > out/made',
    'tee ../out/made',
  ])('are not written outside: %s', async (command) => {
    await using coder = await speak('coder');
    await call(coder, command);
    expect(existsSync(join(coder.workspace.outside, 'made'))).toBe(false);
  });

  it('are not written outside through a link', async () => {
    await using coder = await speak('coder');
    symlinkSync(join(coder.workspace.outside, 's.txt'), join(coder.workspace.root, 'link'));
    expect((await call(coder, 'echo x > link')).result.error?.code).toBe('E_OUTSIDE_WORKSPACE');
    expect(readFileSync(join(coder.workspace.outside, 's.txt'), 'utf8')).toBe('outside secret\n');
  });

  it('keep to written denies, whatever the command is', async () => {
    const rules: Rule[] = [
      { action: 'allow', permission: 'proc.exec' },
      { action: 'deny', permission: 'fs.read', path: '/private' },
      { action: 'deny', permission: 'fs.write', path: '/kept' },
    ];
    const files = { 'private/a': 'secret\n', 'kept/b': 'kept\n', c: 'c\n' };
    await using coder = await speak('coder', files, { rules });
    const { stdout } = await bash(coder, 'for d in private kept .; do for f in $d/*; do cat $f; done; done');
    expect(stdout).not.toContain('secret');
    expect(stdout).toContain('kept');
    await bash(coder, 'for d in kept; do echo changed > $d/b; done');
    expect(readFileSync(join(coder.workspace.root, 'kept/b'), 'utf8')).toBe('kept\n');
  });
});

describe('rules about commands', () => {
  const allowEcho: Rule = { action: 'allow', permission: 'proc.exec', command: 'touch ok*' };

  it('allow what they name, and nothing beside it', async () => {
    await using coder = await speak(
      'coder',
      {},
      { rules: [allowEcho, { action: 'allow', permission: 'fs.write' }] },
    );
    await bash(coder, 'touch ok1');
    expect(coder.asked).toEqual([]);
    for (const command of [
      'touch ok1; touch other',
      'touch ok$(touch other)',
      'touch ok1 other',
      'A=1 touch ok1',
    ])
      await bash(coder, command);
    expect(coder.asked).toHaveLength(4);
  });

  it.each([
    'git push',
    '/usr/bin/git push origin',
    'env git push',
    'true && git push',
    'sh -c "git push"',
    'x=push; git $x',
    'echo git push | sh',
    'git -C . push',
  ])('deny %s in whatever it is wrapped', async (command) => {
    const rules: Rule[] = [
      { action: 'allow', permission: '*' },
      { action: 'deny', permission: 'proc.exec', command: ['git push', 'git push *'] },
      { action: 'deny', permission: 'proc.exec', command: ['sh', 'sh *'] },
    ];
    await using coder = await speak('coder', {}, { rules });
    expect((await call(coder, command)).outcome).toBe('denied');
  });

  it('stop the load where they do not hold their examples', async () => {
    const rules: Rule[] = [
      { action: 'allow', permission: 'proc.exec', command: 'npm test', match: ['npm test && rm x'] },
    ];
    await expect(speak('coder', {}, { rules })).rejects.toThrow('should match, but does not');
  });
});

describe('a command that is named twice', () => {
  it.each(['PATH=. ls; ls', 'ls; PATH=. ls', 'cd "$x" && ls; cd .. && ls'])(
    'counts both times: %s',
    async (command) => {
      await using coder = await speak('coder');
      await bash(coder, command);
      expect(coder.asked).toHaveLength(1);
    },
  );

  it('is granted for the session only as it was', async () => {
    const approve = approver('session');
    await using handrail = await speak('handrail', { 'd/Makefile': '', Makefile: '' }, { approve });
    const asked = async (args: object): Promise<number> => {
      const before = approve.asked.length;
      await handrail.runtime.call('bash', args);
      return approve.asked.length - before;
    };
    expect(await asked({ command: 'make -n' })).toBe(1);
    expect(await asked({ command: 'make  -n' })).toBe(0);
    expect(await asked({ command: 'cd d && make -n' })).toBe(1);
    expect(await asked({ command: 'make -n', cwd: 'd' })).toBe(0);
    expect(await asked({ command: 'PATH=. make -n' })).toBe(1);
    expect(await asked({ command: 'PATH=.. make -n' })).toBe(1);
    expect(await asked({ command: 'cd d && make -n' })).toBe(0);
  });

  it('is granted, and allowed by a rule, only with the input it had', async () => {
    const approve = approver('session');
    const rules: Rule[] = [{ action: 'allow', permission: 'proc.exec', command: 'sh' }];
    await using handrail = await speak('handrail', {}, { approve, rules });
    const feed = (stdin: string) => handrail.runtime.call('bash', { command: 'sh', stdin });
    await feed('true');
    await feed('true');
    expect(approve.asked.map(({ alwaysRule }) => alwaysRule)).toEqual([undefined]);
    await feed('false');
    expect(approve.asked).toHaveLength(2);
  });

  it('is allowed for good only at the root', async () => {
    const rules: Rule[] = [{ action: 'allow', permission: 'proc.exec', command: ['make -n'], exact: true }];
    await using handrail = await speak('handrail', { 'd/a': '' }, { rules });
    await bash(handrail, 'make -n');
    expect(handrail.asked).toEqual([]);
    await bash(handrail, 'cd d && make -n');
    expect(handrail.asked).toHaveLength(1);
  });
});

describe('leaving the sandbox', () => {
  it("is a human's word each time, whatever the mode and the rules say", async () => {
    const rules: Rule[] = [{ action: 'allow', permission: '*' }];
    await using handrail = await speak('handrail', {}, { rules, mode: 'auto' });
    const leave = () =>
      handrail.runtime.call('bash', {
        command: `echo x > ${handrail.workspace.outside}/made`,
        outside_sandbox: true,
      });
    expect((await leave()).outcome).toBe('ok');
    expect(existsSync(join(handrail.workspace.outside, 'made'))).toBe(true);
    await leave();
    expect(handrail.asked.map(({ scope, alwaysRule }) => [scope, alwaysRule])).toEqual([
      ['single_action', undefined],
      ['single_action', undefined],
    ]);
    expect(handrail.asked[0]!.preview?.text).toContain('OUTSIDE the sandbox');
  });
});

describe('modes', () => {
  it('auto runs commands in a sandbox without a question, but asks before they reach a host', async () => {
    await using handrail = await speak('handrail', {}, { mode: 'auto' });
    await bash(handrail, 'touch made');
    expect(handrail.asked).toEqual([]);
    await handrail.runtime.call('bash', { command: 'true', network: ['example.org'] });
    expect(handrail.asked.map(({ accesses }) => accesses[0])).toEqual([
      { permission: 'net.connect', resource: 'example.org', resolved: 'example.org' },
    ]);
  });

  it('read-only runs what only reads', async () => {
    await using coder = await speak('coder', { a: 'x\n' }, { mode: 'read-only' });
    expect(await bash(coder, 'cat a')).toMatchObject({ stdout: 'x\n' });
    expect((await call(coder, 'touch b')).outcome).toBe('denied');
  });

  it('reversible runs what undo takes back without a question, and asks before a host is reached', async () => {
    await using handrail = await speak('handrail', { 'a.txt': 'a\n' }, { mode: 'reversible' });
    await bash(handrail, 'touch made');
    await bash(handrail, 'sed -i s/a/b/ *.txt');
    expect(handrail.asked).toEqual([]);
    await handrail.runtime.call('bash', { command: 'touch other', network: ['example.org'] });
    await handrail.runtime.call('bash', { command: 'touch other', outside_sandbox: true });
    expect(handrail.asked.map(({ rule }) => rule)).toEqual(['dialect:handrail#2', 'outside-sandbox']);
  });
});

function auditLines(state: string): Record<string, unknown>[] {
  return readdirSync(join(state, 'audit'))
    .flatMap((name) =>
      readFileSync(join(state, 'audit', name), 'utf8')
        .trim()
        .split('\n'),
    )
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}
