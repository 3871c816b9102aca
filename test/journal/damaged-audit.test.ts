/** Audit files that are damaged, cut or missing: a start goes on, reports them, and never deletes any of them. */
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createRuntime } from '../../src/index.ts';
import { tempWorkspace } from '../support/temp-workspace.ts';
import { openAudit } from './fixtures/open-audit.ts';
import {
  CALLS,
  chainsOf,
  ownedByTheDead,
  startAgain,
  UNHARMED,
  usedWorkspace,
} from './fixtures/used-state.ts';

const LINES = CALLS * 3;

interface Damage {
  readonly damage: (path: string) => void;
  /** What verifying says afterwards. */
  readonly line: number;
  readonly what: string;
  readonly kind?: 'torn';
}

const damages: Record<string, Damage> = {
  'a line of garbage in the middle': {
    damage: (path) => changeLine(path, 10, () => 'garbage'),
    line: 10,
    what: 'the line is not an audit record',
  },
  'JSON that is no record in the middle': {
    damage: (path) => changeLine(path, 10, () => '[]'),
    line: 10,
    what: 'the line is not an audit record',
  },
  'a line that was changed': {
    damage: (path) => changeLine(path, 10, otherTime),
    line: 11,
    what: 'the line before it was changed',
  },
  'a line taken out': {
    damage: (path) => changeLine(path, 10, () => undefined),
    line: 10,
    what: 'line 10 is missing or out of order',
  },
  'whole lines missing at the end': {
    damage: (path) => changeLine(path, LINES, () => undefined),
    line: LINES,
    what: `the end is missing: ${LINES} lines were written`,
  },
  'binary garbage at the end': {
    damage: (path) => writeFileSync(path, Buffer.from([0xff, 0, 10]), { flag: 'a' }),
    line: LINES + 1,
    what: 'the line is not an audit record',
  },
};
const changedEnd: Damage = {
  damage: (path) => changeLine(path, LINES, otherTime),
  line: LINES,
  what: 'the line was changed',
};
const cutEnd: Damage = {
  damage: (path) => writeFileSync(path, '{"seq":', { flag: 'a' }),
  line: LINES + 1,
  what: 'the line is cut off',
  kind: 'torn',
};

describe('createRuntime over a damaged audit', () => {
  const ofTheDead = { ...damages, 'a last line that was changed': changedEnd };
  it.each(Object.entries(ofTheDead))(
    'puts the chain of a dead process with %s aside and reports it',
    async (_what, { damage, line, what }) => {
      await using workspace = await usedWorkspace();
      const { chain, path } = chainsOf(workspace.locations)[0]!;
      ownedByTheDead(workspace.locations);
      damage(path);
      const damaged = readFileSync(path);
      expect(await startAgain(workspace)).toEqual({ ...UNHARMED, damaged: [chain], outcome: 'ok' });
      expect(readFileSync(path).equals(damaged)).toBe(true);
      expect(chainsOf(workspace.locations)).toHaveLength(2);
      await using reader = openAudit(workspace.locations);
      expect(await reader.problems()).toEqual([
        { chain, lines: line - 1, problem: { line, what, kind: 'changed' } },
      ]);
    },
  );

  const leftInOrder = { ...damages, 'half a line at the end': cutEnd };
  it.each(Object.entries(leftInOrder))(
    'reports %s also in a chain that was left in order',
    async (_what, { damage, line, what, kind = 'changed' }) => {
      await using workspace = await usedWorkspace();
      const { chain, path } = chainsOf(workspace.locations)[0]!;
      damage(path);
      const damaged = readFileSync(path);
      expect(await startAgain(workspace)).toMatchObject({ interrupted: 0, swept: 0, outcome: 'ok' });
      expect(readFileSync(path).subarray(0, damaged.length).equals(damaged)).toBe(true);
      await using reader = openAudit(workspace.locations);
      expect(await reader.problems()).toEqual([{ chain, lines: line - 1, problem: { line, what, kind } }]);
    },
  );

  it('reports a last line that was changed also when the chain went on behind it', async () => {
    await using workspace = await usedWorkspace();
    changedEnd.damage(chainsOf(workspace.locations)[0]!.path);
    expect(await startAgain(workspace)).toMatchObject({ outcome: 'ok' });
    await using reader = openAudit(workspace.locations);
    expect(await reader.problems()).toHaveLength(1);
  });

  it('cuts off half a line that a crash left, and notes that', async () => {
    await using workspace = await usedWorkspace();
    const { path } = chainsOf(workspace.locations)[0]!;
    const whole = readFileSync(path);
    ownedByTheDead(workspace.locations);
    writeFileSync(path, '{"seq":91,"prev":"half a l', { flag: 'a' });
    expect(await startAgain(workspace)).toEqual({ ...UNHARMED, outcome: 'ok' });
    expect(readFileSync(path).subarray(0, whole.length).equals(whole)).toBe(true);
    await using reader = openAudit(workspace.locations);
    expect(await reader.problems()).toEqual([]);
    const notes = (await reader.lines()).filter(({ event }) => event === 'note');
    expect(notes).toMatchObject([{ note: 'A crash left half a line of 26 bytes here; it was cut off.' }]);
  });

  it('goes on in another chain where the file of one is missing, and reports that one', async () => {
    await using workspace = await usedWorkspace();
    const { chain, path } = chainsOf(workspace.locations)[0]!;
    rmSync(path);
    expect(await startAgain(workspace)).toMatchObject({ interrupted: 0, swept: 0, outcome: 'ok' });
    await using reader = openAudit(workspace.locations);
    expect(await reader.problems()).toMatchObject([{ chain, lines: 0, problem: { line: 1 } }]);
  });

  it('closes the calls of a dead process as interrupted, once, and keeps what is known of them', async () => {
    await using workspace = tempWorkspace();
    const asked = Promise.withResolvers<void>();
    const { promise: never } = Promise.withResolvers<never>();
    const approve = (): Promise<never> => (asked.resolve(), never);
    await using runtime = await createRuntime({
      workspace: workspace.root,
      locations: workspace.locations,
      approve,
    });
    void runtime.call('write', { path: 'a.txt', content: 'a' });
    await asked.promise;
    await runtime.flush();
    // The state as it would be found if the process had died at this moment.
    const locations = { ...workspace.locations, state: join(workspace.outside, 'state') };
    cpSync(workspace.locations.state, locations.state, { recursive: true });
    ownedByTheDead(locations);
    expect(await startAgain({ ...workspace, locations })).toEqual({
      ...UNHARMED,
      interrupted: 1,
      outcome: 'ok',
    });
    expect(await startAgain({ ...workspace, locations })).toEqual({ ...UNHARMED, outcome: 'ok' });
    await using reader = openAudit(locations);
    expect(await reader.problems()).toEqual([]);
    const closed = (await reader.lines()).filter(
      (line) => line.event === 'closed' && line.outcome === 'interrupted',
    );
    expect(closed).toMatchObject([
      { name: 'write', args: { path: 'a.txt', content: 'a' }, ok: false, error: { code: 'E_INTERNAL' } },
    ]);
  });
});

/** Changes the line of a number from 1, or takes it out. */
function changeLine(path: string, number: number, change: (line: string) => string | undefined): void {
  const lines = readFileSync(path, 'utf8').split('\n');
  const changed = change(lines[number - 1]!);
  lines.splice(number - 1, 1, ...(changed === undefined ? [] : [changed]));
  writeFileSync(path, lines.join('\n'));
}

function otherTime(line: string): string {
  return line.replace('"at":1', '"at":2');
}
