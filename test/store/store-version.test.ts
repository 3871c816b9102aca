import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { openState } from '../../src/open-state.ts';
import { storeVersion } from '../../src/store/store-version.ts';
import { tempWorkspace } from '../support/temp-workspace.ts';

describe('storeVersion', () => {
  it('differs after a write of this process or of another connection, and only then', async () => {
    await using workspace = tempWorkspace();
    const { locations } = workspace;
    await using state = openState(locations);
    const { database } = state.store;
    const first = await storeVersion(database);
    await database.selectFrom('trust').selectAll().execute();
    expect(await storeVersion(database)).toBe(first);
    await database.insertInto('trust').values({ workspace: 'w', folder: 'f', hash: 'h', at: 1 }).execute();
    const second = await storeVersion(database);
    expect(second).not.toBe(first);
    using other = new DatabaseSync(join(locations.state, 'handrail.sqlite'));
    other.exec("update trust set hash = 'other'");
    expect(await storeVersion(database)).not.toBe(second);
  });
});
