/**
 * Step 8's port to background processes. A session has its own ones, and those of its workspace that are kept; of
 * others it knows that they are there. A process is named by its id or by what its session calls it, never by a pid.
 */
import { Failure } from '../failure.ts';
import type { BackgroundProcess, BackgroundProcesses, SandboxTier } from '../host/ports.ts';
import { redactText } from '../journal/redact.ts';
import type { ScopedProcesses } from './operation.ts';
import { type CommandScope, confinementOf } from './scoped-commands.ts';

export interface ProcessScope extends CommandScope {
  readonly background: BackgroundProcesses;
  /** Whether nobody would be there to end them: they all are kept then. */
  readonly keepsAll: boolean;
  onStart(process: BackgroundProcess): void;
}

/** The processes port for what a call was granted. */
export function scopeProcesses(scope: ProcessScope): ScopedProcesses {
  const { background, session, settings, signal } = scope;
  const isOwn = (process: BackgroundProcess): boolean => process.session === session || process.isKept;
  const find = async (id: string): Promise<BackgroundProcess> => {
    const all = await background.list();
    const named = all.filter((process) => process.id === id || process.name === id);
    const own = named.filter(isOwn);
    const found = own.find(({ ended }) => ended === undefined) ?? own[0];
    if (found !== undefined) return found;
    throw named.length > 0 ? ofAnother(id) : unknown(id, all.filter(isOwn));
  };
  return {
    list: async () => (await background.list()).map((process) => ({ ...process, isOwn: isOwn(process) })),
    find,
    async start({ command, name, isKept, ...request }) {
      const confinement = await confinementOf(scope);
      if (name !== undefined) await refuseTaken(name, session, background);
      scope.onRun(command);
      const process = await background.start({
        ...request,
        command: redactText(command),
        name,
        session,
        isKept: isKept || scope.keepsAll,
        env: settings.environment,
        confinement,
      });
      scope.onEnd(process.tier as SandboxTier, []);
      scope.onStart(process);
      // Nobody would know of it.
      if (signal.aborted) await background.stop(process.id);
      signal.throwIfAborted();
      return process;
    },
    read: async (id, position, maxBytes) => background.read((await find(id)).id, position, maxBytes),
    async wait(id, what, timeoutMs) {
      return background.wait((await find(id)).id, what, timeoutMs, signal);
    },
    async write(id, text, isLast) {
      const process = await find(id);
      // What a person let out of the sandbox once may not be told more by anybody else.
      if (process.tier === 'C' && !scope.wasApproved) throw notConfined(id);
      await background.write(process.id, text, isLast);
    },
    resize: async (id, columns, rows) => background.resize((await find(id)).id, columns, rows),
    async stop(id) {
      const process = await find(id);
      if (process.ended === undefined) await background.stop(process.id).catch(unlessGone);
      return find(process.id);
    },
    forward: async (id, port) => background.forward((await find(id)).id, port),
  };
}

async function refuseTaken(name: string, session: string, background: BackgroundProcesses): Promise<void> {
  const isTaken = (process: BackgroundProcess): boolean =>
    process.name === name && process.session === session && process.ended === undefined;
  if (!(await background.list()).some(isTaken)) return;
  throw new Failure('E_CONFLICT', `A process called ${JSON.stringify(name)} runs already.`, {
    hint: 'Stop it first, or choose another name.',
  });
}

/** It may end by itself at the same moment. */
function unlessGone(error: unknown): void {
  if (!(error instanceof Failure && error.code === 'E_NOT_FOUND')) throw error;
}

function ofAnother(id: string): Failure {
  return new Failure('E_POLICY_DENIED', `The process ${JSON.stringify(id)} belongs to another session.`, {
    hint: 'A person can look at it and stop it: `handrail ps`, `handrail logs`, `handrail stop`.',
  });
}

function unknown(id: string, own: readonly BackgroundProcess[]): Failure {
  const names = own.map((process) => process.name ?? process.id).slice(0, 10);
  return new Failure('E_NOT_FOUND', `There is no background process ${JSON.stringify(id)}.`, {
    hint: names.length === 0 ? 'This session has none.' : `There are: ${names.join(', ')}.`,
  });
}

function notConfined(id: string): Failure {
  return new Failure('E_POLICY_DENIED', `The process ${JSON.stringify(id)} is not in a sandbox.`, {
    hint: 'Only where a person approved it may something be typed into it.',
  });
}
