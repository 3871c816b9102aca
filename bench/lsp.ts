/** Diagnostics after an edit: through our own tool, and by the same server with nothing around it; and what the pool takes. */
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createMessageConnection, StreamMessageReader, StreamMessageWriter } from 'vscode-jsonrpc/node';
import { greeting } from '../src/host/local/language/greeting.ts';
import { treeMemory } from '../src/host/local/language/process-memory.ts';
import { LANGUAGE_PATH, languageProgram } from '../test/support/language-programs.ts';
import { tempWorkspace, type TempWorkspace } from '../test/support/temp-workspace.ts';
import { compare, type Plan, type Sample } from './measure.ts';
import type { Row } from './table.ts';

interface Server {
  readonly name: string;
  readonly command: readonly [string, ...string[]];
  readonly file: string;
  readonly languageId: string;
  /** The text of a round; every round's is another. */
  readonly text: (round: number) => string;
  readonly plan: Plan;
}

const LINES = 300;

const SERVERS: readonly Server[] = [
  {
    name: 'TypeScript 7',
    command: ['tsc', '--lsp', '--stdio'],
    file: 'a.ts',
    languageId: 'typescript',
    text: (round) =>
      `${Array.from({ length: LINES }, (_, line) => `export const v${line}: number = ${line};`).join('\n')}\nexport const last: string = ${round};\n`,
    plan: { rounds: 60, stretchMs: 1 },
  },
  {
    name: 'clangd',
    command: ['clangd', '--background-index=false'],
    file: 'a.c',
    languageId: 'c',
    text: (round) =>
      `${Array.from({ length: LINES }, (_, line) => `int v${line} = ${line};`).join('\n')}\nint last = unheard${round};\n`,
    plan: { rounds: 20, stretchMs: 1 },
  },
  {
    name: 'pylsp',
    command: ['pylsp'],
    file: 'a.py',
    languageId: 'python',
    text: (round) =>
      `${Array.from({ length: LINES }, (_, line) => `v${line} = ${line}`).join('\n')}\nlast = unheard${round}\n`,
    plan: { rounds: 8, stretchMs: 1 },
  },
];

/** All rows about language servers. */
export async function lsp(): Promise<Row[]> {
  const rows: Row[] = [];
  for (const server of SERVERS) {
    const what = `${server.name}: diagnostics after an edit`;
    const program = languageProgram(server.command[0]);
    rows.push(
      ...(program === undefined
        ? [{ what, note: 'it is not installed' }]
        : await measure(server, program, what)),
    );
  }
  return rows;
}

async function measure(server: Server, program: string, what: string): Promise<Row[]> {
  const { file, text, plan } = server;
  await using workspace = tempWorkspace({
    [file]: text(-1),
    'tsconfig.json': '{ "compilerOptions": { "types": [] } }',
  });
  const runtime = await workspace.runtime({ environment: { PATH: LANGUAGE_PATH } });
  const bare = await bareClient(workspace, server, program);
  let round = 0;
  const edit = (): string => {
    const content = text(++round);
    writeFileSync(join(workspace.root, file), content);
    return content;
  };
  const before = treeMemory(process.pid);
  const ours = async (): Promise<void> => {
    edit();
    const { reply } = await runtime.call('lsp_diagnostics', { path: file });
    if ((reply as { count?: number }).count === 0) throw new Error('The planted error was not found.');
  };
  await ours();
  const memory = treeMemory(process.pid) - before;
  const samples = await compare({ bare: { once: () => bare.diagnose(edit()) }, ours: { once: ours } }, plan);
  const alone = treeMemory(bare.pid);
  bare.end();
  return [
    {
      what,
      sample: samples.ours,
      beside: { what: 'the server alone', sample: samples.bare },
      note: overhead(samples),
    },
    {
      what: `${server.name}: memory`,
      figure: {
        value: memory / 1024 / 1024,
        unit: 'MiB',
        beside: { what: 'the server alone', value: alone / 1024 / 1024 },
        atMost: (1.3 * alone) / 1024 / 1024 + 64,
      },
      note: 'with its sandbox, and what it adds to ours',
    },
  ];
}

function overhead({ bare, ours }: { readonly bare: Sample; readonly ours: Sample }): string {
  return `${((ours.p50 - bare.p50) / 1_000).toFixed(1)} ms over the server's own time`;
}

/** The least that a client can do. */
async function bareClient(workspace: TempWorkspace, server: Server, program: string) {
  const child = spawn(program, server.command.slice(1), {
    stdio: ['pipe', 'pipe', 'ignore'],
    cwd: workspace.root,
  });
  const connection = createMessageConnection(
    new StreamMessageReader(child.stdout),
    new StreamMessageWriter(child.stdin),
  );
  let published: (version: unknown) => void = () => {};
  connection.onNotification('textDocument/publishDiagnostics', (params: { version?: number }) =>
    published(params.version),
  );
  connection.onRequest((method, params) =>
    method === 'workspace/configuration' ? (params as { items: unknown[] }).items.map(() => null) : null,
  );
  connection.listen();
  const root = pathToFileURL(workspace.root).href;
  const { capabilities } = await connection.sendRequest<{ capabilities: { diagnosticProvider?: unknown } }>(
    'initialize',
    greeting(root, undefined),
  );
  await connection.sendNotification('initialized', {});
  const uri = `${root}/${server.file}`;
  let version = 0;
  const diagnose = async (text: string): Promise<void> => {
    const report = new Promise<void>((resolve) => {
      published = (about) => (about === undefined || about === version ? resolve() : undefined);
    });
    version++;
    if (version === 1) {
      const textDocument = { uri, version, text, languageId: server.languageId };
      await connection.sendNotification('textDocument/didOpen', { textDocument });
    } else {
      const contentChanges = [{ text }];
      await connection.sendNotification('textDocument/didChange', {
        textDocument: { uri, version },
        contentChanges,
      });
    }
    if (capabilities.diagnosticProvider === undefined) await report;
    else await connection.sendRequest('textDocument/diagnostic', { textDocument: { uri } });
  };
  await diagnose(server.text(0));
  return {
    pid: child.pid!,
    diagnose,
    end() {
      connection.dispose();
      child.kill();
    },
  };
}
