/** One agent's conversation: the dialect it speaks, the tools it may see, what humans granted in it. */
import type { Grant, Mode } from '../policy/decide.ts';
import type { Dialect } from './tool.ts';

/** Which tools an agent has; a tool that is not named is on. */
export interface Agent {
  readonly name: string;
  readonly tools?: Readonly<Record<string, boolean>>;
}

export interface Session {
  readonly id: string;
  readonly dialect: Dialect;
  readonly agent: Agent;
  readonly mode: Mode;
  /** Grows with every answer "for this session". */
  readonly grants: Grant[];
}

/** Whether an agent has a tool. */
export function isEnabled(agent: Agent, tool: string): boolean {
  return agent.tools === undefined || !Object.hasOwn(agent.tools, tool) || agent.tools[tool] === true;
}
