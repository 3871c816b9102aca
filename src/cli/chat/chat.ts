/** `handrail chat`: the agent in the terminal, one turn for a script, a view of what goes on, or the demo. */
import type { Agents, Conversation } from '../../agent/conversation.ts';
import { openAgents } from '../../agent/open-agents.ts';
import { createRuntime } from '../../create-runtime.ts';
import type { Approver } from '../../policy/approvals.ts';
import type { Mode } from '../../policy/decide.ts';
import type { Runtime } from '../../runtime-types.ts';
import { FINE, UsageError, WRONG_USE } from '../exit-code.ts';
import { noteStart } from '../note-start.ts';
import { note, print } from '../print.ts';
import { readStdin } from '../read-stdin.ts';
import type { Surroundings } from '../surroundings.ts';
import { untilInterrupted } from '../until-interrupted.ts';
import { HOW_TO_CONNECT } from './how-to-connect.ts';
import { answerOnce, type Output } from './one-prompt.ts';
import { sessionTable } from './session-table.ts';
import { talk } from './talk.ts';

export interface ChatArguments {
  readonly prompt?: string;
  readonly output?: Output;
  readonly session?: string;
  readonly continue?: boolean;
  readonly model?: string;
  readonly agent?: string;
  readonly mode?: Mode;
  readonly workspace?: string;
  readonly yes?: boolean;
  readonly sessions?: boolean;
  readonly live?: boolean;
  readonly demo?: boolean;
}

/** Does what the arguments ask for; returns the exit code. */
export async function chat(options: ChatArguments, surroundings: Surroundings): Promise<number> {
  if (options.live === true) {
    const { watch } = await import('./watch.ts');
    return watch(options, surroundings);
  }
  if (options.demo === true) {
    const { demo } = await import('./demo/demo.ts');
    return demo(surroundings);
  }
  if (options.sessions === true) return listSessions(options, surroundings);
  const piped = process.stdin.isTTY ? '' : await readStdin();
  const prompt = [options.prompt ?? '', piped].filter((text) => text.trim() !== '').join('\n\n');
  if (prompt !== '') return answer(prompt, options, surroundings);
  if (options.prompt !== undefined || !process.stdin.isTTY || !process.stdout.isTTY)
    throw new UsageError('there is nothing to answer. Give a prompt with -p, or use a terminal.');
  return talk(
    { workspace: options.workspace ?? surroundings.folder, mode: options.mode, surroundings },
    (runtime) => openConversation(runtime, options, surroundings),
  );
}

async function listSessions(options: ChatArguments, surroundings: Surroundings): Promise<number> {
  const { locations, environment, folder } = surroundings;
  await using runtime = await createRuntime({
    workspace: options.workspace ?? folder,
    locations,
    readConfig: true,
  });
  const known = await openAgents(runtime, { environment }).list(50);
  if (known.length === 0) note('There are no conversations in this workspace yet.');
  else print(sessionTable(known));
  return FINE;
}

async function answer(prompt: string, options: ChatArguments, surroundings: Surroundings): Promise<number> {
  const { locations, environment, folder, isTerminal } = surroundings;
  await using runtime = await createRuntime({
    workspace: options.workspace ?? folder,
    locations,
    environment,
    mode: options.mode,
    readConfig: true,
    approve: options.yes === true ? sayYes : undefined,
  });
  noteStart(runtime);
  const opened = await openConversation(runtime, options, surroundings);
  if (opened === undefined) return WRONG_USE;
  const { conversation } = opened;
  const output = options.output ?? 'text';
  return await untilInterrupted((signal) =>
    answerOnce(prompt, runtime, conversation, { output, signal, isTerminal }),
  );
}

const sayYes: Approver = async () => ({ answer: 'once', by: 'command line --yes' });

/** The conversation that was asked for; undefined, and said, where no model is connected. */
async function openConversation(
  runtime: Runtime,
  { session, continue: goesOn, model, agent, mode }: ChatArguments,
  { environment }: Surroundings,
): Promise<{ agents: Agents; conversation: Conversation } | undefined> {
  const agents = openAgents(runtime, { environment });
  if (agents.models.length === 0 && model === undefined) {
    note(HOW_TO_CONNECT);
    return undefined;
  }
  const id = session ?? (goesOn === true ? (await agents.list(1))[0]?.id : undefined);
  if (goesOn === true && id === undefined) note('There is no earlier conversation here; this is a new one.');
  return { agents, conversation: await agents.open({ id, model, agent, mode }) };
}
