/** The process behind `handrail mcp`, spoken to by hand: what it writes, what it survives, when it ends. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { describe, expect, it } from 'vitest';
import { environmentOf, handrail, LAUNCHER } from '../../support/command-line.ts';
import { type TempWorkspace, tempWorkspace } from '../../support/temp-workspace.ts';

const INITIALIZE = {
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'hand', version: '1' } },
};
const READ = { method: 'tools/call', params: { name: 'read', arguments: { path: 'a.txt' } } };
const INITIALIZED = { jsonrpc: '2.0', method: 'notifications/initialized' };

interface Message {
  readonly jsonrpc: string;
  readonly id?: number;
  readonly result?: { readonly isError?: boolean };
  readonly error?: { readonly code: number; readonly message: string };
}

class HandMade implements AsyncDisposable {
  readonly lines: string[] = [];
  readonly #child: ChildProcess;
  readonly #gone: Promise<unknown[]>;
  readonly #waiting = new Map<number, (message: Message) => void>();
  #last = 0;

  constructor(workspace: TempWorkspace, ...args: string[]) {
    this.#child = spawn(process.execPath, [LAUNCHER, 'mcp', ...args], {
      cwd: workspace.root,
      env: environmentOf(workspace),
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    this.#gone = once(this.#child, 'exit');
    createInterface({ input: this.#child.stdout! }).on('line', (line) => {
      this.lines.push(line);
      const message = JSON.parse(line) as Message;
      this.#waiting.get(message.id!)?.(message);
    });
  }

  request(message: object): Promise<Message> {
    const id = ++this.#last;
    const answered = this.answerTo(id);
    this.write(JSON.stringify({ jsonrpc: '2.0', id, ...message }));
    return answered;
  }

  answerTo(id: number): Promise<Message> {
    return new Promise((resolve) => this.#waiting.set(id, resolve));
  }

  write(line: string | Uint8Array): void {
    this.writePart(line);
    this.writePart('\n');
  }

  writePart(part: string | Uint8Array): void {
    this.#child.stdin!.write(part);
  }

  endInput(): void {
    this.#child.stdin!.end();
  }

  signal(name: 'SIGTERM' | 'SIGINT'): void {
    this.#child.kill(name);
  }

  /** The exit code, once it is gone. */
  async ended(): Promise<unknown> {
    return (await this.#gone)[0];
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#child.kill('SIGKILL');
    await this.#gone;
  }
}

async function connected(workspace: TempWorkspace, ...args: string[]): Promise<HandMade> {
  const server = new HandMade(workspace, ...args);
  await server.request(INITIALIZE);
  server.write(JSON.stringify(INITIALIZED));
  return server;
}

describe('serveMcpOnStdio', () => {
  it('writes nothing but the protocol to stdout', async () => {
    await using workspace = tempWorkspace({ 'a.txt': 'text\n', '.handrail/config.jsonc': '{}' });
    await using server = await connected(workspace);
    await server.request({ method: 'tools/list' });
    await server.request(READ);
    await server.request({ ...READ, params: { name: 'none' } });
    server.endInput();
    expect(await server.ended()).toBe(0);
    expect(server.lines.map((line) => (JSON.parse(line) as Message).jsonrpc)).toEqual(
      Array.from({ length: 4 }, () => '2.0'),
    );
  });

  it('goes on after garbage on stdin', async () => {
    await using workspace = tempWorkspace({ 'a.txt': 'text\n' });
    await using server = await connected(workspace);
    server.write('this is no JSON');
    server.write(Buffer.from([0xff, 0xfe, 0x00, 0x80]));
    server.write('{"jsonrpc":"2.0"}');
    server.write('[]');
    server.write('{"jsonrpc":"2.0","id":99,"result":{}}');
    server.write('{"jsonrpc":"2.0","id":{},"method":"tools/call"}');
    expect(await server.request(READ)).toMatchObject({ result: { structuredContent: { content: 'text' } } });
    expect(await server.request({ method: 'no/such/method' })).toMatchObject({ error: { code: -32_601 } });
    expect(await server.request({ method: 'tools/call', params: { name: 7 } })).toHaveProperty('error');
  });

  it('goes on after garbage that came before anything else', async () => {
    await using workspace = tempWorkspace({ 'a.txt': 'text\n' });
    await using server = new HandMade(workspace);
    for (const line of ['no JSON', '[]', '7', '{"jsonrpc":"2.0"}']) server.write(line);
    await server.request(INITIALIZE);
    expect(await server.request(READ)).toMatchObject({ result: { structuredContent: { content: 'text' } } });
  });

  it('takes requests that come in pieces, and several at once', async () => {
    await using workspace = tempWorkspace({ 'a.txt': 'text\n' });
    await using server = await connected(workspace);
    const both = [1_001, 1_002].map((id) => JSON.stringify({ jsonrpc: '2.0', id, ...READ })).join('\n');
    const answered = [1_001, 1_002].map((id) => server.answerTo(id));
    server.writePart(both.slice(0, 50));
    server.write(both.slice(50));
    for (const answer of answered)
      expect(await answer).toMatchObject({ result: { structuredContent: { content: 'text' } } });
  });

  it('takes arguments of many megabytes', async () => {
    await using workspace = tempWorkspace();
    await using server = await connected(workspace);
    const content = `${'"'.repeat(1_000)}\n`.repeat(6_000);
    const written = await server.request({
      method: 'tools/call',
      params: { name: 'write', arguments: { path: 'large.txt', content } },
    });
    expect(written).toMatchObject({ result: { structuredContent: { ok: true, size: content.length } } });
  });

  it.each(['SIGTERM', 'SIGINT'] as const)('ends in good order by %s', async (name) => {
    await using workspace = tempWorkspace({ 'a.txt': 'text\n' });
    await using server = await connected(workspace);
    await server.request(READ);
    server.signal(name);
    expect(await server.ended()).toBe(0);
    const { stdout } = await handrail(workspace, ['audit', 'list', '--json']);
    expect(JSON.parse(stdout)).toMatchObject([{ name: 'read', outcome: 'ok' }]);
  });

  it('ends when stdin ends before anything was said', async () => {
    await using workspace = tempWorkspace();
    await using server = new HandMade(workspace);
    server.endInput();
    expect(await server.ended()).toBe(0);
    expect(server.lines).toEqual([]);
  });

  it('ends when stdin ends in the middle of a call, which is then cancelled', async () => {
    await using workspace = tempWorkspace({ 'a.txt': 'text\n' });
    await using server = await connected(workspace);
    await server.request(READ);
    for (let count = 0; count < 50; count++) void server.request(READ);
    server.endInput();
    expect(await server.ended()).toBe(0);
    const { stdout } = await handrail(workspace, ['audit', 'list', '--json', '--limit', '100']);
    const outcomes = (JSON.parse(stdout) as { outcome: string }[]).map(({ outcome }) => outcome);
    expect(outcomes.filter((outcome) => outcome !== 'ok' && outcome !== 'cancelled')).toEqual([]);
    expect(await handrail(workspace, ['audit', 'verify'])).toMatchObject({ exitCode: 0 });
  });
});
