/**
 * The ground for attacks by the web: a server that a rule names, standing for the internet, and one on the machine's
 * own network that holds a secret. Both listen at the same port, so that a host leads to either by its address alone.
 */
import type { RequestListener, ServerResponse } from 'node:http';
import { expect } from 'vitest';
import type { CallResponse, Rule, RuntimeOptions } from '../../src/index.ts';
import { approver } from '../support/approver.ts';
import { tempWorkspace } from '../support/temp-workspace.ts';
import { saying, type WebServer, webServer } from '../support/web-server.ts';

export const SECRET = 'loopback secret';
/** Where the server stands that may be reached. */
export const OPEN_ADDRESS = '127.0.0.2';
export const OPEN_RULE: Rule = { action: 'allow', permission: 'net.connect', host: OPEN_ADDRESS };

export interface WebGround extends AsyncDisposable {
  readonly open: WebServer;
  readonly secret: WebServer;
  readonly port: number;
}

/** Starts both; `serve` answers for the open one. */
export async function webGround(serve: RequestListener = saying('open')): Promise<WebGround> {
  const secret = await webServer(saying(SECRET));
  const { port } = secret;
  const open = await webServer(serve, { address: OPEN_ADDRESS, port });
  return {
    open,
    secret,
    port,
    async [Symbol.asyncDispose]() {
      await open[Symbol.asyncDispose]();
      await secret[Symbol.asyncDispose]();
    },
  };
}

/** Fetches an address through a runtime whose human says yes to everything. */
export async function fetchBy(
  tool: 'web-fetch' | 'web_fetch',
  url: string,
  options: Partial<RuntimeOptions> = {},
): Promise<CallResponse> {
  await using workspace = tempWorkspace();
  const dialect = tool === 'web-fetch' ? 'tenas' : 'handrail';
  const runtime = await workspace.runtime({
    dialect,
    approve: approver('once'),
    rules: [OPEN_RULE],
    ...options,
  });
  return await runtime.call(tool, { url });
}

/** Expects that an address is refused by every tool, and that the secret was not even asked for. */
export async function expectOutOfReach(
  ground: WebGround,
  url: string,
  codes: readonly string[] = ['E_POLICY_DENIED'],
): Promise<void> {
  for (const tool of ['web-fetch', 'web_fetch'] as const) {
    const { result, reply } = await fetchBy(tool, url);
    expect({ url, tool, code: result.error?.code }).toEqual({
      url,
      tool,
      code: expect.toBeOneOf([...codes]) as string,
    });
    expect(JSON.stringify(reply)).not.toContain(SECRET);
  }
  expect({ url, asked: ground.secret.asked }).toEqual({ url, asked: [] });
}

/** Expects that who takes addresses as they come reads the secret. */
export async function expectNaiveReach(url: string): Promise<void> {
  expect({ url, text: await (await fetch(url)).text() }).toEqual({ url, text: SECRET });
}

export function redirect(response: ServerResponse, location: string, status = 302): void {
  response.writeHead(status, { location }).end();
}
