/** A server over a workspace of its own, a browser, and clients: what every test of the console stands on. */
import type { Browser } from 'playwright-core';
import { type Client, handrailClient } from '../../src/client/index.ts';
import { startBrowser } from './browser.ts';
import { serve, type Serving } from './serve.ts';
import { type TempWorkspace, tempWorkspace } from './temp-workspace.ts';

export interface ConsoleGround {
  readonly workspace: TempWorkspace;
  readonly server: Serving;
  readonly browser: Browser;
  readonly agent: Client;
  /** With the approval key. */
  readonly person: Client;
}

/** Starts both; they go with the stack. */
export async function consoleGround(
  stack: AsyncDisposableStack,
  files: Readonly<Record<string, string>>,
  args: readonly string[] = [],
  environment: Record<string, string> = {},
): Promise<ConsoleGround> {
  const workspace = stack.use(tempWorkspace(files));
  const server = stack.use(await serve(workspace, args, { environment }));
  const browser = stack.use(await startBrowser());
  const { token, approvalKey } = server;
  const url = server.url.origin;
  return {
    workspace,
    server,
    browser,
    agent: handrailClient({ url, token }),
    person: handrailClient({ url, token, approvalKey }),
  };
}
