/** The one place where the parts of a workspace are put together: host, store, journal, policy, config, dialects, and the spine over them. */
import { effectiveSettings } from './config/effective.ts';
import { type LoadedConfig, loadConfig, userConfigFile } from './config/load.ts';
import { findDialect } from './dialects/index.ts';
import { spellings } from './host/local/root.ts';
import { localUserFile } from './host/local/user-file.ts';
import { recoverCommands } from './journal/left-changes.ts';
import { recoverUndo } from './journal/left-undo.ts';
import type { UndoParts } from './journal/undo.ts';
import { protectPlaces } from './policy/places.ts';
import { Policies } from './policy/policies.ts';
import type { Workspace } from './runtime/workspace.ts';
import { pathLocks } from './store/path-locks.ts';
import { lateLanguages } from './make-spine.ts';
import { openCodeIndex } from './open-code-index.ts';
import { settleBackground } from './open-background.ts';
import type { openHost } from './open-host.ts';
import type { Shared } from './open-shared.ts';
import type { RuntimeOptions } from './runtime-types.ts';
import type { ProjectRuntimes } from './project-runtimes.ts';
import { assembleRuntime, type OpenedRuntime } from './assemble-runtime.ts';

/** Larger files are not kept for undo, and said not to be. */
const MAX_KEPT_FILE_BYTES = 64 * 1024 * 1024;

/** A runtime over what the process shares, for a workspace whose host it takes over; `end` is done after all else. */
export async function openRuntime(
  options: RuntimeOptions,
  shared: Shared,
  { host, roots }: ReturnType<typeof openHost>,
  projects: ProjectRuntimes,
  end: () => Promise<void> = async () => undefined,
): Promise<OpenedRuntime> {
  const { locations } = options;
  const { state, observers, running } = shared;
  const { database } = state.store;
  try {
    const config =
      options.readConfig === true
        ? await loadConfig({
            userFile: localUserFile(userConfigFile(locations)),
            project: { files: host.files, database, workspace: roots[0] },
          })
        : NO_CONFIG;
    const policies = new Policies(config.user.rules ?? [], protectPlaces(roots, locations, spellings), {
      callerRules: options.rules,
      projectRules: config.project.rules,
      isTrusted: config.projectState === 'trusted',
      workspace: roots[0],
    });
    const settings = effectiveSettings(config);
    const { searchProviders } = settings;
    const workspace: Workspace = { root: roots[0], roots, searchProviders };
    findDialect(options.dialect ?? settings.dialect, options.dialects);
    const undoParts: UndoParts = {
      ...host,
      processes: state.processes,
      state: state.directory,
      database,
      workspace: workspace.root,
      maxFileBytes: MAX_KEPT_FILE_BYTES,
      quotaBytes: settings.undo.own.quotaBytes,
      locks: pathLocks({ database, processes: state.processes, clock: host.clock, ids: host.ids }),
    };
    const fates = [
      ...(await recoverCommands({ ...undoParts, left: host.commands.left })),
      ...(await recoverUndo(undoParts)),
    ];
    const { audit, recovered } = await shared.openAudit(fates);
    const settled = await settleBackground(state, workspace.root);
    const recovery = { ...recovered, cutShort: [...fates.map(({ says }) => says), ...settled] };
    const languages = lateLanguages(options, { host, workspace, settings });
    const codeIndex = openCodeIndex(options, { workspace, settings, policies, state });
    const parts = { host, workspace, policies, config, settings, state, audit, recovery, undoParts };
    return assembleRuntime(
      options,
      { ...parts, languages, codeIndex },
      { projects, observers, running },
      end,
    );
  } catch (error) {
    host[Symbol.dispose]();
    throw error;
  }
}

const NO_CONFIG: LoadedConfig = { user: {}, project: {}, projectState: 'none' };
