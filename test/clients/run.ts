/**
 * `npm run clients`: starts real clients offline, each set up by `handrail setup` in a home of its own, with a scripted
 * model that has it write a file through Handrail. Prints what was seen. With names behind it, only those clients.
 */
import { execFile, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { clients, type RealClient } from './clients.ts';
import { scriptedModel } from './scripted-model.ts';

const LAUNCHER = join(import.meta.dirname, '../../bin/handrail.js');
const CACHE = join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'handrail-clients');
const FILE = 'from-the-client.txt';
const CONTENT = 'written through Handrail\n';
const PATIENCE_MS = 180_000;
const run = promisify(execFile);

interface Seen {
  readonly client: string;
  readonly version: string;
  readonly called: string;
  readonly written: boolean;
  readonly audited: boolean;
  readonly answered: boolean;
  /** Tools of the client's own that it still offers. */
  readonly others: readonly string[];
  readonly trouble: string;
}

process.exitCode = await main(process.argv.slice(2));

async function main(names: readonly string[]): Promise<number> {
  const rows: Seen[] = [];
  for (const client of clients) {
    if (names.length > 0 && !names.includes(client.name)) continue;
    console.error(`${client.name} ${client.version} …`);
    rows.push(await tryClient(client));
  }
  console.log(table(rows));
  return rows.every(isFine) ? 0 : 1;
}

async function tryClient(client: RealClient): Promise<Seen> {
  const program = await install(client);
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'handrail-client-')));
  const [home, workspace] = [join(base, 'home'), join(base, 'workspace')];
  mkdirSync(home);
  mkdirSync(workspace);
  await using model = await scriptedModel({ tool: 'write', args: { path: FILE, content: CONTENT } });
  const { args, env } = client.start(model.url, `Write the file ${FILE}.`);
  const surroundings = { ...offline(home), ...env };
  const handrail = (...words: string[]): Promise<{ stdout: string }> =>
    run(process.execPath, [LAUNCHER, ...words], { cwd: workspace, env: surroundings });
  try {
    client.prepare?.(home, workspace);
    await handrail('setup', client.name, '--yes');
    const said = await follow(program, args, workspace, surroundings);
    const { stdout } = await handrail('audit', 'list', '--json');
    const file = join(workspace, FILE);
    const written = existsSync(file) && readFileSync(file, 'utf8') === CONTENT;
    const calls = JSON.parse(stdout) as { name: string; outcome: string }[];
    const audited = calls.some(({ name, outcome }) => name === 'write' && outcome === 'ok');
    const seen = {
      client: client.name,
      version: client.version,
      called: model.called ?? '',
      written,
      audited,
      answered: model.hasResult,
      others: [...model.offered].filter((name) => !name.includes('handrail')).toSorted(),
      trouble: '',
    };
    return isFine(seen) ? seen : { ...seen, trouble: `${said.slice(-800)} ${model.unknown.join(', ')}` };
  } finally {
    rmSync(base, { recursive: true, force: true });
  }
}

/** Installs a client beside the project, once a machine and version; returns its program. */
async function install({ package: name, version, program }: RealClient): Promise<string> {
  const place = join(CACHE, `${name.replaceAll(/\W+/g, '-')}-${version}`);
  const file = join(place, 'node_modules/.bin', program);
  if (existsSync(file)) return file;
  mkdirSync(place, { recursive: true });
  await run('npm', ['install', '--no-audit', '--no-fund', '--prefix', place, `${name}@${version}`]);
  return file;
}

/** Nothing but loopback is in reach. */
function offline(home: string): Record<string, string> {
  const nowhere = 'http://127.0.0.1:9';
  return {
    PATH: process.env['PATH'] ?? '',
    HOME: home,
    HTTP_PROXY: nowhere,
    HTTPS_PROXY: nowhere,
    http_proxy: nowhere,
    https_proxy: nowhere,
    NO_PROXY: '127.0.0.1,localhost',
    no_proxy: '127.0.0.1,localhost',
  };
}

/** Runs a client to its end; returns what it said. */
function follow(
  program: string,
  args: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string>>,
): Promise<string> {
  const child = spawn(program, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
  const said: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => said.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => said.push(chunk));
  const timer = setTimeout(() => process.kill(-child.pid!, 'SIGKILL'), PATIENCE_MS);
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', () => {
      clearTimeout(timer);
      resolve(Buffer.concat(said).toString());
    });
  });
}

function isFine({ written, audited, answered }: Seen): boolean {
  return written && audited && answered;
}

function table(rows: readonly Seen[]): string {
  const mark = (is: boolean): string => (is ? 'yes' : 'NO');
  const cells = rows.map((row) => [
    `${row.client} ${row.version}`,
    row.called,
    mark(row.written),
    mark(row.audited),
    mark(row.answered),
    row.others.join(', '),
    row.trouble.replaceAll(/\s+/g, ' '),
  ]);
  const head = ['client', 'called', 'file written', 'audited', 'result came back', 'still offers', 'trouble'];
  const widths = head.map((_, column) => Math.max(...[head, ...cells].map((row) => row[column]!.length)));
  return [head, ...cells]
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column]!))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
