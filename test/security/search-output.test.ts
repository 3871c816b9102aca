/** What a search says is true, bounded, and the same whatever is in the files that it must not tell about. */
import { describe, expect, it } from 'vitest';
import { dialects } from '../../src/dialects/index.ts';
import type { Rule } from '../../src/index.ts';
import { type TempWorkspace, tempWorkspace } from '../support/temp-workspace.ts';
import { ALIVE, type Attack, expectAllowed, testAttacks } from './attack-case.ts';
import { expectTrue, SEARCHES, shownLines, shownPaths } from './searching.ts';
import { type Answer, library, type ToolCall } from './surfaces.ts';
import { ripgrep } from './undefended-search.ts';

const HITS = 65_000;
const LINES = SEARCHES.filter(({ shows }) => shows === 'lines').map(({ search }) => search('needle'));

/** As many hits as a tool can be asked for. */
const GREEDY: readonly ToolCall[] = [
  ...LINES,
  { dialect: 'coder', tool: 'grep', args: { pattern: 'needle', max_matches: HITS } },
  { dialect: 'handrail', tool: 'grep', args: { pattern: 'needle', max_matches: HITS, offset: 0 } },
  { dialect: 'clude', tool: 'grep', args: { pattern: 'needle', head_limit: 10_000 } },
  { dialect: 'codelab', tool: 'search_in_project', args: { query: 'needle', max_results: 1_000 } },
];

function replyBytes(dialect: string): number {
  return dialects().find(({ name }) => name === dialect)!.replyBytes;
}

function replyOf({ text }: Answer): string {
  return text.slice(0, text.indexOf('\n'));
}

const FLOODS: readonly Attack[] = [
  {
    id: 'GR-02',
    title: '65,000 hits in long lines',
    attack: async () => {
      await using workspace = tempWorkspace(ALIVE);
      plantHits(workspace);
      const surface = await library(workspace);
      for (const call of GREEDY) {
        const answer = await expectAllowed(surface, workspace, call);
        const reply = replyOf(answer);
        expect(Buffer.byteLength(reply)).toBeLessThan(1.2 * replyBytes(call.dialect));
        expect(reply).toContain('"truncated":true');
        for (const { text } of shownLines(answer)) expect(text.length).toBeLessThan(600);
      }
    },
    bites: async () => {
      await using workspace = tempWorkspace();
      plantHits(workspace);
      expect(ripgrep(workspace, ['needle', '.']).length).toBeGreaterThan(10 * replyBytes('handrail'));
    },
  },
  {
    id: 'GR-02',
    title: '12,000 files with long names',
    attack: async () => {
      await using workspace = tempWorkspace(ALIVE);
      plantNames(workspace);
      const surface = await library(workspace);
      for (const { search } of SEARCHES.filter(({ shows }) => shows === 'names')) {
        const call = search('needle');
        const answer = await expectAllowed(surface, workspace, call);
        expect(Buffer.byteLength(replyOf(answer))).toBeLessThan(1.2 * replyBytes(call.dialect));
        expect(replyOf(answer)).toContain('"truncated":true');
      }
    },
    bites: async () => {
      await using workspace = tempWorkspace();
      plantNames(workspace);
      expect(ripgrep(workspace, ['--files', '.']).length).toBeGreaterThan(5 * replyBytes('handrail'));
    },
  },
];

function plantHits(workspace: TempWorkspace): void {
  workspace.write('hits.txt', `needle ${'x'.repeat(700)}\n`.repeat(HITS));
}

function plantNames(workspace: TempWorkspace): void {
  for (let index = 0; index < 12_000; index++) workspace.write(`d/needle-${index}-${'n'.repeat(150)}`, '');
}

const CLOSED: readonly Rule[] = [{ action: 'deny', permission: 'fs.read', path: ['vault/', '*.token'] }];
const CLOSED_FILES = ['.env', '.ssh/id', 'a/.env', 'vault/a.txt', 'x.token', 'key.pem'];

/** Every search over a tree whose closed files hold the given text, with whatever can be asked for. */
async function searchWith(closed: string): Promise<unknown[]> {
  await using workspace = tempWorkspace({ ...ALIVE, 'm.txt': 'one needle\n', 'z/z.txt': 'two needles\n' });
  for (const path of CLOSED_FILES) workspace.write(path, closed);
  const surface = await library(workspace, { rules: CLOSED });
  const calls = [
    ...SEARCHES.map(({ search }) => search('needle')),
    { dialect: 'handrail', tool: 'grep', args: { pattern: 'needle', max_matches: 1, offset: 1 } },
    { dialect: 'handrail', tool: 'grep', args: { pattern: 'needle', max_matches: 2, offset: 0, context: 5 } },
    { dialect: 'codelab', tool: 'search_in_project', args: { query: 'needle', max_results: 2 } },
    { dialect: 'tenas', tool: 'file-search', args: { query: 'needle', limit: 2 } },
  ];
  const said: unknown[] = [];
  for (const call of calls) {
    const answer = await expectAllowed(surface, workspace, call);
    const { payload } = JSON.parse(answer.text.split('\n').at(-1)!) as { payload: object };
    // Sizes and times of files are no secret of a listing.
    said.push(call.tool === 'list_files' ? shownPaths(answer) : payload);
  }
  return said;
}

const ORACLES: readonly Attack[] = [
  {
    id: 'GR-02',
    title: 'a guess at what a closed file holds',
    attack: async () => {
      const miss = await searchWith('nothing of the kind\n');
      const hit = await searchWith('a needle\n');
      const many = await searchWith('needle\n'.repeat(50_000));
      expect(hit).toEqual(miss);
      expect(many).toEqual(miss);
    },
    bites: async () => {
      await using workspace = tempWorkspace({ '.env': 'a needle\n' });
      expect(ripgrep(workspace, ['--hidden', '--count', 'needle', '.'])).not.toBe('');
    },
  },
];

describe('the answer of a search', () => {
  testAttacks([...FLOODS, ...ORACLES]);

  it('GR-02 shows lines as they are in the file', async () => {
    await using workspace = tempWorkspace(ALIVE);
    const files: Record<string, Uint8Array> = {
      'crlf.txt': Buffer.from('needle one\r\nneedle two\r\n'),
      'returns.txt': Buffer.from('a needle\rover\rwritten\n'),
      'marked.txt': Buffer.from('\ufeffneedle behind a mark\n'),
      'latin.txt': Buffer.from('n\u00e4h needle\n', 'latin1'),
      'endless.txt': Buffer.from('no end after this needle'),
      'empty-lines.txt': Buffer.from('\n\n\nneedle\n\n\n'),
      'wide.txt': Buffer.from(`${'\u6f22'.repeat(400)} needle\n${'\u{1f600}'.repeat(700)} needle\n`),
      'long.txt': Buffer.from(`needle ${'x'.repeat(100_000)}\nneedle\n`),
      'late-nul.txt': Buffer.concat([
        Buffer.from('needle\n'.repeat(50_000)),
        Buffer.alloc(10),
        Buffer.from('needle\n'),
      ]),
      program: Buffer.concat([Buffer.from('\u007fELF'), Buffer.alloc(100), Buffer.from('\nneedle\n')]),
      'utf16.txt': Buffer.from('needle\n', 'utf16le'),
      'colons:1:0:.txt': Buffer.from('7:1:needle\n7-1-needle\n'),
    };
    for (const [path, bytes] of Object.entries(files)) workspace.write(path, bytes);
    const surface = await library(workspace);
    for (const call of [...LINES, ...GREEDY]) {
      const answer = await expectAllowed(surface, workspace, call);
      expectTrue(workspace, answer);
      expect(shownPaths(answer)).not.toContain('program');
    }
  });
});
