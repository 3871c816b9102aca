/** Sub-agents for calls outside of a chat: what drives models is loaded when the first task is handed over. */
import type { Runtime } from '../runtime-types.ts';
import type { Surroundings } from './surroundings.ts';

export function lendAgents(runtime: Runtime, { environment }: Pick<Surroundings, 'environment'>): void {
  runtime.agentPorts.runAgentsWith(async (task) => {
    const { openAgents } = await import('../agent/open-agents.ts');
    // From here on it runs them itself.
    openAgents(runtime, { environment });
    return runtime.agentPorts.runAgent(task);
  });
}
