/** Trusts what a workspace brings with it, as a person would who has looked at it. */
import { SETTINGS_FOLDER, SHARED_SKILLS, trust, trustContent } from '../../src/config/trust.ts';
import { localHost } from '../../src/host/local/host.ts';
import { openState } from '../../src/open-state.ts';
import type { TempWorkspace } from './temp-workspace.ts';

/** Its settings and its skills, as they are now. */
export async function trustWorkspace({ root, locations }: TempWorkspace): Promise<void> {
  using host = localHost(root, locations.home).host;
  await using state = openState(locations);
  for (const folder of [SETTINGS_FOLDER, SHARED_SKILLS] as const) {
    const content = await trustContent(host.files, folder);
    if (content !== undefined) await trust(state.store.database, host.clock, root, content);
  }
}
