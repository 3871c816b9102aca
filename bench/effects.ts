/** What it costs to know what a command changed, and to be able to take it back, beside the same command without. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Commands } from '../src/host/ports.ts';
import { commandsIn, shell } from '../test/support/commands.ts';
import { tempWorkspace, type TempWorkspace } from '../test/support/temp-workspace.ts';
import { compare, type Plan } from './measure.ts';
import type { Row } from './table.ts';

const SIZES = [20_000, 80_000];
const PER_FOLDER = 100;
const LINES: readonly [what: string, line: string, plan: Plan][] = [
  ['only touches one', 'touch d0/f0', { rounds: 12, stretchMs: 1 }],
  ['changes 3 files', 'for f in 1 2 3; do echo $$ > d0/f$f; done', { rounds: 12, stretchMs: 1 }],
  [
    'changes 500 files',
    'for d in 1 2 3 4 5; do for f in d$d/*; do echo $$ > $f; done; done',
    { rounds: 4, stretchMs: 1 },
  ],
];

/** All rows about effects. */
export async function effects(): Promise<Row[]> {
  const rows: Row[] = [];
  for (const size of SIZES) {
    await using workspace = tempWorkspace();
    fill(workspace, size);
    using commands = commandsIn(workspace);
    const runtime = await workspace.runtime({
      mode: 'reversible',
      environment: { PATH: process.env['PATH'] },
    });
    for (const [what, line, plan] of LINES) {
      const { plain, view, call } = await compare(
        {
          plain: { once: () => shell(commands, line) },
          view: { once: () => captured(commands, line) },
          call: { once: () => called(runtime, line) },
        },
        plan,
      );
      const beside = { what: 'the same, sandboxed only', sample: plain };
      const of = `${what}, of ${size.toLocaleString('en')}`;
      rows.push({ what: `${of}: in a view`, sample: view, beside });
      rows.push({ what: `${of}: a whole call, with undo`, sample: call, beside });
    }
  }
  return rows;
}

function fill({ root }: TempWorkspace, size: number): void {
  for (let folder = 0; folder < size / PER_FOLDER; folder++) {
    mkdirSync(join(root, `d${folder}`));
    for (let file = 0; file < PER_FOLDER; file++)
      writeFileSync(join(root, `d${folder}`, `f${file}`), `${folder} ${file}\n`);
  }
}

async function captured(commands: Commands, line: string): Promise<void> {
  const { changes } = await shell(commands, line, { capture: { way: 'view', mustCover: true, label: '' } });
  await changes!.takeOver();
  await changes![Symbol.asyncDispose]();
}

async function called(
  runtime: Awaited<ReturnType<TempWorkspace['runtime']>>,
  command: string,
): Promise<void> {
  const { outcome, result } = await runtime.call('bash', { command });
  if (outcome !== 'ok') throw new Error(JSON.stringify(result.error));
}
