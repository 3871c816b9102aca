/** The index of a workspace's code, put together: where it lies, what may be in it, and who may be sent parts of it. */
import { createHash } from 'node:crypto';
import type { EffectiveSettings } from './config/effective.ts';
import { localCodeIndex } from './host/local/code-index/code-index.ts';
import type { CodeIndex } from './host/ports.ts';
import { redactText } from './journal/redact.ts';
import { decide } from './policy/decide.ts';
import type { Policies } from './policy/policies.ts';
import type { Workspace } from './runtime/workspace.ts';
import type { State } from './open-state.ts';
import type { RuntimeOptions } from './runtime-types.ts';

/** A folder of the state, with a file for each workspace. */
export const INDEX_FOLDER = 'code-index';

interface IndexParts {
  readonly workspace: Workspace;
  readonly settings: EffectiveSettings;
  readonly policies: Policies;
  readonly state: State;
}

/** Opens the index of a workspace; it is built when somebody asks, or at once where the settings say so. */
export function openCodeIndex(
  { locations, environment = {} }: Pick<RuntimeOptions, 'locations' | 'environment'>,
  { workspace, settings, policies, state }: IndexParts,
): CodeIndex {
  const { index: start, quotaBytes, patienceMs, embeddings } = settings.search;
  if (start === 'never') return SWITCHED_OFF;
  const policy = policies.for(settings.dialect, 'ask', []);
  const name = createHash('sha256').update(workspace.root).digest('hex').slice(0, 32);
  const index = localCodeIndex({
    workspace: workspace.root,
    home: locations.home,
    file: () => state.directory.privateFile(`${INDEX_FOLDER}/${name}.sqlite`),
    quotaBytes,
    patienceMs,
    embeddings:
      embeddings === undefined
        ? undefined
        : { ...embeddings, key: embeddings.keyVariable && environment[embeddings.keyVariable] },
    // Sessions may be allowed more; what is asked about in any of them is not in the index of all.
    mayIndex: (path) =>
      decide(
        {
          tool: '',
          effect: 'read',
          accesses: [{ permission: 'fs.read', resource: path, resolved: path }],
        },
        policy,
      ).action === 'allow',
    maySend: (text) => redactText(text) === text,
  });
  if (start === 'at start') index.start();
  return index;
}

const SWITCHED_OFF: CodeIndex = {
  find: async () => ({ status: 'unavailable', note: 'The index is switched off in the settings.' }),
  start: () => {},
  noticed: () => {},
  [Symbol.asyncDispose]: async () => {},
};
