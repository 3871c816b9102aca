/** Runs `handrail serve` as a person would. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { environmentOf, LAUNCHER } from './command-line.ts';
import type { TempWorkspace } from './temp-workspace.ts';

export interface Serving extends AsyncDisposable {
  /** The person's address. */
  readonly url: URL;
  readonly mcpUrl: URL;
  /** What agents send. */
  readonly token: string;
  /** What a person's client sends besides. */
  readonly approvalKey: string;
  readonly child: ChildProcess;
  /** What the server wrote for people. */
  stderr(): string;
}

/** Starts the server on a free port and waits for its addresses. */
export async function serve(
  workspace: TempWorkspace,
  args: readonly string[] = [],
  {
    folder = workspace.root,
    environment = {},
  }: { folder?: string; environment?: Record<string, string> } = {},
): Promise<Serving> {
  const child = spawn(process.execPath, [LAUNCHER, 'serve', '--port', '0', ...args], {
    cwd: folder,
    env: { ...environmentOf(workspace), ...environment },
  });
  let stderr = '';
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  let url: URL | undefined;
  for await (const line of createInterface({ input: child.stdout })) {
    if (line.startsWith('http://')) url = new URL(line);
    const [, mcpUrl, token] =
      /^MCP for agents: (\S+) with the header "Authorization: Bearer (\S+)"$/.exec(line) ?? [];
    if (url === undefined || mcpUrl === undefined || token === undefined) continue;
    return {
      url,
      mcpUrl: new URL(mcpUrl),
      token,
      approvalKey: new URLSearchParams(url.hash.slice(1)).get('approve')!,
      child,
      stderr: () => stderr,
      async [Symbol.asyncDispose]() {
        if (child.exitCode !== null) return;
        const ended = once(child, 'exit');
        child.kill('SIGTERM');
        await ended;
      },
    };
  }
  throw new Error(`The server printed no address: ${stderr}`);
}
