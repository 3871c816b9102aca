/** The agents of a runtime: who there is to talk to, and the conversations with them. */
import { Failure } from '../failure.ts';
import type { Runtime } from '../runtime-types.ts';
import { agentDefinitions, findAgent } from './built-in-agents.ts';
import type { Agents, ConversationSummary, OpenConversation } from './conversation.ts';
import { type Entry, History, type PlacedEntry } from './history.ts';
import { keptHistory } from './kept-history.ts';
import { keptIn, LiveConversation } from './live-conversation.ts';
import { findModel, modelNames, type ModelSources } from './model-sources.ts';
import { type AgentWorld, runTask } from './sub-agents.ts';

export interface AgentOptions {
  /** Where keys and the usual model are looked up; `OPENAI_API_KEY` and the like. */
  readonly environment: Readonly<Record<string, string | undefined>>;
}

export function openAgents(runtime: Runtime, { environment }: AgentOptions): Agents {
  const { settings, conversations } = runtime.agentPorts;
  const sources: ModelSources = { settings: settings.models, environment };
  const definitions = agentDefinitions(settings.agents);
  const world: AgentWorld = { runtime, definitions, sources, turns: new Map() };
  runtime.agentPorts.runAgentsWith((task) => runTask(task, world));
  return {
    definitions,
    get models() {
      return modelNames(sources);
    },
    open: (options = {}) => open(options, world),
    async list(limit = 50) {
      return (await conversations.list(limit)).map(summary);
    },
    async show(id) {
      const { row, entries } = await earlier(id, runtime);
      return { ...summary(row), entries: keptHistory(entries) };
    },
  };
}

function summary({ id, title, at, turns, agent, model }: ConversationSummary): ConversationSummary {
  return { id, title, at, turns, agent, model };
}

async function open(options: OpenConversation, world: AgentWorld): Promise<LiveConversation> {
  const { runtime, definitions, sources } = world;
  const known = await knownOf(options, runtime);
  const { row, entries = [] } = known ?? {};
  const agent = findAgent(options.agent ?? row?.agent ?? 'build', 'primary', definitions);
  const address = findModel(options.model ?? agent.model ?? row?.model, sources);
  const session =
    options.session ??
    (await runtime.openSession({
      id: row?.id,
      mode: options.mode,
      ...(row === undefined ? {} : { dialect: row.dialect }),
    }));
  const placed = entries.map(({ id, body }): PlacedEntry => ({ ...(JSON.parse(body) as Entry), place: id }));
  const history = new History(keptIn(runtime, session.id), placed, row);
  return new LiveConversation({ ...world, session, agent, address, history });
}

async function knownOf({ id, session }: OpenConversation, runtime: Runtime): Promise<Found | undefined> {
  if (session !== undefined) return runtime.agentPorts.conversations.find(session.id);
  return id === undefined ? undefined : earlier(id, runtime);
}

async function earlier(id: string, { agentPorts }: Runtime): Promise<Found> {
  const found = await agentPorts.conversations.find(id);
  if (found !== undefined) return found;
  throw new Failure('E_NOT_FOUND', `There is no conversation ${JSON.stringify(id)} in this workspace.`, {
    hint: 'handrail chat --sessions lists those there are.',
  });
}

type Found = NonNullable<Awaited<ReturnType<Runtime['agentPorts']['conversations']['find']>>>;
