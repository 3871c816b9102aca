/** A store that is damaged, cut, from another time or in disguise: a start says so and leaves everything as it is. */
import {
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { tempWorkspace } from '../support/temp-workspace.ts';
import { openAudit } from './fixtures/open-audit.ts';
import {
  CALLS,
  chainsOf,
  contentsOf,
  inStore,
  startAgain,
  storeOf,
  UNHARMED,
  usedWorkspace,
} from './fixtures/used-state.ts';

describe('createRuntime over a damaged store', () => {
  const damages: Record<string, (path: string) => void> = {
    'holds no database': (path) => writeFileSync(path, 'not a database\n'.repeat(500)),
    'lost its first page': (path) => overwrite(path, 0),
    'lost its table of contents': (path) => overwrite(path, 100),
    'lost the page of the chains': (path) => overwrite(path, 4096),
    'lost most pages': (path) => [1, 2, 3, 4, 5, 6, 7].forEach((page) => overwrite(path, page * 4096)),
    'was cut to a few bytes': (path) => truncateSync(path, 100),
    'was cut to its first page': (path) => truncateSync(path, 4096),
    'was cut in the middle of a page': (path) => truncateSync(path, 20_000),
    'lost its last page': (path) => truncateSync(path, statSync(path).size - 4096),
  };

  it.each(Object.entries(damages))(
    'fails clearly where it %s, and changes nothing',
    async (_what, damage) => {
      await using workspace = await usedWorkspace();
      damage(storeOf(workspace.locations));
      const before = contentsOf(workspace.locations.state);
      await expect(startAgain(workspace)).rejects.toMatchObject({
        name: 'Failure',
        code: 'E_IO',
        message: expect.stringContaining(
          `The store ${JSON.stringify(storeOf(workspace.locations))} is damaged: `,
        ),
        hint: expect.stringContaining('Move the file away'),
      });
      expect(contentsOf(workspace.locations.state)).toMatchObject(before);
    },
  );

  it('starts again once it was moved away, and finds all calls in the audit files', async () => {
    await using workspace = await usedWorkspace();
    const store = storeOf(workspace.locations);
    overwrite(store, 0);
    const audit = contentsOf(join(workspace.locations.state, 'audit'));
    renameSync(store, `${store}-damaged`);
    expect(await startAgain(workspace)).toEqual({ ...UNHARMED, outcome: 'ok' });
    expect(Object.keys(contentsOf(join(workspace.locations.state, 'audit')))).toEqual(Object.keys(audit));
    await using reader = openAudit(workspace.locations);
    expect(await reader.problems()).toEqual([]);
    expect((await reader.list({ limit: 1_000 })).map(({ outcome }) => outcome)).toEqual(
      Array.from({ length: CALLS + 1 }, () => 'ok'),
    );
  });

  it('takes an emptied store for a new one, with all that is in the audit files', async () => {
    await using workspace = await usedWorkspace();
    truncateSync(storeOf(workspace.locations), 0);
    expect(await startAgain(workspace)).toEqual({ ...UNHARMED, outcome: 'ok' });
    await using reader = openAudit(workspace.locations);
    expect(await reader.problems()).toEqual([]);
    expect(await reader.list({ limit: 1_000 })).toHaveLength(CALLS + 1);
  });

  it('refuses a store of a newer Handrail and leaves it untouched', async () => {
    await using workspace = await usedWorkspace();
    inStore(workspace.locations, 'pragma user_version = 99');
    const before = contentsOf(workspace.locations.state);
    await expect(startAgain(workspace)).rejects.toMatchObject({
      name: 'Failure',
      code: 'E_UNSUPPORTED',
      message: `The store ${JSON.stringify(storeOf(workspace.locations))} was made by a newer Handrail.`,
    });
    expect(contentsOf(workspace.locations.state)).toEqual(before);
  });

  it('follows no link in the place of the state folder, the store or an audit file', async () => {
    await using workspace = await usedWorkspace();
    const { state } = workspace.locations;
    const store = storeOf(workspace.locations);
    renameSync(store, join(workspace.outside, 'store'));
    symlinkSync(join(workspace.outside, 'store'), store);
    await expect(startAgain(workspace)).rejects.toMatchObject({
      name: 'Failure',
      code: 'E_IO',
      message: expect.stringContaining('is a link'),
    });
    rmSync(store);
    renameSync(join(workspace.outside, 'store'), store);
    const chain = chainsOf(workspace.locations)[0]!.path;
    renameSync(chain, join(workspace.outside, 'chain'));
    symlinkSync(join(workspace.outside, 'chain'), chain);
    await expect(startAgain(workspace)).rejects.toMatchObject({
      name: 'Failure',
      code: 'E_IO',
      message: expect.stringContaining('is a link'),
    });
    renameSync(state, join(workspace.outside, 'state'));
    symlinkSync(join(workspace.outside, 'state'), state);
    await expect(startAgain(workspace)).rejects.toMatchObject({
      name: 'Failure',
      code: 'E_IO',
      message: expect.stringContaining('is a link'),
    });
  });

  it('fails clearly where a folder stands in the place of the store', async () => {
    await using workspace = tempWorkspace();
    mkdirSync(storeOf(workspace.locations), { recursive: true });
    await expect(startAgain(workspace)).rejects.toMatchObject({ name: 'Failure' });
  });
});

function overwrite(path: string, at: number): void {
  const bytes = readFileSync(path);
  writeFileSync(path, bytes.fill('Z', at, at + 4096));
}
