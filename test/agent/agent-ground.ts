/** A workspace with agents whose model follows a script. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AgentEvent, Agents, Conversation, OpenConversation } from '../../src/agent/conversation.ts';
import { openAgents } from '../../src/agent/open-agents.ts';
import type { Runtime, RuntimeOptions } from '../../src/index.ts';
import { type Script, type ScriptedModel, scriptedModel } from '../support/scripted-model.ts';
import { type TempWorkspace, tempWorkspace } from '../support/temp-workspace.ts';

const SURROUNDINGS = { PATH: process.env['PATH'] };

export interface AgentGround extends AsyncDisposable {
  readonly workspace: TempWorkspace;
  readonly runtime: Runtime;
  readonly model: ScriptedModel;
  readonly agents: Agents;
  readonly environment: Readonly<Record<string, string>>;
  open(options?: OpenConversation): Promise<Conversation>;
  /** With the user's settings, in a runtime of its own. */
  openWith(settings: object, options?: OpenConversation): Promise<Conversation>;
}

export interface GroundOptions extends Partial<RuntimeOptions> {
  readonly files?: Readonly<Record<string, string | Uint8Array>>;
}

export async function agentGround(
  script: Script,
  { files, ...options }: GroundOptions = {},
): Promise<AgentGround> {
  const workspace = tempWorkspace(files);
  const model = await scriptedModel(script);
  const runtime = await workspace.runtime({ environment: SURROUNDINGS, ...options });
  const environment = { OPENAI_BASE_URL: model.url, OPENAI_API_KEY: 'a-key', HANDRAIL_MODEL: 'scripted' };
  const agents = openAgents(runtime, { environment });
  return {
    workspace,
    runtime,
    model,
    agents,
    environment,
    open: (opening) => agents.open(opening),
    async openWith(settings, opening) {
      const { config } = workspace.locations;
      mkdirSync(config, { recursive: true });
      writeFileSync(join(config, 'config.jsonc'), JSON.stringify(settings));
      const other = await workspace.runtime({ environment: SURROUNDINGS, ...options, readConfig: true });
      return openAgents(other, { environment }).open(opening);
    },
    async [Symbol.asyncDispose]() {
      await workspace[Symbol.asyncDispose]();
      await model[Symbol.asyncDispose]();
    },
  };
}

/** Every event of a turn. */
export async function allOf(events: AsyncIterable<AgentEvent>): Promise<AgentEvent[]> {
  const all: AgentEvent[] = [];
  for await (const event of events) all.push(event);
  return all;
}

/** The events of one type. */
export function only<Type extends AgentEvent['type']>(
  events: readonly AgentEvent[],
  type: Type,
): Extract<AgentEvent, { type: Type }>[] {
  return events.filter((event): event is Extract<AgentEvent, { type: Type }> => event.type === type);
}

export function endOf(events: readonly AgentEvent[]): Extract<AgentEvent, { type: 'turn-ended' }> {
  return only(events, 'turn-ended')[0]!;
}
