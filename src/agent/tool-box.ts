/** The tools of a session as a model is told them, and its calls of them. */
import { listedName } from '../listed-tool.ts';
import type { Runtime } from '../runtime-types.ts';
import type { Definition } from '../runtime/catalogue.ts';
import type { Session } from '../runtime/session.ts';
import type { AskedCall } from './ask-model.ts';
import type { ModelTool } from './open-model.ts';

/** A call as it will be made. */
export interface PlannedCall {
  /** Ours: some models give several calls the same. */
  readonly id: string;
  /** As the dialect calls it. */
  readonly tool: string;
  /** As the model calls it. */
  readonly told: string;
  readonly args: unknown;
  /** What is wrong with the arguments, where they can't be read. */
  readonly unreadable?: string | undefined;
  readonly metadata?: AskedCall['metadata'];
}

export interface ToolBox {
  readonly tools: ModelTool[];
  readonly names: ReadonlySet<string>;
  plan(call: AskedCall, id: string): PlannedCall;
  /** Undefined for a tool that is not there. */
  definition(tool: string): Definition | undefined;
}

export function openToolBox(runtime: Runtime, session: Session): ToolBox {
  const definitions = runtime.definitions(session.agent, session.dialect.name);
  const byName = new Map(definitions.map((definition) => [definition.name, definition]));
  const byTold = new Map(definitions.map(({ name }) => [listedName(name), name]));
  return {
    tools: definitions.map(({ name, description, args_schema }) => ({
      type: 'function',
      name: listedName(name),
      description,
      inputSchema: args_schema as Extract<ModelTool, { type: 'function' }>['inputSchema'],
    })),
    names: new Set([...byTold.keys(), ...byName.keys()]),
    definition: (tool) => byName.get(tool),
    plan({ tool: told, input, metadata }, id) {
      const tool = byTold.get(told) ?? told;
      return { id, tool, told, metadata, ...readArguments(input) };
    },
  };
}

function readArguments(input: string): Pick<PlannedCall, 'args' | 'unreadable'> {
  try {
    return { args: input.trim() === '' ? {} : (JSON.parse(input) as unknown) };
  } catch (error) {
    return { args: input, unreadable: error instanceof Error ? error.message : String(error) };
  }
}
