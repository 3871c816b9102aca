/**
 * A dialect's tools as a tool set of the AI SDK. Calls go through the runtime like all others. What would be asked is
 * asked in the SDK's own approval flow, unless the caller brings an approver.
 */
import { jsonSchema, tool, type Tool, type ToolSet } from 'ai';
import type { Definition } from '../../runtime/catalogue.ts';
import type { Runtime } from '../../runtime-types.ts';
import { listedName, withoutRevision } from '../../listed-tool.ts';
import { Calls, type RunningCall, type ToolsOptions } from './calls.ts';
import { toModelOutput } from './model-output.ts';
import { streamedReply } from './streamed-reply.ts';
import { asked, type AskedCall } from './tool-approval.ts';

/** The tools that the session's agent has, by names that every model API takes. */
export function tools(runtime: Runtime, options: ToolsOptions = {}): ToolSet {
  const calls = new Calls(runtime, options);
  const set: ToolSet = {};
  for (const definition of calls.definitions()) {
    const made = toTool(definition, calls);
    const name = listedName(definition.name);
    set[name] = made;
    // Found under its own name too, but listed once.
    if (name !== definition.name) Object.defineProperty(set, definition.name, { value: made });
  }
  return set;
}

function toTool(definition: Definition, calls: Calls): Tool {
  const { name, description, args_schema, effect, media, risk, needsApproval, component } = definition;
  const asking = (args: unknown, call: AskedCall) => calls.question(name, args, call);
  const run = (args: unknown, call: RunningCall) => calls.run(name, args, call);
  const made = tool({
    description,
    // Arguments are checked by the runtime, whose words say what was expected.
    inputSchema: jsonSchema(withoutRevision(args_schema)),
    metadata: { risk, needsApproval, component },
    needsApproval: async (args: unknown, call) => (await asking(args, call)) !== undefined,
    execute: (args: unknown, call): unknown =>
      effect === 'exec' ? streamedReply((listener) => run(args, { ...call, listener })) : run(args, call),
    toModelOutput: ({ output }) => toModelOutput(output, media),
  });
  return asked(made, asking);
}
