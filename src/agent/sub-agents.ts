/**
 * Sub-agents: each works in its parent's session and turn, so that policy, approvals, audit and undo are the same, with
 * a history of its own. It has the tools that it and its parent have both, and never those to hand on.
 */
import { Failure } from '../failure.ts';
import type { AgentTask } from '../runtime/sub-agents.ts';
import type { Runtime } from '../runtime-types.ts';
import { findAgent, sessionOf } from './built-in-agents.ts';
import { ContextMeter } from './context-meter.ts';
import type { AgentDefinition } from './conversation.ts';
import { History } from './history.ts';
import { findModel, type ModelSources } from './model-sources.ts';
import { openModel } from './open-model.ts';
import { AgentRun, type RunEnd } from './run-agent.ts';
import { promptFor } from './system-prompt.ts';
import { type OpenTurns, Turn } from './turn.ts';

export interface AgentWorld {
  readonly runtime: Runtime;
  readonly definitions: readonly AgentDefinition[];
  readonly sources: ModelSources;
  readonly turns: OpenTurns;
}

/** Works on a task; gives the sub-agent's last words. */
export async function runTask(task: AgentTask, world: AgentWorld): Promise<string> {
  const { runtime, definitions, sources, turns } = world;
  const agent = findAgent(task.agent, 'sub-agent', definitions);
  // A call from elsewhere has no turn of a conversation.
  const turn = turns.get(task.turn) ?? new Turn(task.turn, findModel(agent.model, sources), task.signal);
  const address = agent.model === undefined ? turn.address : findModel(agent.model, sources);
  const parent = task.session;
  // What its parent saw it may build on; what it sees itself its parent has not seen.
  const session = sessionOf(agent, { ...parent, seen: new Map(parent.seen) });
  const history = new History();
  await history.tell(`Your task: ${task.objective}`, 'user');
  const emit = turn.emitAt(1);
  emit({ type: 'agent-started', agent: agent.name, objective: task.objective });
  const run = new AgentRun({
    runtime,
    agent,
    session,
    turn,
    address,
    history,
    emit,
    signal: task.signal,
    model: await openModel(address),
    meter: new ContextMeter(address.window),
    system: (await promptFor(runtime, agent, session)).system,
  });
  const end = await run.go();
  const summary = summaryOf(end);
  emit({ type: 'agent-ended', agent: agent.name, summary });
  task.signal.throwIfAborted();
  if (end.reason !== 'failed') return summary;
  const { message, hint } = end.trouble!;
  throw new Failure('E_IO', message, hint === undefined ? {} : { hint });
}

function summaryOf({ text, reason, trouble }: RunEnd): string {
  if (reason === 'done' || trouble === undefined) return text;
  return [text, `[${trouble.message}]`].filter((part) => part !== '').join('\n');
}
