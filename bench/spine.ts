/** What a call costs around its handler: nothing at all, a path to resolve, and real reads and writes. */
import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import {
  type Access,
  defineDialect,
  defineOperation,
  defineTool,
  type Runtime,
  type Tool,
} from '../src/index.ts';
import { tempWorkspace } from '../test/support/temp-workspace.ts';
import { callLines } from './call-lines.ts';
import { compare, type Contender, type Plan } from './measure.ts';
import { NaiveAudit } from './naive-audit.ts';
import type { Row } from './table.ts';

const PLAN: Plan = { rounds: 12, stretchMs: 200 };
const DEEP = 'one/two/three/four/five/deep.txt';
const TEXT = Array.from(
  { length: 200 },
  (_, index) => `${index} a line of text as long as lines usually are\n`,
).join('');
/** Contents of 4 KB that differ in one line, so that every write changes the file. */
const CONTENTS = ['one', 'two'].map((word) => `${word}\n${TEXT}`.slice(0, 4_096));

/** All rows of the spine. */
export async function spine(): Promise<Row[]> {
  await using workspace = tempWorkspace({ [DEEP]: 'deep\n', 'text.txt': TEXT, 'written.txt': CONTENTS[0]! });
  const runtime = await workspace.runtime({
    dialect: 'bench',
    dialects: [bench],
    rules: [{ action: 'allow', permission: ['fs.read', 'fs.write'] }],
  });
  using naive = new NaiveAudit(join(workspace.root, '..', 'naive.jsonl'));
  return [
    ...(await emptyCalls(runtime, naive)),
    await reading(runtime, workspace.root),
    await writing(runtime, workspace.root),
  ];
}

async function emptyCalls(runtime: Runtime, naive: NaiveAudit): Promise<Row[]> {
  let calls = 0;
  const samples = await compare(
    {
      call: calling(runtime, () => runtime.call('nothing', {})),
      access: calling(runtime, () => runtime.call('touch', { path: DEEP })),
      bare: { once: doNothing },
      naive: {
        async once() {
          const [opened, closed] = callLines(++calls);
          naive.write(opened);
          await doNothing();
          naive.write(closed);
        },
      },
    },
    PLAN,
  );
  const goal = { underMicroseconds: 100 };
  const bare = { what: 'bare handler', sample: samples.bare };
  return [
    { what: 'call of an empty handler', sample: samples.call, beside: bare, goal },
    {
      what: 'call of an empty handler',
      sample: samples.call,
      beside: { what: 'bare handler, both lines synced', sample: samples.naive },
    },
    { what: 'the same with one fs.read at depth 6', sample: samples.access, beside: bare },
  ];
}

async function reading(runtime: Runtime, root: string): Promise<Row> {
  const session = await runtime.openSession({ dialect: 'handrail' });
  const samples = await compare(
    {
      call: calling(runtime, () => runtime.call('read', { path: 'text.txt' }, { session })),
      plain: { once: () => readFile(join(root, 'text.txt'), 'utf8') },
    },
    PLAN,
  );
  return {
    what: 'read of 200 lines',
    sample: samples.call,
    beside: { what: 'readFile', sample: samples.plain },
  };
}

async function writing(runtime: Runtime, root: string): Promise<Row> {
  const session = await runtime.openSession({ dialect: 'handrail' });
  let writes = 0;
  const nextContent = (): string => CONTENTS[++writes % CONTENTS.length]!;
  const samples = await compare(
    {
      call: calling(runtime, () =>
        runtime.call('write', { path: 'written.txt', content: nextContent() }, { session }),
      ),
      plain: { once: () => replacePlainly(join(root, 'plain.txt'), nextContent()) },
    },
    PLAN,
  );
  const beside = { what: 'writeFile, fsync, rename', sample: samples.plain };
  return { what: 'write of 4 KB, with its diff', sample: samples.call, beside };
}

/** A call that must go well; the audit it leaves is flushed before the next contender's turn. */
function calling(runtime: Runtime, call: () => ReturnType<Runtime['call']>): Contender {
  return {
    async once() {
      const { outcome, result } = await call();
      if (outcome !== 'ok') throw new Error(`A measured call ended as ${outcome}: ${result.error?.message}`);
    },
    settle: () => runtime.flush(),
  };
}

async function replacePlainly(path: string, content: string): Promise<void> {
  await writeFile(`${path}.tmp`, content, { flush: true });
  await rename(`${path}.tmp`, path);
}

async function doNothing(): Promise<object> {
  return {};
}

/** A tool whose handler does nothing, whatever it declares to touch. */
function emptyTool<Input>(
  name: string,
  args: z.ZodType<Input>,
  access: (input: Input) => readonly Access[],
): Tool {
  const operation = defineOperation({
    name: `bench.${name}`,
    summary: 'Does nothing.',
    input: args,
    output: z.strictObject({}),
    permissions: ['fs.read'],
    effect: 'read',
    access,
    run: doNothing,
  });
  const description = operation.summary;
  return defineTool({
    name,
    version: '1.0.0',
    description,
    args,
    returns: operation.output,
    operation,
    toInput: (input) => input,
  });
}

const bench = defineDialect({
  name: 'bench',
  paths: { absolute: 'refused' },
  tools: [
    emptyTool('nothing', z.strictObject({}), () => []),
    emptyTool('touch', z.strictObject({ path: z.string() }), ({ path }) => [
      { permission: 'fs.read', resource: path },
    ]),
  ],
  reply: ({ result }) => result,
});
