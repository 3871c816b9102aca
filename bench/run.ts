/** Runs the benchmarks and prints a table of each as it ends: `node bench/run.ts` for all, with names behind it for some. */
import { audit } from './audit.ts';
import { codeSearch } from './code-search.ts';
import { commands } from './commands.ts';
import { effects } from './effects.ts';
import { documents } from './documents.ts';
import { files } from './files.ts';
import { git } from './git.ts';
import { lsp } from './lsp.ts';
import { mcp } from './mcp.ts';
import { search } from './search.ts';
import { server } from './server.ts';
import { spine } from './spine.ts';
import { startUp } from './start-up.ts';
import { formatTable, type Row } from './table.ts';

const benchmarks = new Map<string, () => Promise<Row[]> | AsyncIterable<Row[]>>([
  ['spine', spine],
  ['start-up', startUp],
  ['audit', audit],
  ['search', search],
  ['code-search', codeSearch],
  ['files', files],
  ['mcp', mcp],
  ['server', server],
  ['commands', commands],
  ['effects', effects],
  ['lsp', lsp],
  ['git', git],
  ['documents', documents],
]);

process.exitCode = await main(process.argv.slice(2));

async function main(asked: readonly string[]): Promise<number> {
  const unknown = asked.find((name) => !benchmarks.has(name));
  if (unknown !== undefined) {
    console.error(`There is no benchmark "${unknown}". There are: ${[...benchmarks.keys()].join(', ')}.`);
    return 2;
  }
  console.log(`Node ${process.version}, ${process.platform} ${process.arch}`);
  for (const [name, run] of benchmarks) {
    if (asked.length > 0 && !asked.includes(name)) continue;
    console.error(`measuring ${name} …`);
    const rows = run();
    for await (const part of Symbol.asyncIterator in rows ? rows : [rows])
      console.log(`\n${formatTable(part)}\n`);
  }
  return 0;
}
