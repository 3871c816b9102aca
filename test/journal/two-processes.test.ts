/** Two processes that call at the same time on one store: every call is in the audit and in its index, and the chains hold. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type TempWorkspace, tempWorkspace } from '../support/temp-workspace.ts';
import { openAudit } from './fixtures/open-audit.ts';

const CALLS = 2_000;
const NAMES = ['one', 'two'];

describe('two runtimes on one store', () => {
  it(`lose none of ${CALLS} calls that each of them makes at the same time`, async () => {
    await using workspace = tempWorkspace({ 'a.txt': 'a\n' });
    const processes = NAMES.map((name) => start(workspace, name));
    await Promise.all(processes.map(({ ready }) => ready));
    for (const { child } of processes) child.stdin!.write('go\n');
    const told = await Promise.all(processes.map(({ calls }) => calls));
    const ids = told.flatMap((calls) => calls.map(([id]) => id)).sort();

    await using audit = openAudit(workspace.locations);
    const lines = await audit.lines();
    const of = (event: string): string[] =>
      lines.flatMap((line) => ('call_id' in line && line.event === event ? [line.call_id] : [])).sort();
    const outcomes = new Map(told.flat());
    const index = await audit.list({ limit: 3 * CALLS });
    expect({
      calls: told.map((calls) => calls.length),
      distinct: new Set(ids).size,
      kinds: [...new Set(outcomes.values())].sort(),
      opened: of('opened'),
      closed: of('closed'),
      indexed: index.map(({ call_id }) => call_id).sort(),
      otherwise: index.filter(({ call_id, outcome }) => outcomes.get(call_id) !== outcome),
      problems: await audit.problems(),
    }).toEqual({
      calls: [CALLS, CALLS],
      distinct: 2 * CALLS,
      kinds: ['denied', 'failed', 'ok'],
      opened: ids,
      closed: ids,
      indexed: ids,
      otherwise: [],
      problems: [],
    });
    // A chain each: had one waited for the other to end, there would be one.
    expect(await audit.verify()).toHaveLength(2);
    expect(readdirSync(workspace.root).filter((name) => /^(one|two)-/.test(name))).toHaveLength(CALLS / 20);
  }, 180_000);
});

interface Started {
  readonly child: ChildProcess;
  readonly ready: Promise<unknown>;
  /** Ids and outcomes, once it has ended. */
  readonly calls: Promise<[string, string][]>;
}

function start({ root, locations }: TempWorkspace, name: string): Started {
  const program = join(import.meta.dirname, 'fixtures/call-many-times.ts');
  const args = [program, root, JSON.stringify(locations), name, String(CALLS)];
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  let said = '';
  child.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()));
  return {
    child,
    ready: once(child.stdout, 'data'),
    calls: once(child, 'close').then(() => JSON.parse(said.replace('ready\n', '')) as [string, string][]),
  };
}
