/** What counts of the layers of settings: the workspace's own word, else the user's, else what is usual. */
import { APPROVAL_TIMEOUT_MS, PATIENCE_MS } from '../policy/approvals.ts';
import { expandHosts } from '../policy/host-presets.ts';
import type { Mode } from '../policy/decide.ts';
import type { SearchProvider } from '../search-providers.ts';
import type { LoadedConfig } from './load.ts';
import type { Config } from './schema.ts';

/** Settings that count, but for the rules, whose layers the policy keeps apart. */
export interface EffectiveSettings {
  readonly dialect: string;
  /** Undefined where no layer says one. */
  readonly mode: Mode | undefined;
  readonly approvalTimeoutMs: number;
  /** How long a caller waits for an answer that can't wait as long. */
  readonly patienceMs: number;
  readonly edits: {
    readonly refuseStale: boolean;
    readonly refusePlaceholders: boolean;
    readonly cleanTree: 'touched' | 'whole' | 'off';
  };
  readonly commands: {
    readonly hosts: readonly string[];
    /** Names of variables. */
    readonly environment: readonly string[];
    readonly minimumSandbox: 'A' | 'A-' | 'C';
  };
  readonly searchProviders: readonly SearchProvider[];
  readonly search: {
    readonly index: 'first use' | 'at start' | 'never';
    readonly patienceMs: number;
    readonly quotaBytes: number;
    readonly embeddings:
      | {
          readonly endpoint: string;
          readonly model: string;
          readonly keyVariable?: string | undefined;
          readonly maxParts: number;
        }
      | undefined;
  };
  readonly languages: {
    readonly memoryBytes: number;
    readonly servers: NonNullable<NonNullable<Config['languages']>['servers']>;
  };
  readonly git: { readonly runsPrograms: boolean };
  readonly agents: AgentSettings;
  /** More folders with skills of the user's. */
  readonly skillPaths: readonly string[];
  /** The limits of this workspace, and of those without settings of their own. */
  readonly undo: { readonly own: UndoSettings; readonly user: UndoSettings };
}

/** What the agent loop goes by. */
export interface AgentSettings {
  readonly models: NonNullable<Config['models']>;
  readonly agents: NonNullable<Config['agents']>;
  readonly instructions: readonly string[];
  readonly verify: {
    readonly isOff: boolean;
    readonly commands: readonly string[] | undefined;
    readonly attempts: number;
  };
}

interface UndoSettings {
  readonly keepMs: number;
  readonly quotaBytes: number;
}

export function effectiveSettings({ user, project }: LoadedConfig): EffectiveSettings {
  const { timeoutSeconds, pendingAfterSeconds } = { ...user.approvals, ...project.approvals };
  const {
    refuseStale = true,
    refusePlaceholders = true,
    cleanTree = 'touched',
  } = { ...user.edits, ...project.edits };
  return {
    dialect: project.dialect ?? user.dialect ?? 'handrail',
    mode: project.mode ?? user.mode,
    approvalTimeoutMs: timeoutSeconds === undefined ? APPROVAL_TIMEOUT_MS : timeoutSeconds * 1_000,
    patienceMs: pendingAfterSeconds === undefined ? PATIENCE_MS : pendingAfterSeconds * 1_000,
    edits: { refuseStale, refusePlaceholders, cleanTree },
    commands: {
      hosts: expandHosts([...(user.commands?.hosts ?? []), ...(project.commands?.hosts ?? [])]),
      environment: [...(user.commands?.environment ?? []), ...(project.commands?.environment ?? [])],
      minimumSandbox: strictest(user.commands?.minimumSandbox, project.commands?.minimumSandbox),
    },
    // A key goes where the settings say: that is the user's word alone.
    searchProviders: user.web?.search ?? [{ provider: 'duckduckgo' }],
    search: searchSettings(user.search),
    languages: {
      memoryBytes:
        (project.languages?.memoryMegabytes ?? user.languages?.memoryMegabytes ?? 2_048) * 1_048_576,
      servers: { ...user.languages?.servers, ...project.languages?.servers },
    },
    agents: agentSettings(user, project),
    // Instructions from anywhere on the machine: that is the user's word alone.
    skillPaths: user.skills?.paths ?? [],
    git: { runsPrograms: project.git?.programs ?? user.git?.programs ?? false },
    undo: { own: undoSettings({ ...user.undo, ...project.undo }), user: undoSettings(user.undo) },
  };
}

function agentSettings(user: Config, project: Config): AgentSettings {
  const { off = false, commands, attempts = 2 } = { ...user.verify, ...project.verify };
  return {
    // Where conversations and keys go is the user's word alone.
    models: user.models ?? {},
    agents: { ...user.agents, ...project.agents },
    instructions: [...(user.instructions ?? []), ...(project.instructions ?? [])],
    verify: { isOff: off, commands, attempts },
  };
}

/** Code is sent where these say: that is the user's word alone, not that of a project, trusted or not. */
function searchSettings({
  index = 'first use',
  waitSeconds = 2,
  quotaMegabytes = 1_024,
  embeddings,
}: Config['search'] = {}): EffectiveSettings['search'] {
  return {
    index,
    patienceMs: waitSeconds * 1_000,
    quotaBytes: quotaMegabytes * 1_048_576,
    embeddings: embeddings && { ...embeddings, maxParts: embeddings.maxParts ?? 20_000 },
  };
}

function undoSettings({ keepDays = 30, quotaMegabytes = 1_024 }: Config['undo'] = {}): UndoSettings {
  return { keepMs: keepDays * 86_400_000, quotaBytes: quotaMegabytes * 1_048_576 };
}

/** Neither layer lowers what the other asks for. */
function strictest(...asked: (Tier | undefined)[]): Tier {
  return TIERS.find((tier) => asked.includes(tier)) ?? 'C';
}

type Tier = EffectiveSettings['commands']['minimumSandbox'];
const TIERS: readonly Tier[] = ['A', 'A-', 'C'];
