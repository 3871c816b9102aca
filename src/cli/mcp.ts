/** `handrail mcp`: MCP on stdio, for a client that started it. */
import { createRuntime } from '../create-runtime.ts';
import { type Mode, MODES } from '../policy/decide.ts';
import { serveMcpOnStdio } from '../transports/mcp/serve-stdio.ts';
import { noteMissingServers } from './language-hints.ts';
import { note } from './print.ts';
import { lendAgents } from './lend-agents.ts';
import { noteStart } from './note-start.ts';
import type { Surroundings } from './surroundings.ts';
import { ownVersion } from './version.ts';

export interface McpArguments {
  readonly workspace?: string;
  readonly dialect?: string;
  readonly mode?: Mode | undefined;
}

const OPTIONS = ['workspace', 'dialect', 'mode'] as const;

/** The arguments, where they are nothing but options with their values; undefined for all that needs to be explained. */
export function plainArguments(argv: readonly string[]): McpArguments | undefined {
  const given: Partial<Record<(typeof OPTIONS)[number], string>> = {};
  for (let at = 0; at < argv.length; at += 2) {
    const option = OPTIONS.find((name) => argv[at] === `--${name}`);
    const value = argv[at + 1];
    if (option === undefined || value === undefined || value.startsWith('-')) return undefined;
    given[option] = value;
  }
  const mode = MODES.find((known) => known === given.mode);
  return mode === given.mode ? { ...given, mode } : undefined;
}

/** Serves until the client closes stdin, or SIGINT or SIGTERM. */
export async function mcp(
  options: McpArguments,
  { locations, environment, folder }: Surroundings,
): Promise<void> {
  const stop = new AbortController();
  process.once('SIGINT', () => stop.abort());
  process.once('SIGTERM', () => stop.abort());
  if (process.stdin.isTTY) note('This speaks MCP on stdin and stdout: a client starts it. Ctrl-C ends it.');
  const serving = {
    workspace: options.workspace,
    folder,
    version: ownVersion(),
    log: note,
    async open(workspace: string) {
      const { dialect, mode } = options;
      const runtime = await createRuntime({
        workspace,
        locations,
        environment,
        dialect,
        mode,
        // Through a client, a person would drown in questions about what can be taken back.
        usualMode: 'reversible',
        readConfig: true,
      });
      lendAgents(runtime, { environment });
      noteStart(runtime);
      noteMissingServers(runtime, { environment });
      return runtime;
    },
  };
  await serveMcpOnStdio(serving, stop.signal);
}
