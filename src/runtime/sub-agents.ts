/** Who runs sub-agents: nobody, until the layer that drives models says so. */
import { Failure } from '../failure.ts';
import type { ResolvedAccess } from '../policy/access.ts';
import type { Session } from './session.ts';

/** A task that a call hands to another agent. */
export interface AgentTask {
  readonly agent: string;
  readonly objective: string;
  /** Whose call it is: the sub-agent may do no more in it. */
  readonly session: Session;
  readonly turn: string;
  readonly signal: AbortSignal;
}

/** Works on a task until it is done; gives the last words of who did. */
export type AgentRunner = (task: AgentTask) => Promise<string>;

/** The agents port as an operation sees it: those it declared. */
export interface ScopedAgents {
  run(agent: string, objective: string): Promise<string>;
}

export class SubAgents {
  #runner: AgentRunner = async () => {
    throw new Failure('E_UNSUPPORTED', 'There is no model here that a sub-agent could think with.', {
      hint: 'Do the task yourself, or let the user connect a model: HANDRAIL_MODEL, and the key of its provider.',
    });
  };

  /** From now on, this one runs them. */
  use(runner: AgentRunner): void {
    this.#runner = runner;
  }

  run(task: AgentTask): Promise<string> {
    return this.#runner(task);
  }
}

export interface AgentScope extends Omit<AgentTask, 'agent' | 'objective'> {
  readonly subAgents: SubAgents;
  readonly accesses: readonly ResolvedAccess[];
}

export function scopeAgents({ subAgents, accesses, session, turn, signal }: AgentScope): ScopedAgents {
  return {
    run(agent, objective) {
      const isDeclared = accesses.some(
        ({ permission, resource }) => permission === 'agent.spawn' && resource === agent,
      );
      if (!isDeclared) throw new Error('The operation runs an agent without having declared it.');
      return subAgents.run({ agent, objective, session, turn, signal });
    },
  };
}
