/** File tools beside a well-known peer, and a page deep in a large file beside a plain scan. */
import { closeSync, openSync, writeSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import type { Runtime } from '../src/index.ts';
import { tempWorkspace } from '../test/support/temp-workspace.ts';
import { compare, type Contender, sampleOf, type Sample } from './measure.ts';
import { McpProcess } from './mcp-process.ts';
import type { Row } from './table.ts';

const PLAN = { rounds: 8, stretchMs: 300 };
const AHEAD = { atMostTimes: 1 };
const NOTE = 'ours through the library, theirs over MCP';
const LINE = 5_000_000;
const LINES = 9_000_000;

/** All rows about files. */
export async function files(): Promise<Row[]> {
  return [...(await besidePeer()), ...(await deepPage())];
}

async function besidePeer(): Promise<Row[]> {
  const many = Object.fromEntries(
    Array.from({ length: 1_465 }, (_, index) => [`many/entry-${index}.txt`, 'x']),
  );
  await using workspace = tempWorkspace({
    ...many,
    'small.txt': 'one\ntwo\nthree\n',
    'theirs.txt': 'one\ntwo\nthree\n',
  });
  const runtime = await workspace.runtime({ mode: 'reversible' });
  await using peer = await McpProcess.filesystem(workspace.root);
  const at = (name: string): string => join(workspace.root, name);
  const listing = await compare(
    {
      ours: calling(runtime, () => ['list', { path: 'many' }]),
      // The one of its tools that tells sizes, as ours does.
      theirs: { once: () => peer.call('list_directory_with_sizes', { path: at('many') }) },
      names: { once: () => peer.call('list_directory', { path: at('many') }) },
    },
    PLAN,
  );
  const swap = swapping();
  const swapTheirs = swapping();
  const editing = await compare(
    {
      ours: calling(runtime, () => {
        const [old_string, new_string] = swap();
        return ['edit', { path: 'small.txt', old_string, new_string }];
      }),
      theirs: {
        once() {
          const [oldText, newText] = swapTheirs();
          return peer.call('edit_file', { path: at('theirs.txt'), edits: [{ oldText, newText }] });
        },
      },
    },
    PLAN,
  );
  let count = 0;
  const megabyte = (): string => `${++count}\n`.padEnd(1_048_576, 'a line of text that is written\n');
  const writing = await compare(
    {
      ours: calling(runtime, () => ['write', { path: 'ours.bin', content: megabyte() }]),
      theirs: { once: () => peer.call('write_file', { path: at('theirs.bin'), content: megabyte() }) },
    },
    PLAN,
  );
  const row = (what: string, { ours, theirs }: Record<'ours' | 'theirs', Sample>): Row => ({
    what,
    sample: ours,
    beside: { what: 'server-filesystem', sample: theirs },
    goal: AHEAD,
    note: NOTE,
  });
  return [
    row('list of 1,465 entries with sizes', listing),
    row('the same, beside names alone', { ours: listing.ours, theirs: listing.names }),
    row('edit of a small file', editing),
    row('write of 1 MB', writing),
  ];
}

/** Old and new text, each time the other way round. */
function swapping(): () => [string, string] {
  let isSwapped = false;
  return () => {
    isSwapped = !isSwapped;
    return isSwapped ? ['two', 'TWO'] : ['TWO', 'two'];
  };
}

function calling(runtime: Runtime, next: () => [string, object]): Contender {
  return {
    async once() {
      const [tool, args] = next();
      const { outcome, result } = await runtime.call(tool, args);
      if (outcome !== 'ok') throw new Error(`A measured call ended as ${outcome}: ${result.error?.message}`);
    },
    settle: () => runtime.flush(),
  };
}

async function deepPage(): Promise<Row[]> {
  await using workspace = tempWorkspace();
  const path = join(workspace.root, 'large.log');
  console.error('writing a file of 1 GB …');
  writeLarge(path);
  const runtime = await workspace.runtime();
  const read = calling(runtime, () => ['read', { path: 'large.log', offset: LINE, limit: 200 }]);
  const rss = process.memoryUsage().rss;
  const first = await timed(() => read.once());
  const grown = Math.max(0, process.memoryUsage().rss - rss);
  const again = await timed(() => read.once());
  const plain = await timed(() => scanTo(path, LINE));
  const beside = { what: 'scan in chunks of 1 MB', sample: plain };
  const note = `${(grown / 1_048_576).toFixed(0)} MB more memory`;
  return [
    { what: '200 lines at line 5,000,000 of 1 GB', sample: first, beside, goal: { atMostTimes: 1.1 }, note },
    { what: 'the same again', sample: again, beside, goal: { atMostTimes: 0.1 } },
  ];
}

function writeLarge(path: string): void {
  const lines = Array.from(
    { length: 100_000 },
    (_, index) => `${String(index).padStart(9, '0')} ${'a word '.repeat(14)}`,
  );
  const block = `${lines.join('\n')}\n`;
  const fd = openSync(path, 'w');
  for (let written = 0; written < LINES; written += lines.length) writeSync(fd, block);
  closeSync(fd);
}

async function timed(work: () => unknown): Promise<Sample> {
  const start = performance.now();
  await work();
  return sampleOf([(performance.now() - start) * 1_000]);
}

async function scanTo(path: string, line: number): Promise<number> {
  await using file = await open(path);
  const buffer = Buffer.allocUnsafe(1_048_576);
  let seen = 1;
  for (let position = 0; ;) {
    const { bytesRead } = await file.read(buffer, 0, buffer.length, position);
    if (bytesRead === 0) return position;
    const chunk = buffer.subarray(0, bytesRead);
    for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, at + 1))
      if (++seen === line) return position + at + 1;
    position += bytesRead;
  }
}
