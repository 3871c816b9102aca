/**
 * Tables of attacks. Each row says what is tried, how it is refused, and how the same input harms an executor
 * without defence; where it can't harm one here, the row has to say why.
 */
import { describe, expect, it } from 'vitest';
import { operations } from '../../src/capabilities/index.ts';
import { dialects } from '../../src/dialects/index.ts';
import type { FailureCode, Rule } from '../../src/index.ts';
import { OUTSIDE_SECRET, type TempWorkspace, tempWorkspace } from '../support/temp-workspace.ts';
import { closedRecords, snapshotOutside } from './evidence.ts';
import { callOn, FILE_TOOLS, type FileTool, PATTERN_TOOLS, toolsThat } from './file-tools.ts';
import {
  aiSdk,
  type Answer,
  commandLine,
  library,
  overMcp,
  type Surface,
  type ToolCall,
} from './surfaces.ts';
import { harmDone, type Undefended } from './undefended.ts';

/** Why nothing can prove here that an attack bites. */
interface NoProof {
  readonly noProof: string;
}

/** An attack of any kind. */
export interface Attack {
  /** Its class and number. */
  readonly id: string;
  /** What is tried, as a noun. */
  readonly title: string;
  /** Tries it on Handrail, and expects it to be in vain. */
  readonly attack: () => Promise<void>;
  /** Tries it on the undefended, and expects harm. */
  readonly bites: (() => Promise<void>) | NoProof;
}

/** Tests a table of attacks. */
export function testAttacks(attacks: readonly Attack[]): void {
  for (const { id, title, attack, bites } of attacks) {
    describe(`${id} ${title}`, () => {
      it('is in vain', async () => {
        await expect(attack()).resolves.toBeUndefined();
      });
      if (typeof bites !== 'function') return;
      it('harms the undefended', async () => {
        await expect(bites()).resolves.toBeUndefined();
      });
    });
  }
}

type PathBites =
  /** This executor is harmed by every one of the spellings. */
  | { readonly executor: (workspace: TempWorkspace) => Undefended }
  /** Harm of another kind, told as true. */
  | { readonly harms: (workspace: TempWorkspace, path: string) => boolean }
  | NoProof;

/** An attack that lies in how a path is written. */
export interface PathAttack {
  readonly id: string;
  readonly title: string;
  /** Lays out the ground. */
  readonly given?: (workspace: TempWorkspace) => void;
  readonly rules?: readonly Rule[];
  /** The spellings; each one is given to every tool, or to those that do the named things. */
  readonly paths: (workspace: TempWorkspace) => readonly string[];
  readonly does?: readonly FileTool['does'][];
  readonly refusedWith: readonly FailureCode[];
  /** Why the spellings are not tried as patterns of paths. */
  readonly noPattern?: string;
  readonly bites: PathBites;
}

/** Tests a table of paths: each row over the library and the AI SDK with every tool, once over the command line and over MCP, and against the undefended. */
export function testPathAttacks(attacks: readonly PathAttack[]): void {
  for (const attack of attacks) {
    describe(`${attack.id} ${attack.title}`, () => {
      it('is refused by every tool', async () => {
        await expect(tryEveryTool(attack)).resolves.toBeUndefined();
      });
      it('is refused by every tool that a model calls through the AI SDK', async () => {
        await expect(tryAiSdk(attack)).resolves.toBeUndefined();
      });
      if (attack.noPattern === undefined) {
        it('finds nothing as a pattern', async () => {
          await expect(tryEveryPattern(attack)).resolves.toBeUndefined();
        });
      }
      // Rules come from the caller of the library only, so rows with rules have no other surface.
      if (attack.rules === undefined) {
        it('is refused on the command line', async () => {
          await expect(tryCommandLine(attack)).resolves.toBeUndefined();
        });
        it.each(MCP_WAYS)('is refused over MCP in $era over $over', async (way) => {
          await expect(tryMcp(attack, way)).resolves.toBeUndefined();
        });
      }
      if (!('noProof' in attack.bites)) {
        it('harms the undefended', async () => {
          await expect(tryUndefended(attack)).resolves.toBeUndefined();
        });
      }
    });
  }
}

async function tryEveryTool(attack: PathAttack): Promise<void> {
  await using workspace = layOut(attack);
  const surface = await library(workspace, { rules: attack.rules ?? [] });
  for (const path of attack.paths(workspace)) {
    for (const tool of toolsThat(...(attack.does ?? EVERYTHING))) {
      await expectRefused(surface, workspace, callOn(tool, path), attack.refusedWith);
    }
  }
}

/** A pattern need not be refused; but nobody gets to see anything by it. */
async function tryEveryPattern(attack: PathAttack): Promise<void> {
  await using workspace = layOut(attack);
  const surface = await library(workspace, { rules: attack.rules ?? [] });
  for (const path of attack.paths(workspace)) {
    for (const { callWith, listsLinks } of PATTERN_TOOLS) {
      const call = callWith(path);
      const { outcome, text } = await expectHarmless(surface, workspace, call);
      const isBroken = closedRecords(surface.state).at(-2)?.error?.code === 'E_INTERNAL';
      const finds = outcome === 'ok' && !listsLinks && !/"(matches|hits|items)":\[\]/.test(text);
      expect({ call, isBroken, finds }).toEqual({ call, isBroken: false, finds: false });
    }
  }
}

async function tryCommandLine(attack: PathAttack): Promise<void> {
  await using workspace = layOut(attack);
  const [path] = attack.paths(workspace);
  const [tool] = toolsThat(...(attack.does ?? EVERYTHING));
  await expectRefused(commandLine(workspace), workspace, callOn(tool!, path!), attack.refusedWith);
}

async function tryAiSdk(attack: PathAttack): Promise<void> {
  await using workspace = layOut(attack);
  const surface = await aiSdk(workspace, { rules: attack.rules ?? [] });
  const [path] = attack.paths(workspace);
  for (const tool of toolsThat(...(attack.does ?? EVERYTHING)))
    await expectRefused(surface, workspace, callOn(tool, path!), attack.refusedWith);
}

/** Both eras and both transports; each of them with each of the others is tried where calls are tested. */
const MCP_WAYS = [
  { era: '2025-11-25', over: 'stdio' },
  { era: '2026-07-28', over: 'http' },
] as const;

async function tryMcp(attack: PathAttack, way: (typeof MCP_WAYS)[number]): Promise<void> {
  await using workspace = layOut(attack);
  await using surface = await overMcp(workspace, way);
  const tool = toolsThat(...(attack.does ?? EVERYTHING)).find(({ dialect }) => dialect === 'handrail');
  for (const path of attack.paths(workspace))
    await expectRefused(surface, workspace, callOn(tool!, path), attack.refusedWith);
}

/** Each spelling on ground of its own: the one before it has done its harm. */
async function tryUndefended(attack: PathAttack): Promise<void> {
  await using first = layOut(attack);
  for (const index of attack.paths(first).keys()) {
    await using workspace = layOut(attack);
    const path = attack.paths(workspace)[index]!;
    expect({ path, isHarmed: isHarmed(workspace, attack.bites, path) }).toEqual({ path, isHarmed: true });
  }
}

const EVERYTHING: readonly FileTool['does'][] = [...new Set(FILE_TOOLS.map(({ does }) => does))];

function layOut({ given }: PathAttack): TempWorkspace {
  const workspace = tempWorkspace(ALIVE);
  given?.(workspace);
  return workspace;
}

function isHarmed(workspace: TempWorkspace, bites: PathBites, path: string): boolean {
  if ('harms' in bites) return bites.harms(workspace, path);
  return 'executor' in bites && harmDone(workspace, bites.executor(workspace), path).length > 0;
}

/** A file for the question whether the runtime still answers. */
export const ALIVE = { 'alive.txt': 'alive\n' };

/** Makes a call that must be refused, and looks at everything it could have done. */
export async function expectRefused(
  surface: Surface,
  workspace: TempWorkspace,
  call: ToolCall,
  codes: readonly FailureCode[],
): Promise<Answer> {
  const answer = await expectHarmless(surface, workspace, call);
  const code = closedRecords(surface.state).at(-2)?.error?.code;
  expect({ call, outcome: answer.outcome, code }).toEqual({
    call,
    outcome: expect.toBeOneOf(['failed', 'denied']),
    code: expect.toBeOneOf([...codes, ...refusedSpelling(call)]),
  });
  return answer;
}

/** `codelab` takes no `..` at all, so such a spelling is refused before any rule is asked. */
function refusedSpelling({ dialect, args }: ToolCall): FailureCode[] {
  const hasParent = Object.values(args as object).some(
    (value) => typeof value === 'string' && /(^|\/)\.\.(\/|$)/.test(value),
  );
  return dialect === 'codelab' && hasParent ? ['E_OUTSIDE_WORKSPACE'] : [];
}

/** Makes a call that must work. */
export async function expectAllowed(
  surface: Surface,
  workspace: TempWorkspace,
  call: ToolCall,
): Promise<Answer> {
  const answer = await expectHarmless(surface, workspace, call);
  expect({ call, outcome: answer.outcome }).toEqual({ call, outcome: 'ok' });
  return answer;
}

/** Makes a call, however it ends: the outside is as it was, one record tells of it, and the next call is answered. */
export async function expectHarmless(
  surface: Surface,
  workspace: TempWorkspace,
  call: ToolCall,
): Promise<Answer> {
  const before = snapshotOutside(workspace);
  const earlier = closedRecords(surface.state).length;
  const answer = await surface.call(call);
  const outside = snapshotOutside(workspace);
  const next = await surface.call({ dialect: 'handrail', tool: 'read', args: { path: 'alive.txt' } });
  const { outcome, text } = answer;
  const records = closedRecords(surface.state).slice(earlier);
  expect({
    call,
    outside,
    tellsSecret: text.includes(OUTSIDE_SECRET.trim()),
    next: next.outcome,
    records,
  }).toEqual({
    call,
    outside: before,
    tellsSecret: false,
    next: 'ok',
    records: [
      expect.objectContaining({ dialect: call.dialect, outcome, ok: outcome === 'ok' }),
      expect.objectContaining({ dialect: 'handrail', name: 'read', outcome: 'ok' }),
    ],
  });
  return answer;
}

/** A case for tools that do not exist yet. */
export interface Waiting {
  readonly id: string;
  readonly attack: string;
  /** The permission, the beginning of the operation's name, or the tool, that brings the case to life. */
  readonly until: string;
  readonly why: string;
}

/** Keeps a waiting list honest: when what a row waits for is there, the row has to become a test. */
export function testWaiting(rows: readonly Waiting[]): void {
  it.each(rows)('$id $attack: waits, $why', ({ until }) => {
    const arrived = operations.filter(
      ({ name, permissions }) =>
        name.startsWith(until) || permissions.some((permission) => permission === until),
    );
    const shown = dialects().filter(({ tools }) => tools.has(until));
    expect([...arrived, ...shown].map(({ name }) => name)).toEqual([]);
  });
}
