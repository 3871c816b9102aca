/** Behaviour of programs on this machine, told with real processes. */
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Failure } from '../../../src/failure.ts';
import { type ProcessRequest, type ProcessResult, runProcess } from '../../../src/host/local/run-process.ts';

const PATH = '/usr/local/bin:/usr/bin:/bin';
const NODE = process.execPath;

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'processes-'));
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await rm(directory, { recursive: true });
});

describe('runProcess', () => {
  it('runs in the given directory and gives back both streams and the exit code', async () => {
    const result = await run('/bin/sh', ['-c', 'pwd -P; echo err >&2; exit 3']);
    expect(told(result)).toEqual({
      exitCode: 3,
      stdout: `${directory}\n`,
      stderr: 'err\n',
      truncated: { stdout: false, stderr: false },
      timedOut: false,
    });
    expect(result.durationMs).toBeGreaterThan(0);
  });

  it('adds 128 to the signal that ended the program', async () => {
    expect(await run('/bin/sh', ['-c', 'kill -9 $$'])).toMatchObject({ exitCode: 137, timedOut: false });
  });

  it('accepts a time limit longer than any timer', async () => {
    const result = await run('sleep', ['0.1'], { timeoutMs: Number.MAX_SAFE_INTEGER });
    expect(result).toMatchObject({ exitCode: 0, timedOut: false });
  });
});

describe('arguments and environment', () => {
  it('treats arguments as data, whatever a shell would make of them', async () => {
    const args = [
      '$(touch x)',
      '`touch x`',
      '; touch x',
      'a\ntouch x',
      '| touch x',
      '> x',
      '',
      '--help',
      '-e',
    ];
    const program = 'process.stdout.write(JSON.stringify(process.argv.slice(1)))';
    const { stdout } = told(await run(NODE, ['-e', program, '--', ...args]));
    expect(JSON.parse(stdout)).toEqual(args);
    expect(await readdir(directory)).toEqual([]);
  });

  it('treats the name of the program as data', async () => {
    const failure = await failureOf(run('touch x', []));
    expect(failure.code).toBe('E_EXEC');
    expect(await readdir(directory)).toEqual([]);
  });

  it('hands down the given environment and nothing else', async () => {
    vi.stubEnv('HANDRAIL_SECRET', 'inherited');
    vi.stubEnv('NODE_V8_COVERAGE', join(directory, 'coverage'));
    const result = await run('/usr/bin/env', [], { env: Object.freeze({ ONLY: 'this' }) });
    expect(told(result).stdout).toBe('ONLY=this\n');
  });
});

describe('stdin', () => {
  it('is empty unless given', async () => {
    expect(told(await run('cat', []))).toMatchObject({ exitCode: 0, stdout: '' });
  });

  it.each(['grüße\n', Buffer.from('grüße\n')])('takes text and bytes', async (stdin) => {
    expect(told(await run('cat', [], { stdin })).stdout).toBe('grüße\n');
  });

  it('may be left unread by the program', async () => {
    const stdin = Buffer.alloc(5_000_000);
    expect(await run('/bin/sh', ['-c', 'exec <&-; echo done'], { stdin })).toMatchObject({ exitCode: 0 });
  });

  it('passes more than a pipe holds in both directions', async () => {
    const stdin = Buffer.alloc(5_000_000, 'handrail');
    const { stdout } = await run('cat', [], { stdin, maxOutputBytes: 10_000_000 });
    expect(Buffer.compare(stdout, stdin)).toBe(0);
  });
});

describe('output', () => {
  it('keeps its head and its tail, and lets the program finish', async () => {
    const script = 'head -c 50000000 /dev/zero; echo finished >&2';
    const result = await run('/bin/sh', ['-c', script], { maxOutputBytes: 1024 });
    expect(told(result)).toEqual({
      exitCode: 0,
      stdout: `${'\0'.repeat(512)}\n[output truncated]\n${'\0'.repeat(512)}`,
      stderr: 'finished\n',
      truncated: { stdout: true, stderr: false },
      timedOut: false,
    });
  });

  it('is whole when it fits the limit exactly', async () => {
    const result = await run('printf', ['12345'], { maxOutputBytes: 5 });
    expect(result.truncated).toEqual({ stdout: false, stderr: false });
  });

  it('is passed on while it comes, whatever is kept', async () => {
    const heard = { stdout: '', stderr: '' };
    await run('/bin/sh', ['-c', 'echo abcdef; echo uvwxyz >&2; echo more'], {
      maxOutputBytes: 4,
      onOutput: (stream, chunk) => void (heard[stream] += Buffer.from(chunk).toString()),
    });
    expect(heard).toEqual({ stdout: 'abcdef\nmore\n', stderr: 'uvwxyz\n' });
  });

  it('ends the run when the listener throws', async () => {
    const pids = pidListener();
    const bug = new Error('a bug of the listener');
    const onOutput: ProcessRequest['onOutput'] = (stream, chunk) => {
      pids.onOutput(stream, chunk);
      throw bug;
    };
    await expect(run('/bin/sh', ['-c', 'echo $$; exec sleep 300'], { onOutput })).rejects.toBe(bug);
    await pids.gone(1);
  });
});

describe('process group', () => {
  it('does not wait for a process left in the background, and ends it', async () => {
    const pids = pidListener();
    const result = await run('/bin/sh', ['-c', 'sleep 300 & echo $!'], pids);
    expect(result).toMatchObject({ exitCode: 0, timedOut: false });
    await pids.gone(1);
  });

  it('ends a background process that let go of the pipes', async () => {
    const pids = pidListener();
    const result = await run('/bin/sh', ['-c', 'sleep 300 >/dev/null 2>&1 & echo $!'], pids);
    expect(result).toMatchObject({ exitCode: 0, timedOut: false });
    await pids.gone(1);
  });

  it('does not wait for a background process that never stops writing', async () => {
    const pids = pidListener();
    const result = await run('/bin/sh', ['-c', readyThen('yes')], {
      ...pids,
      maxOutputBytes: 64,
    });
    expect(result).toMatchObject({ exitCode: 0, timedOut: false });
    await pids.gone(1);
  });

  it('does not wait for a process that left the group with the pipes', async () => {
    const pids = pidListener();
    const script = `setsid ${readyThen('sleep 300')}`;
    expect(await run('/bin/sh', ['-c', script], pids)).toMatchObject({ exitCode: 0, timedOut: false });
    for (const pid of pids.all()) process.kill(pid, 'SIGKILL');
    await pids.gone(1);
  });

  it('keeps what a background process writes right after the exit', async () => {
    const script = '(while kill -0 $$ 2>/dev/null; do :; done; echo late) & exit 0';
    expect(told(await run('/bin/sh', ['-c', script])).stdout).toBe('late\n');
  });
});

describe('time-out', () => {
  it('ends the program and its children', async () => {
    const pids = pidListener();
    const result = await run('/bin/sh', ['-c', 'sleep 300 & echo $$ $!; wait'], { ...pids, timeoutMs: 1000 });
    expect(result).toMatchObject({ exitCode: 124, timedOut: true });
    await pids.gone(2);
  });

  it('lets a program say a last word', async () => {
    const script = "trap 'echo bye; exit 0' TERM; echo ready; while :; do sleep 0.05; done";
    const result = await run('/bin/sh', ['-c', script], { timeoutMs: 1000 });
    expect(told(result)).toMatchObject({ exitCode: 124, stdout: 'ready\nbye\n', timedOut: true });
  });

  it('kills a program that ignores SIGTERM', async () => {
    const pids = pidListener();
    const script = "trap '' TERM; sleep 300 & echo $$ $!; while :; do wait; done";
    const result = await run('/bin/sh', ['-c', script], { ...pids, timeoutMs: 1000 });
    expect(result).toMatchObject({ exitCode: 124, timedOut: true });
    await pids.gone(2);
  });
});

describe('abort', () => {
  it('before the call does not even look for the program', async () => {
    const failure = await failureOf(run('no-such-program', [], { signal: AbortSignal.abort() }));
    expect(failure.code).toBe('E_CANCELLED');
  });

  it('in the moment of the call ends the program', async () => {
    const controller = new AbortController();
    const running = run('sleep', ['300'], { signal: controller.signal });
    controller.abort();
    expect(await failureOf(running)).toMatchObject({
      code: 'E_CANCELLED',
      message: 'The call was cancelled.',
    });
  });

  it('during the call ends the program and its children', async () => {
    const controller = new AbortController();
    const pids = pidListener();
    const onOutput: ProcessRequest['onOutput'] = (stream, chunk) => {
      pids.onOutput(stream, chunk);
      controller.abort();
    };
    const script = "trap '' TERM; sleep 300 & echo $$ $!; while :; do wait; done";
    const failure = await failureOf(run('/bin/sh', ['-c', script], { onOutput, signal: controller.signal }));
    expect(failure.code).toBe('E_CANCELLED');
    await pids.gone(2);
  });
});

describe('a program that can not be started', () => {
  it.each([
    ['missing', 'no-such-program', [], 'ENOENT', /"no-such-program" was not found/],
    ['not executable', './plain', [], 'EACCES', /"\.\/plain" is not executable/],
    ['a directory', '/', [], 'EACCES', /"\/" is not executable/],
    ['below a file', './plain/program', [], 'ENOTDIR', /"\.\/plain\/program"/],
    ['unnamed', '', [], 'ERR_INVALID_ARG_VALUE', /empty name/],
    ['named with a NUL', 'ec\0ho', [], 'ERR_INVALID_ARG_VALUE', /"ec\\u0000ho" .* NUL/],
    ['given a NUL', 'echo', ['a\0b'], 'ERR_INVALID_ARG_VALUE', /"echo" .* NUL/],
    ['given too much', 'echo', ['a'.repeat(10_000_000)], 'E2BIG', /"echo" was given longer arguments/],
  ])('is a failure when it is %s', async (_, program, args, reason, message) => {
    await writeFile(join(directory, 'plain'), 'text');
    const failure = await failureOf(run(program, args));
    expect(failure).toMatchObject({ code: 'E_EXEC', details: { program, reason } });
    expect(failure.message).toMatch(message);
    expect(failure.hint).toMatch(/\.$/);
  });

  it.each(['missing', 'plain', 'nul\0'])('is a failure that names a bad directory (%j)', async (name) => {
    await writeFile(join(directory, 'plain'), 'text');
    const cwd = join(directory, name);
    const failure = await failureOf(run('echo', [], { cwd }));
    expect(failure).toMatchObject({ code: 'E_EXEC', hint: 'Name an existing directory.' });
    expect(failure.message).toContain(JSON.stringify(cwd));
  });
});

function run(program: string, args: readonly string[], request: Partial<ProcessRequest> = {}) {
  const usual = { cwd: directory, env: { PATH }, timeoutMs: 30_000, maxOutputBytes: 100_000 };
  return runProcess({ program, args, keep: 'head-and-tail', ...usual, ...request });
}

/** A script that ends once its background program has printed its process id and is about to begin. */
function readyThen(program: string): string {
  return `sh -c 'echo $$; touch ready; exec ${program}' & while [ ! -e ready ]; do :; done`;
}

/** A result with its output as text and without the part that no two runs share. */
function told({ exitCode, stdout, stderr, truncated, timedOut }: ProcessResult) {
  const [out, err] = [Buffer.from(stdout).toString(), Buffer.from(stderr).toString()];
  return { exitCode, stdout: out, stderr: err, truncated, timedOut };
}

async function failureOf(running: Promise<unknown>): Promise<Failure> {
  const thrown: unknown = await running.catch((error: unknown) => error);
  if (thrown instanceof Failure) return thrown;
  throw new Error('This did not end in a failure.', { cause: thrown });
}

/** Listens for process ids on stdout; `gone` waits until that many were printed and none of them runs. */
function pidListener() {
  let text = '';
  const all = (): number[] => (text.match(/\d+/g) ?? []).map(Number);
  return {
    onOutput: (_: string, chunk: Uint8Array) => void (text += Buffer.from(chunk).toString()),
    all,
    gone: async (count: number) => {
      expect(all()).toHaveLength(count);
      const running = async () => (await Promise.all(all().map(isRunning))).includes(true);
      await expect.poll(running, { timeout: 10_000 }).toBe(false);
    },
  };
}

/** A dead process still answers to signal 0 until somebody reaps it, so its state counts too. */
async function isRunning(pid: number): Promise<boolean> {
  try {
    process.kill(pid, 0);
    return !/\) [ZX] /.test(await readFile(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}
