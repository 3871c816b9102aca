/**
 * What all runtimes of a process share: the store, the one audit chain that the process writes, and, once, the
 * recovery of what dead processes left.
 */
import { localClock } from './host/local/clock.ts';
import { localHost } from './host/local/host.ts';
import { localIds } from './host/local/ids.ts';
import type { Files } from './host/ports.ts';
import { AuditLog, type AuditParts } from './journal/audit-log.ts';
import { type Fate, recover, type Recovery } from './journal/recover.ts';
import { openState, type State } from './open-state.ts';
import type { Locations } from './policy/places.ts';
import type { Observer } from './runtime/events.ts';
import { RunningCalls } from './runtime/running-calls.ts';

export interface Shared extends AsyncDisposable {
  readonly state: State;
  /** Who hears what happens in any of them. */
  readonly observers: Set<Observer>;
  /** The calls under way in all of them. */
  readonly running: RunningCalls;
  /** The audit; the first who asks for it hears what was put right, and says what it knows of calls that were cut short. */
  openAudit(fates: readonly Fate[]): Promise<OpenedAudit>;
}

export interface OpenedAudit {
  readonly audit: AuditLog;
  readonly recovered: Omit<Recovery, 'cutShort'>;
}

const NOTHING: OpenedAudit['recovered'] = { interrupted: 0, swept: 0, damaged: [] };

/** Opens the state; the rest follows with the first runtime. */
export function openShared(locations: Locations): Shared {
  const state = openState(locations);
  let first: Promise<OpenedAudit> | undefined;
  return {
    state,
    observers: new Set(),
    running: new RunningCalls(),
    async openAudit(fates) {
      if (first !== undefined) return { ...(await first), recovered: NOTHING };
      first = recoverAndOpen(state, locations, fates);
      // Where it failed, the next one tries again.
      first.catch(() => (first = undefined));
      return first;
    },
    async [Symbol.asyncDispose]() {
      try {
        await (await first?.catch(() => undefined))?.audit[Symbol.asyncDispose]();
      } finally {
        await state[Symbol.asyncDispose]();
      }
    },
  };
}

async function recoverAndOpen(
  { directory, store, processes }: State,
  { home }: Locations,
  fates: readonly Fate[],
): Promise<OpenedAudit> {
  const parts: AuditParts = {
    state: directory,
    database: store.database,
    processes,
    clock: localClock,
    ids: localIds(localClock),
  };
  using opened = new DisposableStack();
  const { interrupted, swept, damaged } = await recover(parts, (root) => filesOf(root, home, opened), fates);
  const audit = await AuditLog.open(parts);
  return { audit, recovered: { interrupted, swept, damaged: [...damaged, ...audit.putAside] } };
}

/** Files of a workspace that a crashed process worked in. */
function filesOf(root: string, home: string, opened: DisposableStack): Files | undefined {
  try {
    return opened.use(localHost(root, home).host).files;
  } catch {
    return undefined;
  }
}
