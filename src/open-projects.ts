/**
 * Many projects in one process: the register, a runtime for each project while it is in use, and the current project of
 * whatever runs. All runtimes share one store connection and one audit chain.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { OpenedRuntime } from './assemble-runtime.ts';
import { projectRuntimes } from './project-runtimes.ts';
import { findDialect } from './dialects/index.ts';
import { Failure } from './failure.ts';
import { localClock } from './host/local/clock.ts';
import { localIds } from './host/local/ids.ts';
import { openShared } from './open-shared.ts';
import { checkRules } from './policy/rule.ts';
import type { ProjectRegistry } from './project-registry.ts';
import { envelopeError, type ToolCallResult } from './runtime/envelope.ts';
import type { CallResponse } from './runtime/spine.ts';
import type { Dialect } from './runtime/tool.ts';
import { type Held, lent } from './runtime-pool.ts';
import type { CallOptions, Runtime, RuntimeOptions } from './runtime-types.ts';

export interface ProjectsOptions extends Omit<RuntimeOptions, 'workspace'> {
  /** How long a project's runtime stays open that nobody uses; five minutes by default. */
  readonly idleMs?: number;
  /** How many stay open that nobody uses; 32 by default. */
  readonly maxOpen?: number;
}

export interface Projects extends Omit<ProjectRegistry, 'locate' | 'settingsState'>, AsyncDisposable {
  /** Runs something in a project: it is the current one for everything that is started there, and for nothing else. */
  run<Result>(project: string, work: () => Result): Result;
  /** The id of the current project; undefined outside of `run`. */
  current(): string | undefined;
  /** The runtime of a project, by default the current one. It stays open until it is disposed, which gives it back. */
  runtime(project?: string): Promise<Runtime>;
  /** Runs a tool in the current project. Never throws: look at the response's outcome. */
  call(tool: string, args: unknown, options?: CallOptions): Promise<CallResponse>;
  /** Runs a whole `ToolCallRequest` in the current project. */
  execute(request: unknown, options?: CallOptions): Promise<CallResponse>;
}

/** Opens the register; a project's runtime is opened when it is first used. */
export async function openProjects(options: ProjectsOptions): Promise<Projects> {
  checkRules('user', options.rules ?? []);
  const shared = openShared(options.locations);
  const runtimes = projectRuntimes(options, shared);
  const { registry } = runtimes;
  const place = new AsyncLocalStorage<string>();
  const hold = async (id = place.getStore()): Promise<Held<OpenedRuntime>> => {
    if (id === undefined) throw noCurrentProject();
    return runtimes.hold(await registry.find(id));
  };
  const inCurrent = async (
    { session }: CallOptions,
    work: (runtime: Runtime) => Promise<CallResponse>,
  ): Promise<CallResponse> => {
    let held: Held<OpenedRuntime>;
    try {
      held = await hold();
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      return refused(error, session?.dialect ?? findDialect(options.dialect ?? 'handrail', options.dialects));
    }
    using _held = held;
    return await work(held.value.runtime);
  };
  return {
    add: (project) => registry.add(project),
    list: () => registry.list(),
    find: (id) => registry.find(id),
    remove: (id) => registry.remove(id),
    run: (project, work) => place.run(project, work),
    current: () => place.getStore(),
    async runtime(id) {
      const held = await hold(id);
      return lent(held.value.runtime, () => held[Symbol.dispose]());
    },
    call: (tool, args, callOptions = {}) =>
      inCurrent(callOptions, (runtime) => runtime.call(tool, args, callOptions)),
    execute: (request, callOptions = {}) =>
      inCurrent(callOptions, (runtime) => runtime.execute(request, callOptions)),
    async [Symbol.asyncDispose]() {
      try {
        await runtimes[Symbol.asyncDispose]();
      } finally {
        await shared[Symbol.asyncDispose]();
      }
    },
  };
}

function noCurrentProject(): Failure {
  return new Failure('E_NO_PROJECT', 'There is no current project.', {
    hint: 'Name one: `projects.run(id, …)` in the library, `--project`, or the header `handrail-project`.',
  });
}

/** The answer to a call that came to no project; it belongs to no workspace, so it is in nobody's audit. */
function refused(failure: Failure, dialect: Dialect): CallResponse {
  const callId = localIds(localClock).next('call');
  const error = envelopeError(failure);
  const result: ToolCallResult = { tool_call_id: callId, ok: false, payload: null, error, duration_ms: 0 };
  const outcome = 'failed';
  return {
    callId,
    turn: '',
    outcome,
    result,
    reply: dialect.reply({ result, failure, outcome }),
    effects: [],
  };
}
