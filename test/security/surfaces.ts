/** The ways to make the same call: in process, as a person types it, as a client sends it, and as a model makes it. An attack must fail on each of them. */
import { join } from 'node:path';
import type { EventListener, RuntimeOptions, Session } from '../../src/index.ts';
import { tools } from '../../src/transports/ai-sdk/index.ts';
import { listedName } from '../../src/listed-tool.ts';
import { approver } from '../support/approver.ts';
import { taking } from '../support/prompter.ts';
import { environmentOf, handrail } from '../support/command-line.ts';
import { connectMcp, type McpClientOptions, sayOnce, textOf } from '../support/mcp-client.ts';
import type { TempWorkspace } from '../support/temp-workspace.ts';

export interface ToolCall {
  readonly dialect: string;
  readonly tool: string;
  readonly args: unknown;
}

/** What the caller gets to see. */
export interface Answer {
  readonly outcome: 'ok' | 'failed' | 'denied' | 'cancelled';
  /** Everything that came back, as text. */
  readonly text: string;
}

export interface Surface {
  readonly name: 'library' | 'command line' | 'MCP' | 'AI SDK';
  /** Where its audit is. */
  readonly state: string;
  /** Makes a call whose question, if there is one, is answered with yes; the audit is on the disk afterwards. */
  call(call: ToolCall): Promise<Answer>;
}

/** Calls in process, all of them in one runtime. */
export async function library(
  workspace: TempWorkspace,
  options: Partial<RuntimeOptions> = {},
): Promise<Surface> {
  const runtime = await workspace.runtime({ approve: approver('once'), prompt: taking(1), ...options });
  const sessions = new Map<string, Session>();
  return {
    name: 'library',
    state: workspace.locations.state,
    async call({ dialect, tool, args }) {
      const session = sessions.get(dialect) ?? (await runtime.openSession({ dialect }));
      sessions.set(dialect, session);
      const { outcome, reply, result } = await runtime.call(tool, args, { session });
      await runtime.flush();
      return { outcome, text: `${JSON.stringify(reply)}\n${JSON.stringify(result)}` };
    },
  };
}

/** Calls by `handrail call --yes`, each in a process of its own. */
export function commandLine(workspace: TempWorkspace): Surface {
  return {
    name: 'command line',
    state: join(environmentOf(workspace)['XDG_STATE_HOME']!, 'handrail'),
    async call({ dialect, tool, args }) {
      const where = ['--dialect', dialect, '--workspace', workspace.root, '--yes'];
      const { exitCode, stdout, stderr } = await handrail(
        workspace,
        ['call', ...where, '--', tool, '-'],
        JSON.stringify(args),
      );
      const outcome = OUTCOMES[exitCode ?? -1];
      if (outcome === undefined) throw new Error(`handrail call ended with ${exitCode}: ${stderr}`);
      JSON.parse(stdout);
      return { outcome, text: `${stdout}${stderr}` };
    },
  };
}

/** Calls over MCP, all by one client whose person says yes; it speaks the dialect `handrail` only. */
export async function overMcp(
  workspace: TempWorkspace,
  way: Pick<McpClientOptions, 'era' | 'over'>,
): Promise<Surface & AsyncDisposable> {
  const mcp = await connectMcp(workspace, { ...way, args: ['--mode', 'ask'], answer: sayOnce });
  return {
    name: 'MCP',
    state: join(environmentOf(workspace)['XDG_STATE_HOME']!, 'handrail'),
    async call({ tool, args }) {
      const result = await mcp.client.callTool({ name: tool, arguments: args as Record<string, unknown> });
      const text = textOf(result);
      if (result.isError !== true) return { outcome: 'ok', text: JSON.stringify(result) };
      const { denied } = JSON.parse(text) as { readonly denied?: boolean };
      return { outcome: denied === true ? 'denied' : 'failed', text };
    },
    [Symbol.asyncDispose]: () => mcp[Symbol.asyncDispose](),
  };
}

/** Calls by a tool set of the AI SDK, whose user approves what they are shown. */
export async function aiSdk(
  workspace: TempWorkspace,
  options: Partial<RuntimeOptions> = {},
): Promise<Surface> {
  const runtime = await workspace.runtime(options);
  let calls = 0;
  return {
    name: 'AI SDK',
    state: workspace.locations.state,
    async call({ dialect, tool, args }) {
      let outcome: Answer['outcome'] | undefined;
      const listener: EventListener = (event) => {
        if (event.type === 'call-ended') outcome = event.outcome as Answer['outcome'];
      };
      const session = await runtime.openSession({ dialect });
      const made = tools(runtime, { session, listener })[listedName(tool)]!;
      const call = { toolCallId: `call_${calls++}`, messages: [], context: undefined };
      if (typeof made.needsApproval === 'function') await made.needsApproval(args, call);
      const outputs = await outputsOf(() => made.execute!(args, call)).catch((error: unknown) => [error]);
      await runtime.flush();
      return { outcome: outcome!, text: outputs.map((output) => JSON.stringify(output)).join('\n') };
    },
  };
}

async function outputsOf(execute: () => unknown): Promise<unknown[]> {
  const reply = await execute();
  if (!(Symbol.asyncIterator in Object(reply))) return [reply];
  const outputs: unknown[] = [];
  for await (const output of reply as AsyncIterable<unknown>) outputs.push(output);
  return outputs;
}

/** What the exit codes of `handrail call` mean. */
const OUTCOMES: Readonly<Record<number, Answer['outcome']>> = { 0: 'ok', 1: 'failed', 3: 'denied' };
