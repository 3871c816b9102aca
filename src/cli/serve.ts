/** `handrail serve`: the server until somebody stops it. */
import { randomBytes } from 'node:crypto';
import { createRuntime } from '../create-runtime.ts';
import { localClock } from '../host/local/clock.ts';
import type { Clock } from '../host/ports.ts';
import { auditReader } from '../journal/audit-reader.ts';
import { openProcesses } from '../open-processes.ts';
import { openState, type State } from '../open-state.ts';
import type { Mode } from '../policy/decide.ts';
import type { Locations } from '../policy/places.ts';
import { approvalRows } from '../store/approvals.ts';
import { beApprover, PAGE } from '../store/approvers.ts';
import { messageRows } from '../store/messages.ts';
import { sectionWrites } from '../store/sections.ts';
import { sessionRows } from '../store/sessions.ts';
import { storeVersion } from '../store/store-version.ts';
import type { Records } from '../transports/http/records.ts';
import { startServer } from '../transports/http/server.ts';
import { UsageError } from './exit-code.ts';
import { noteMissingServers } from './language-hints.ts';
import { note, print } from './print.ts';
import { agentsOf, lendAgents } from './lend-agents.ts';
import { noteStart } from './note-start.ts';
import type { Surroundings } from './surroundings.ts';
import { ownVersion } from './version.ts';

export interface ServeArguments {
  readonly workspace?: string;
  readonly dialect?: string;
  readonly mode?: Mode;
  readonly port?: string;
  readonly host: string;
}

const TOKEN_VARIABLE = 'HANDRAIL_TOKEN';
const LOOPBACK = /^(127\.\d+\.\d+\.\d+|::1|localhost)$/;

/** Serves until SIGINT or SIGTERM. */
export async function serve(
  options: ServeArguments,
  { locations, environment, folder }: Surroundings,
): Promise<void> {
  const port = parsePort(options.port);
  const token = configuredToken(environment[TOKEN_VARIABLE]) ?? secret();
  await using runtime = await createRuntime({
    workspace: options.workspace ?? folder,
    locations,
    environment,
    dialect: options.dialect,
    mode: options.mode,
    // Its calls come through clients, as those of `handrail mcp` do.
    usualMode: 'reversible',
    readConfig: true,
  });
  lendAgents(runtime, { environment });
  noteStart(runtime);
  noteMissingServers(runtime, { environment });
  await using state = openState(locations);
  const { host } = options;
  await using server = await startServer({
    runtime,
    records: recordsOf(state, localClock, locations),
    agentsOf: (served) => agentsOf(served, { environment }),
    clock: localClock,
    version: ownVersion(),
    credentials: { token, approvalKey: secret() },
    host,
    port,
  });
  if (!LOOPBACK.test(host))
    note(`Warning: ${host} can be reached from other machines; whoever has the token can use it.`);
  // Whoever reads the address may stop the server at once.
  const end = stopped();
  print(`Handrail serves ${runtime.workspace.root}`);
  print(server.url);
  print(`MCP for agents: ${server.mcpUrl} with the header "Authorization: Bearer ${token}"`);
  note('Keep the address to yourself: with it, questions are answered and turns taken back.');
  note('Stop it with Ctrl-C.');
  await end;
}

/** The token that the user chose, for clients that are to find the server again after a restart. */
function configuredToken(token: string | undefined): string | undefined {
  if (token === undefined || /^[\w.~+/-]{16,200}$/.test(token)) return token;
  throw new UsageError(`${TOKEN_VARIABLE} is a token of 16 to 200 letters, digits and . _ ~ + / -`);
}

/** Kept nowhere but in memory, and in the address that is printed. */
function secret(): string {
  return randomBytes(32).toString('base64url');
}

/** What the server shows and changes besides its runtime. */
export function recordsOf(state: State, clock: Clock, locations: Locations): Records {
  const { directory, store, processes } = state;
  const { database } = store;
  return {
    audit: auditReader({ state: directory, database, processes }),
    approvals: approvalRows(database, clock, processes),
    messages: messageRows(database, clock),
    processes: openProcesses(state, locations),
    sessions: sessionRows(database, clock, processes),
    version: () => storeVersion(database),
    sections: () => sectionWrites(database),
    beApprover: () => beApprover(database, clock, processes, PAGE),
  };
}

function parsePort(written: string | undefined): number | undefined {
  if (written === undefined) return undefined;
  const port = Number(written);
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw new UsageError(`--port ${written} is not a port.`);
  return port;
}

function stopped(): Promise<void> {
  return new Promise((resolve) => {
    process.once('SIGINT', () => resolve());
    process.once('SIGTERM', () => resolve());
  });
}
