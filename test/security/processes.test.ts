/** A call ends within its limits, whatever its command does, and leaves no process behind. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Runtime } from '../../src/index.ts';
import { runCommands, type User, whyNotAs } from '../host/local/sandbox/fixtures/commands-in-a-child.ts';
import { approver } from '../support/approver.ts';
import { commandsIn, shell } from '../support/commands.ts';
import { type TempWorkspace, tempWorkspace } from '../support/temp-workspace.ts';
import { ALIVE, type Attack, testAttacks } from './attack-case.ts';
import { ALLOW_ALL, COMMAND_TOOLS, commandOn } from './commanding.ts';
import { closedRecords } from './evidence.ts';

interface Reply {
  readonly exit_code: number;
  readonly stdout: string;
  readonly stderr: string;
  readonly truncated: boolean;
}

async function withRuntime<Result>(
  work: (runtime: Runtime, workspace: TempWorkspace) => Promise<Result>,
): Promise<Result> {
  await using workspace = tempWorkspace(ALIVE);
  const approve = approver('once');
  const options = { approve, rules: [ALLOW_ALL], environment: process.env };
  return await work(await workspace.runtime(options), workspace);
}

const bash = async (runtime: Runtime, command: string, more: object = {}): Promise<Reply> =>
  (await runtime.call('bash', { command, ...more })).reply as Reply;

/** Ways to get out of sight of whoever waits; `SLEEP` sleeps for long. */
const HIDING: Readonly<Record<string, string>> = {
  'a child': 'SLEEP &',
  setsid: 'setsid SLEEP &',
  'a double fork': "(setsid sh -c 'SLEEP &' &)",
  nohup: 'nohup SLEEP >/dev/null 2>&1 &',
  'job control': "bash -c 'set -m; SLEEP & disown'",
  'a deaf one': `sh -c "trap '' TERM HUP INT; SLEEP; :" &`,
  'a daemon': `perl -e 'use POSIX; fork and exit; POSIX::setsid(); fork and exit; close STDOUT; close STDERR; exec split / /, "SLEEP"'`,
};

/** A length of sleep that nobody else sleeps for. */
function ownSleep(): string {
  return `sleep 41${Math.floor(Math.random() * 1e9)}.5`;
}

function running(sleep: string): number[] {
  const words = `${sleep.replace(' ', '\0')}\0`;
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > 0 && commandLineOf(pid) === words);
}

function commandLineOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}

async function expectGone(sleep: string): Promise<void> {
  await expect.poll(() => running(sleep), { timeout: 10_000 }).toEqual([]);
}

/** Starts all of them, says so once they run, and goes on. */
function hidingAll(sleep: string): string {
  const count = `$(cat /proc/[0-9]*/cmdline 2>/dev/null | tr '\\0' ' ' | grep -o '${sleep} ' | wc -l)`;
  const lines = Object.values(HIDING).map((line) => line.replaceAll('SLEEP', sleep));
  return [...lines, `until [ ${count} -ge ${lines.length} ]; do :; done`, 'echo ready'].join('\n');
}

/** Kills what a runner without defence left behind. */
function expectLeftBehind(sleep: string): void {
  const left = running(sleep);
  if (left.length > 0) spawnSync('kill', ['-9', ...left.map(String)]);
  expect(left).toHaveLength(Object.keys(HIDING).length);
}

async function runAndKill(sleep: string): Promise<void> {
  const child = spawn('/bin/sh', ['-c', `${hidingAll(sleep)}\nexec sleep 300`], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  await once(child.stdout, 'data');
  child.kill('SIGKILL');
  await once(child, 'exit');
  expectLeftBehind(sleep);
}

/** What waits for somebody; nobody is there. */
const WAITING = [
  'read x; echo "<$x>"',
  'cat; echo end',
  'git commit --allow-empty',
  'git rebase -i HEAD',
  'EDITOR=vi git commit --amend',
  'vi alive.txt </dev/tty',
  'less alive.txt',
  'git --paginate log',
  'man ls',
  'sudo -k true',
  'su -c true nobody',
  'passwd',
  'ssh -o BatchMode=no localhost',
  'python3 -i',
  "bash -c 'select x in a b; do echo $x; done'",
];

/** Not without end: should nothing hold it, the machine lives on. */
const BOMB =
  'f() { [ $1 -gt 0 ] && { f $(($1 - 1)) & f $(($1 - 1)) & sleep 5; wait; }; :; }; f 8; echo all of them';

const ATTACKS: readonly Attack[] = [
  {
    id: 'PR-01',
    title: 'processes that hide before the time is up',
    attack: () =>
      withRuntime(async (runtime) => {
        const sleep = ownSleep();
        const reply = await bash(runtime, `${hidingAll(sleep)}\nsleep 300`, { timeout: 5 });
        expect(reply).toMatchObject({ exit_code: 124, stdout: 'ready\n' });
        await expectGone(sleep);
      }),
    bites: () => runAndKill(ownSleep()),
  },
  {
    id: 'PR-01',
    title: 'processes that hide before the call is cancelled',
    attack: () =>
      withRuntime(async (runtime) => {
        const sleep = ownSleep();
        const controller = new AbortController();
        const stop = runtime.subscribe(({ type }) => {
          if (type === 'output-added') controller.abort();
        });
        const command = `${hidingAll(sleep)}\nsleep 300`;
        expect(await runtime.call('bash', { command }, { signal: controller.signal })).toMatchObject({
          outcome: 'cancelled',
        });
        stop();
        await expectGone(sleep);
      }),
    bites: () => runAndKill(ownSleep()),
  },
  {
    id: 'PR-01',
    title: 'processes that hide before the command ends by itself, or outside the sandbox by a yes',
    attack: () =>
      withRuntime(async (runtime) => {
        for (const more of [{}, { outside_sandbox: true }]) {
          const sleep = ownSleep();
          expect(await bash(runtime, hidingAll(sleep), more)).toMatchObject({
            exit_code: 0,
            stdout: 'ready\n',
          });
          await expectGone(sleep);
        }
      }),
    bites: async () => {
      const sleep = ownSleep();
      // Nobody waits for the ends of its pipes.
      spawnSync('/bin/sh', ['-c', hidingAll(sleep)], { stdio: 'ignore' });
      expectLeftBehind(sleep);
    },
  },
  {
    id: 'PR-02',
    title: 'a child that keeps the output open',
    attack: () =>
      withRuntime(async (runtime) => {
        const sessions = COMMAND_TOOLS.map(({ dialect }) => runtime.openSession({ dialect }));
        for (const [index, tool] of COMMAND_TOOLS.entries()) {
          const sleep = ownSleep();
          const { tool: name, args } = commandOn(tool, `(${sleep})& echo done`);
          const { outcome, reply } = await runtime.call(name, args, { session: await sessions[index]! });
          expect([outcome, JSON.stringify(reply).includes(String.raw`done\n`)]).toEqual(['ok', true]);
          await expectGone(sleep);
        }
      }),
    bites: async () => {
      const { error } = spawnSync('/bin/sh', ['-c', '(sleep 5)& echo done'], { timeout: 1_000 });
      expect((error as NodeJS.ErrnoException).code).toBe('ETIMEDOUT');
    },
  },
  {
    id: 'PR-03',
    title: 'floods of output on either stream, and of sequences for terminals',
    attack: () =>
      withRuntime(async (runtime, { locations }) => {
        for (const command of [
          'yes | head -c 200000000',
          'yes | head -c 200000000 >&2',
          String.raw`yes "$(printf '\033[31mx\033[0m')" | head -c 200000000; exit 3`,
        ]) {
          const before = process.memoryUsage.rss();
          const { callId, reply } = await runtime.call('bash', { command });
          const grown = process.memoryUsage.rss() - before;
          expect({ command, truncated: (reply as Reply).truncated, isBounded: grown < 100e6 }).toEqual({
            command,
            truncated: true,
            isBounded: true,
          });
          expect(JSON.stringify(reply).length).toBeLessThan(400_000);
          expect(JSON.stringify(reply)).toContain('[output truncated]');
          await runtime.flush();
          const record = closedRecords(locations.state).find(({ call_id }) => call_id === callId);
          expect(JSON.stringify(record).length).toBeLessThan(20_000);
        }
      }),
    bites: async () => {
      const { stdout } = spawnSync('/bin/sh', ['-c', 'yes | head -c 10000000'], { maxBuffer: Infinity });
      expect(stdout).toHaveLength(10_000_000);
    },
  },
  {
    id: 'PR-04',
    title: 'commands that wait for a key, a password or an editor',
    attack: () =>
      withRuntime(async (runtime) => {
        await bash(runtime, 'git init -q .');
        for (const command of WAITING) {
          const { exit_code } = await bash(runtime, command, { timeout: 30 });
          expect({ command, isHanging: exit_code === 124 }).toEqual({ command, isHanging: false });
        }
      }),
    bites: async () => {
      // A pipe that nobody writes to, as many runners leave it.
      const child = spawn('/bin/sh', ['-c', 'echo ready; read x'], { stdio: ['pipe', 'pipe', 'ignore'] });
      await once(child.stdout, 'data');
      expect(child.exitCode).toBeNull();
      child.kill('SIGKILL');
      await once(child, 'exit');
    },
  },
  {
    id: 'PR-04',
    title: 'a loop that is deaf to being asked to end',
    attack: () =>
      withRuntime(async (runtime) => {
        const reply = await bash(runtime, "trap '' TERM INT HUP; echo begun; while :; do sleep 1; done", {
          timeout: 1,
        });
        expect(reply).toMatchObject({ exit_code: 124, stdout: 'begun\n' });
      }),
    bites: async () => {
      const child = spawn('/bin/sh', ['-c', "trap 'echo deaf' TERM; echo begun; while :; do sleep 1; done"]);
      await once(child.stdout, 'data');
      child.kill('SIGTERM');
      await once(child.stdout, 'data');
      expect(child.exitCode).toBeNull();
      child.kill('SIGKILL');
      await once(child, 'exit');
    },
  },
  {
    id: 'PR-04',
    title: 'signals to processes that are not its own',
    attack: async () => {
      const victim = spawn('sleep', ['300']);
      await withRuntime(async (runtime) => {
        for (const target of ['1', '-1', String(process.pid), String(victim.pid), `-${process.pid}`, '0'])
          await bash(runtime, `kill -9 ${target}; kill -TERM ${target}; echo still here`);
        expect(await bash(runtime, 'echo fine')).toMatchObject({ exit_code: 0, stdout: 'fine\n' });
      });
      expect([victim.exitCode, victim.signalCode]).toEqual([null, null]);
      victim.kill('SIGKILL');
      await once(victim, 'exit');
    },
    bites: async () => {
      const victim = spawn('sleep', ['300']);
      spawnSync('/bin/sh', ['-c', `kill -9 ${victim.pid}`]);
      await once(victim, 'exit');
      expect(victim.signalCode).toBe('SIGKILL');
    },
  },
  {
    id: 'PR-04',
    title: 'a tool that stops processes, told a number of the system',
    attack: async () => {
      const victim = spawn('sleep', ['300']);
      await withRuntime(async (runtime) => {
        for (const id of ['1', '-1', '0', String(process.pid), String(victim.pid), `-${victim.pid}`]) {
          const { outcome, result } = await runtime.call('stop_process', { id });
          expect([id, outcome, result.error?.code]).toEqual([id, 'failed', 'E_NOT_FOUND']);
        }
      });
      expect([victim.exitCode, victim.signalCode]).toEqual([null, null]);
      victim.kill('SIGKILL');
      await once(victim, 'exit');
    },
    bites: async () => {
      const victim = spawn('sleep', ['300']);
      // What a tool does that takes a number for its word.
      process.kill(Number(String(victim.pid)));
      await once(victim, 'exit');
      expect(victim.signalCode).toBe('SIGTERM');
    },
  },
];

describe('processes of commands', () => {
  testAttacks(ATTACKS);

  it.for<User>(['root', 'nobody'])(
    'PR-04 are no more than a command of %s may have',
    async (user, { skip }) => {
      const whyNot = whyNotAs(user);
      skip(whyNot !== undefined, whyNot);
      await using workspace = tempWorkspace();
      using commands = commandsIn(workspace);
      const limits = { processes: 50 };
      // Without its limit, what comes next would be an attack on this machine; so it is shown on no undefended shell.
      const { limitsInForce } = await shell(commands, 'true', { limits });
      skip(user === 'root' && !limitsInForce.includes('processes: 50'), 'root can not be limited here');
      const [bomb, after] = await runCommands(workspace, user, [
        [BOMB, { limits, timeoutMs: 10_000 }],
        ['echo fine'],
      ]);
      expect(bomb!.stderr).toMatch(/fork|Resource temporarily unavailable/i);
      expect(after).toMatchObject({ exitCode: 0, stdout: 'fine\n' });
    },
  );
});
