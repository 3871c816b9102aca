/** Background processes through the runtime: what is asked, whose they are, and what is told. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Rule, Runtime, RuntimeEvent } from '../../../src/index.ts';
import { speak, type Speaker } from '../../dialects/fixtures/speak.ts';
import { ownSleep, stubborn } from '../../support/sleepers.ts';

interface Reply {
  readonly ok: boolean;
  readonly id: string;
  readonly output: string;
  readonly next: number;
  readonly stdout: string;
  readonly error?: string;
  readonly reason?: string;
  readonly url: string;
}

const ask = async (
  { runtime }: Pick<Speaker, 'runtime'>,
  tool: string,
  args: object,
  session?: Awaited<ReturnType<Runtime['openSession']>>,
): Promise<Reply> =>
  (await runtime.call(tool, args, session === undefined ? {} : { session })).reply as Reply;

const SERVER = `node -e "
const { createServer } = require('node:http');
process.stdin.on('data', (typed) => console.log('typed', String(typed).trim()));
createServer((_, answer) => { console.log('called'); answer.end('hello'); }).listen(4567, () => console.log('up'));
"`;
const CALL = 'curl -s --max-time 5 http://127.0.0.1:4567/ || echo nobody';

describe('a server in the background', () => {
  it('is waited for by its port, called by the next command, watched, written to and stopped', async () => {
    await using handrail = await speak('handrail');
    const events: RuntimeEvent[] = [];
    handrail.runtime.subscribe((event) => events.push(event));
    const { id } = await ask(handrail, 'run_background', { command: SERVER, wait_port: 4567 });
    expect(await ask(handrail, 'bash', { command: CALL })).toMatchObject({ ok: true, stdout: 'hello' });
    await ask(handrail, 'write_process', { id, text: 'word\n' });
    const { output, next } = await ask(handrail, 'read_process', { id, from: 0, wait_text: 'typed *' });
    expect([output, next]).toEqual(['up\ncalled\ntyped word\n', 21]);
    const { url } = await ask(handrail, 'forward_port', { id, port: 4567 });
    expect(await (await fetch(url)).text()).toBe('hello');
    expect(await ask(handrail, 'stop_process', { id })).toMatchObject({ running: false, exit_code: 143 });
    expect(await ask(handrail, 'bash', { command: CALL })).toMatchObject({ stdout: 'nobody\n' });
    await expect(fetch(url)).rejects.toThrow('fetch failed');
    await expect
      .poll(() => events.at(-1)?.type === 'call-ended' && events.some(({ type }) => type === 'process-ended'))
      .toBe(true);
    const told = events.filter((event) => event.type === 'process-output').map(({ text }) => text);
    expect(told.join('')).toBe('up\ncalled\ntyped word\ncalled\n');
    expect(events.filter(({ type }) => type === 'process-ended')).toMatchObject([
      { process: id, by: 'stopped', exitCode: 143 },
    ]);
  });

  it('is out of reach for a preview, which would have it do things', async () => {
    await using handrail = await speak('handrail');
    await ask(handrail, 'run_background', { command: SERVER, wait_port: 4567 });
    expect(await ask(handrail, 'preview_command', { command: CALL })).toMatchObject({ stdout: 'nobody\n' });
  });

  it('is out of reach for other sessions, which see that it is there', async () => {
    await using handrail = await speak('handrail');
    const other = await handrail.runtime.openSession();
    const { id } = await ask(handrail, 'run_background', { command: SERVER, wait_port: 4567 });
    expect(await ask(handrail, 'list_processes', {}, other)).toMatchObject({
      processes: [{ id, own: false }],
    });
    expect(await ask(handrail, 'bash', { command: CALL }, other)).toMatchObject({ stdout: 'nobody\n' });
    for (const [tool, args] of [
      ['read_process', { id }],
      ['write_process', { id, text: 'x' }],
      ['stop_process', { id }],
      ['forward_port', { id, port: 4567 }],
    ] as const) {
      const reply = await ask(handrail, tool, args, other);
      expect([tool, reply]).toMatchObject([
        tool,
        { ok: false, reason: expect.stringContaining('another session') as string },
      ]);
    }
    await handrail.runtime.closeSession(other);
    expect(await ask(handrail, 'list_processes', {})).toMatchObject({ processes: [{ id, running: true }] });
  });

  it.each(['1', '-1', '0', String(process.pid), '../../etc'])(
    'is never named by a pid or a path (%s)',
    async (id) => {
      await using handrail = await speak('handrail');
      for (const tool of ['stop_process', 'read_process'])
        expect(await ask(handrail, tool, { id })).toMatchObject({ ok: false, code: 'E_NOT_FOUND' });
    },
  );
});

describe('process.start', () => {
  it('is asked about even where it only reads, and says that undo can not help', async () => {
    await using handrail = await speak('handrail', { 'a.txt': '' });
    await ask(handrail, 'run_background', { command: 'tail -f a.txt' });
    expect(handrail.asked.map(({ preview }) => preview?.text)).toMatchObject([
      expect.stringMatching(
        /^\$ tail -f a\.txt\n[^]*until the session ends; what it changes, undo can't take back/,
      ) as string,
    ]);
  });

  it('is asked about where commands pass because undo takes them back', async () => {
    await using handrail = await speak('handrail', {}, { mode: 'reversible' });
    expect(await ask(handrail, 'bash', { command: 'touch made' })).toMatchObject({ ok: true });
    expect(handrail.asked).toEqual([]);
    const { id } = await ask(handrail, 'run_background', { command: 'cat; touch made' });
    await ask(handrail, 'write_process', { id, text: 'x' });
    expect(handrail.asked.map(({ tool }) => tool)).toEqual(['run_background', 'write_process']);
  });

  it('outside of the sandbox takes no input that nobody approved', async () => {
    await using handrail = await speak('handrail', {}, { mode: 'auto' });
    const { id } = await ask(handrail, 'run_background', { command: 'cat', outside_sandbox: true });
    expect(handrail.asked).toHaveLength(1);
    expect(await ask(handrail, 'write_process', { id, text: 'x' })).toMatchObject({
      ok: false,
      reason: expect.stringContaining('not in a sandbox') as string,
    });
  });

  it.each<[string, readonly Rule[], 'read-only' | 'ask']>([
    ['in mode read-only', [], 'read-only'],
    ['by a rule about commands', [{ action: 'deny', permission: 'proc.exec', command: ['tail *'] }], 'ask'],
  ])('is refused %s', async (_, rules, mode) => {
    await using handrail = await speak('handrail', { 'a.txt': '' }, { rules, mode });
    const { outcome } = await handrail.runtime.call('run_background', { command: 'tail -f a.txt' });
    expect(outcome).toBe('denied');
  });

  it('is confined as a command is', async () => {
    const script = 'cat .ssh/key; echo x > .handrail/config.jsonc; echo x > made; echo done';
    const files = { '.handrail/config.jsonc': '{}', '.ssh/key': 'secret', 'do.sh': script };
    await using handrail = await speak('handrail', files);
    const { output } = await ask(handrail, 'run_background', { command: 'sh do.sh', wait_text: 'done' });
    expect(output).not.toContain('secret');
    expect(output).toMatch(/Read-only/);
    expect(existsSync(join(handrail.workspace.root, 'made'))).toBe(true);
  });

  it('shows what goes on in the result and in the audit', async () => {
    await using handrail = await speak('handrail');
    const { result } = await handrail.runtime.call('run_background', { command: 'sleep 300' });
    expect(result.artifacts).toEqual({
      commands_run: ['sleep 300'],
      processes_started: [
        {
          id: expect.stringMatching(/^proc_/) as string,
          pid: expect.any(Number) as number,
          command: 'sleep 300',
        },
      ],
    });
  });

  it('keeps a name for one process at a time', async () => {
    await using codelab = await speak('codelab');
    const args = { command: 'sleep 300', process_id: 'dev' };
    await codelab.reply('run_persistent', args);
    expect(await codelab.reply('run_persistent', args)).toMatchObject({ error: { code: 'CONFLICT' } });
    await codelab.reply('kill_process', { process_id: 'dev' });
    expect(await codelab.reply('run_persistent', args)).toMatchObject({ result: { process_id: 'dev' } });
  });

  it('ends with the runtime, and what is kept goes on and belongs to the workspace', async () => {
    const { line, sleepers } = ownSleep();
    await using handrail = await speak('handrail');
    await ask(handrail, 'run_background', { command: stubborn(line), wait_text: 'up' });
    const { id } = await ask(handrail, 'run_background', { command: line, keep: true });
    await expect.poll(() => sleepers().length, { timeout: 10_000 }).toBe(3);
    await handrail.runtime[Symbol.asyncDispose]();
    expect(sleepers()).toHaveLength(1);
    const next = await handrail.workspace.runtime({ dialect: 'handrail' });
    expect(await ask({ runtime: next }, 'stop_process', { id })).toMatchObject({ ok: true, running: false });
    expect(sleepers()).toEqual([]);
  });
});
