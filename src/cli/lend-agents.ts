/** The agents of a runtime for calls and conversations outside of a chat: what drives models is loaded by the first who needs it. */
import type { Agents } from '../agent/conversation.ts';
import type { Runtime } from '../runtime-types.ts';
import type { Surroundings } from './surroundings.ts';

/** A runtime has one set: sub-agents find the turn they work in among its conversations. */
const opened = new WeakMap<Runtime['agentPorts'], Promise<Agents>>();

export function agentsOf(
  runtime: Runtime,
  { environment }: Pick<Surroundings, 'environment'>,
): Promise<Agents> {
  const { agentPorts } = runtime;
  const known = opened.get(agentPorts) ?? load(runtime, environment);
  opened.set(agentPorts, known);
  return known;
}

/** Lets calls hand tasks to sub-agents. */
export function lendAgents(runtime: Runtime, surroundings: Pick<Surroundings, 'environment'>): void {
  runtime.agentPorts.runAgentsWith(async (task) => {
    // From here on it runs them itself.
    await agentsOf(runtime, surroundings);
    return runtime.agentPorts.runAgent(task);
  });
}

async function load(runtime: Runtime, environment: Surroundings['environment']): Promise<Agents> {
  const { openAgents } = await import('../agent/open-agents.ts');
  return openAgents(runtime, { environment });
}
