/** The agents there are, and the session in which each works: its tools and no others, and never more than it was given. */
import type { AgentSettings } from '../config/effective.ts';
import { Failure } from '../failure.ts';
import type { Session } from '../runtime/session.ts';
import type { AgentDefinition } from './conversation.ts';

const BUILT_IN: readonly AgentDefinition[] = [
  {
    name: 'build',
    kind: 'primary',
    description: 'Works on the project with every tool there is.',
  },
  {
    name: 'plan',
    kind: 'primary',
    description: 'Looks and plans; changes nothing.',
    prompt:
      'You change nothing. Look at what is there, then say what should be done: the files, the changes, their order, and the risks.',
    effects: ['read', 'network', 'exec', 'state', 'ask'],
  },
  {
    name: 'general',
    kind: 'sub-agent',
    description: 'Does a task of several steps on its own, changes of files included.',
    prompt:
      'You were handed one task. Do it, then answer with what you did, what you found, and what is left.',
  },
  {
    name: 'explore',
    kind: 'sub-agent',
    description: 'Finds out how something works or where it is; changes nothing and runs nothing.',
    prompt:
      'You were handed one question about the project. Search and read until you know, then answer with the facts and the files and lines they are in.',
    effects: ['read', 'network'],
  },
];

/** The built-in ones and those of the settings; a name counts once, and the settings' word last. */
export function agentDefinitions(settings: AgentSettings['agents']): AgentDefinition[] {
  const own = Object.entries(settings).map(([name, { kind = 'sub-agent', ...agent }]) => ({
    ...agent,
    name,
    kind,
  }));
  const names = new Set(own.map(({ name }) => name));
  return [...BUILT_IN.filter(({ name }) => !names.has(name)), ...own];
}

export function findAgent(
  name: string,
  kind: AgentDefinition['kind'],
  definitions: readonly AgentDefinition[],
): AgentDefinition {
  const fitting = definitions.filter((agent) => agent.kind === kind);
  const found = fitting.find((agent) => agent.name === name);
  if (found !== undefined) return found;
  const isOther = definitions.some((agent) => agent.name === name);
  const role = kind === 'primary' ? 'one to talk to' : 'one to hand tasks to';
  const message = isOther
    ? `The agent ${name} is not ${role}.`
    : `There is no agent ${JSON.stringify(name)}.`;
  throw new Failure('E_INVALID_ARGS', message, {
    hint: `There ${fitting.length === 1 ? 'is' : 'are'} ${fitting.map((agent) => agent.name).join(', ')}.`,
  });
}

/** Operations that a sub-agent never has: it hands nothing on, and the list of what is to do is its parent's. */
const OF_PARENTS = /^(?:task|todo)\./;

/** The session in which an agent works: what the given one lets it do, less what the agent itself lacks. */
export function sessionOf(agent: AgentDefinition, within: Session): Session {
  const { effects } = agent;
  const has = (name: string): boolean => {
    const { operation } = within.dialect.tools.get(name)!;
    if (within.agent.tools?.[name] === false || agent.tools?.[name] === false) return false;
    if (agent.kind === 'sub-agent' && OF_PARENTS.test(operation.name)) return false;
    return effects === undefined || effects.includes(operation.effect);
  };
  const tools = Object.fromEntries([...within.dialect.tools.keys()].map((name) => [name, has(name)]));
  const isReading = effects !== undefined && !effects.includes('write');
  return {
    ...within,
    agent: { name: agent.name, tools },
    ...(isReading ? { mode: 'read-only', chosenMode: 'read-only' } : {}),
  };
}
