/** The user's settings of code search. By default a question waits for the index however long that takes. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../../src/config/schema.ts';
import type { RuntimeOptions } from '../../src/index.ts';
import type { TempWorkspace } from './temp-workspace.ts';

/** Writes them; returns what a runtime is opened with so that they count. */
export function searchSettings(
  { locations }: Pick<TempWorkspace, 'locations'>,
  search: Config['search'] = { waitSeconds: 600 },
  more: Config = {},
): Partial<RuntimeOptions> {
  mkdirSync(locations.config, { recursive: true });
  writeFileSync(join(locations.config, 'config.jsonc'), JSON.stringify({ ...more, search }));
  return { readConfig: true };
}
