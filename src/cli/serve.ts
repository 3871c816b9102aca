/** `handrail serve`: the server until somebody stops it. */
import { randomBytes } from 'node:crypto';
import { createRuntime } from '../create-runtime.ts';
import { openAudit } from './open-audit.ts';
import { startServer } from '../transports/http/server.ts';
import { UsageError } from './exit-code.ts';
import { note, print } from './print.ts';
import { noteProjectSettings } from './read-settings.ts';
import type { Surroundings } from './surroundings.ts';
import { ownVersion } from './version.ts';

export interface ServeArguments {
  readonly workspace?: string;
  readonly dialect?: string;
  readonly port?: string;
  readonly host: string;
}

const LOOPBACK = /^(127\.\d+\.\d+\.\d+|::1|localhost)$/;

/** Serves until SIGINT or SIGTERM. */
export async function serve(options: ServeArguments, { locations, folder }: Surroundings): Promise<void> {
  const port = parsePort(options.port);
  await using runtime = await createRuntime({
    workspace: options.workspace ?? folder,
    locations,
    dialect: options.dialect,
    readConfig: true,
  });
  noteProjectSettings(runtime);
  await using audit = openAudit(locations);
  const token = randomBytes(32).toString('base64url');
  const { host } = options;
  await using server = await startServer({
    runtime,
    audit: audit.reader,
    version: ownVersion(),
    token,
    host,
    port,
  });
  if (!LOOPBACK.test(host))
    note(`Warning: ${host} can be reached from other machines; whoever has the token can use it.`);
  // Whoever reads the address may stop the server at once.
  const end = stopped();
  print(`Handrail serves ${runtime.workspace.root}`);
  print(server.url);
  note('Stop it with Ctrl-C.');
  await end;
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
