/** The settings of a workspace as people ask about them: which rules there are, what could be trusted, and their yes to it. */
import { userConfigFile } from './config/load.ts';
import {
  acceptTrustOffer,
  readTrustOffer,
  type TrustOffer,
  type TrustSources,
} from './config/trust-offer.ts';
import { distrust, PROJECT_CONFIG } from './config/trust.ts';
import type { Clock } from './host/ports.ts';
import type { Locations } from './policy/places.ts';
import type { Policies, WrittenLayer } from './policy/policies.ts';

/** For people: no tool reaches it. */
export interface WorkspaceSettings {
  /** The rules of a dialect by layer, the least specific first, with the file that a layer is written in. */
  rules(dialect: string): readonly PlacedLayer[];
  /** What the workspace brings that counts only where a person trusts it. */
  trustOffer(): Promise<TrustOffer>;
  /** Trusts what was shown, by its hash; settings count from the next start on. Gives it as it was. */
  trust(hash: string): Promise<TrustOffer>;
  /** Ends trust in all of it; false where there was none. */
  distrust(): Promise<boolean>;
}

export interface PlacedLayer extends WrittenLayer {
  readonly file?: string | undefined;
}

export interface SettingsParts extends TrustSources {
  readonly policies: Policies;
  readonly locations: Locations;
  readonly clock: Clock;
}

export function workspaceSettings(parts: SettingsParts): WorkspaceSettings {
  const { policies, locations, database, workspace, clock } = parts;
  const files: Partial<Record<WrittenLayer['name'], string>> = {
    user: userConfigFile(locations),
    project: `${workspace}/${PROJECT_CONFIG}`,
  };
  return {
    rules: (dialect) => policies.written(dialect).map((layer) => ({ ...layer, file: files[layer.name] })),
    trustOffer: () => readTrustOffer(parts),
    trust: (hash) => acceptTrustOffer(parts, clock, hash),
    distrust: () => distrust(database, workspace),
  };
}
