/** The tools of a conversation's session, used on behalf of the person: the same calls, rules and records as the agent's. */
import type { Conversation } from '../../agent/conversation.ts';
import type { CallResponse } from '../../runtime/spine.ts';
import type { Runtime } from '../../runtime-types.ts';

/** Calls the tool that shows an operation with its one needed argument; undefined where the session has none. */
export async function callOperation(
  runtime: Runtime,
  { session }: Pick<Conversation, 'session'>,
  operation: string,
  value: string,
  signal?: AbortSignal,
): Promise<(CallResponse & { readonly tool: string }) | undefined> {
  const definition = runtime
    .definitions(session.agent, session.dialect.name)
    .find((candidate) => candidate.operation === operation);
  if (definition === undefined) return undefined;
  const { required = [] } = definition.args_schema as { readonly required?: readonly string[] };
  const args = Object.fromEntries(required.slice(0, 1).map((name) => [name, value]));
  const response = await runtime.call(definition.name, args, {
    session,
    ...(signal === undefined ? {} : { signal }),
  });
  return { ...response, tool: definition.name };
}

/** The files that the agent can find, for completion. */
export async function listFiles(runtime: Runtime, conversation: Conversation): Promise<string[]> {
  const found = await callOperation(runtime, conversation, 'search.glob', '**/*');
  const { matches = [] } = (found?.result.payload ?? {}) as { readonly matches?: readonly string[] };
  return [...matches];
}
