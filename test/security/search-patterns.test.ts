/** No pattern keeps a search, or anything else, from coming to an end. */
import { describe, expect, it } from 'vitest';
import type { Runtime } from '../../src/index.ts';
import { tempWorkspace } from '../support/temp-workspace.ts';
import { ALIVE, type Attack, expectAllowed, expectHarmless, testAttacks } from './attack-case.ts';
import { PATTERN_TOOLS } from './file-tools.ts';
import { expectTrue, SEARCHES } from './searching.ts';
import { library, type ToolCall } from './surfaces.ts';
import { backtracks } from './undefended-search.ts';

const SLOW = ['(a+)+$', '(a|a)*$', '(.*)*x', '(a|aa)+$', '([a-z]+)*=', '^(([a-z])+.)+[A-Z]([a-z])+$'];

/** What such patterns fail on, late. */
const FAILING = `${'a'.repeat(40)}!`;

/** The tools that take a regular expression. */
function regularSearches(pattern: string): ToolCall[] {
  return [
    { dialect: 'coder', tool: 'grep', args: { pattern } },
    { dialect: 'handrail', tool: 'grep', args: { pattern, ignore_case: true, context: 2 } },
    { dialect: 'handrail', tool: 'grep', args: { pattern, multiline: true, offset: 0 } },
    { dialect: 'clude', tool: 'grep', args: { pattern, multiline: true } },
    { dialect: 'codelab', tool: 'search_in_project', args: { query: pattern, regex: true } },
  ];
}

const TEN_MEGABYTES = 10 * 1024 * 1024;

function slowPattern(pattern: string): Attack {
  return {
    id: 'GR-01',
    title: `${pattern} on a line it fails on`,
    attack: async () => {
      await using workspace = tempWorkspace({ ...ALIVE, 'a.txt': `${FAILING}\n`.repeat(100) });
      const surface = await library(workspace);
      for (const call of regularSearches(pattern))
        expectTrue(workspace, await expectAllowed(surface, workspace, call));
    },
    bites: async () => {
      expect(backtracks(pattern, FAILING, 2_000)).toBe(true);
    },
  };
}

const PATTERNS: readonly Attack[] = [
  ...SLOW.map(slowPattern),
  {
    id: 'GR-01',
    title: 'the same on 10 MB, in lines and in one',
    attack: async () => {
      await using workspace = tempWorkspace(ALIVE);
      workspace.write('lines.txt', Buffer.alloc(TEN_MEGABYTES, `${FAILING}\n`));
      workspace.write('line.txt', Buffer.alloc(TEN_MEGABYTES, FAILING));
      const surface = await library(workspace);
      for (const pattern of SLOW) {
        for (const call of regularSearches(pattern).slice(0, 2))
          expectTrue(workspace, await expectAllowed(surface, workspace, call));
      }
    },
    bites: async () => {
      expect(backtracks('(a|aa)+$', FAILING, 2_000)).toBe(true);
    },
  },
  {
    id: 'GR-01',
    title: 'patterns that are too large, or none at all',
    attack: async () => {
      await using workspace = tempWorkspace(ALIVE);
      const surface = await library(workspace);
      const unusable = ['(', '[', '*', 'a{1000}{1000}{1000}', '(?<=a)b', '(a)\\1', '\\pX', '(?', 'a{2,1}'];
      for (const pattern of unusable) {
        for (const call of regularSearches(pattern)) {
          const { outcome, text } = await expectHarmless(surface, workspace, call);
          expect({ call, outcome, isBug: text.includes('E_INTERNAL') }).toEqual({
            call,
            outcome: 'failed',
            isBug: false,
          });
        }
      }
    },
    bites: { noProof: 'the engine of the language refuses most of these too; the point is a typed answer' },
  },
  {
    id: 'GR-01',
    title: 'globs with many stars',
    attack: async () => {
      await using workspace = tempWorkspace({ ...ALIVE, [`${'a'.repeat(100)}/${'a'.repeat(200)}`]: '' });
      const surface = await library(workspace);
      for (const glob of [
        `${'*a'.repeat(60)}b`,
        `${'**/'.repeat(60)}b`,
        `${'a*'.repeat(60)}b`,
        `${'*?'.repeat(60)}b`,
      ]) {
        for (const { callWith } of PATTERN_TOOLS) await expectHarmless(surface, workspace, callWith(glob));
      }
    },
    bites: async () => {
      const asRegularExpression = `^${'[^/]*a'.repeat(20)}b$`;
      expect(backtracks(asRegularExpression, 'a'.repeat(200), 2_000)).toBe(true);
    },
  },
];

/** In which order a search and a call that starts after it come to their ends. */
async function raceWith(search: () => Promise<unknown>, runtime: Runtime): Promise<string[]> {
  const ended: string[] = [];
  await Promise.all([
    search().then(() => ended.push('search')),
    runtime.call('read', { path: 'alive.txt' }).then(({ outcome }) => ended.push(`read ${outcome}`)),
  ]);
  return ended;
}

const RESPONSIVENESS: readonly Attack[] = [
  {
    id: 'GR-01',
    title: 'a search that takes its time',
    attack: async () => {
      await using workspace = tempWorkspace(ALIVE);
      workspace.write('lines.txt', Buffer.alloc(TEN_MEGABYTES, `${FAILING}\n`));
      const runtime = await workspace.runtime();
      for (const pattern of SLOW) {
        for (const { dialect, tool, args } of regularSearches(pattern)) {
          const session = await runtime.openSession({ dialect });
          const ended = await raceWith(() => runtime.call(tool, args, { session }), runtime);
          expect({ pattern, dialect, ended }).toEqual({ pattern, dialect, ended: ['read ok', 'search'] });
        }
      }
    },
    bites: async () => {
      await using workspace = tempWorkspace(ALIVE);
      const runtime = await workspace.runtime();
      const search = async (): Promise<boolean> => /(a+)+$/.test(`${'a'.repeat(24)}!`);
      expect(await raceWith(search, runtime)).toEqual(['search', 'read ok']);
    },
  },
];

describe('a pattern', () => {
  testAttacks(PATTERNS);
});

describe('other calls', () => {
  testAttacks(RESPONSIVENESS);

  it('are answered while every kind of search is under way', async () => {
    await using workspace = tempWorkspace(ALIVE);
    workspace.write('lines.txt', Buffer.alloc(TEN_MEGABYTES, `${FAILING}\n`));
    const runtime = await workspace.runtime();
    for (const { shows, search } of SEARCHES) {
      const { dialect, tool, args } = search('a!');
      // What looks at names alone has little to do here, and no process to wait for.
      if (shows === 'names' && tool !== 'file-search') continue;
      const session = await runtime.openSession({ dialect });
      const ended = await raceWith(() => runtime.call(tool, args, { session }), runtime);
      expect({ dialect, tool, ended }).toEqual({ dialect, tool, ended: ['read ok', 'search'] });
    }
  });

  it('GR-01 a search that nobody waits for any more is ended', async () => {
    await using workspace = tempWorkspace(ALIVE);
    workspace.write('lines.txt', Buffer.alloc(TEN_MEGABYTES, `${FAILING}\n`));
    const runtime = await workspace.runtime();
    const giveUp = new AbortController();
    const search = runtime.call('grep', { pattern: '(a|aa)+$', multiline: true }, { signal: giveUp.signal });
    giveUp.abort();
    expect(await search).toMatchObject({ outcome: 'cancelled' });
  });
});
