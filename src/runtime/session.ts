/** One agent's conversation: the dialect it speaks, the tools it may see, what humans granted in it. */
import type { FileVersion } from '../host/ports.ts';
import type { Grant, Mode, Policy } from '../policy/decide.ts';
import type { RunElsewhere } from './run-elsewhere.ts';
import type { Dialect } from './tool.ts';

/** Which tools an agent has; a tool that is not named is on. */
export interface Agent {
  readonly name: string;
  readonly tools?: Readonly<Record<string, boolean>>;
}

export interface Session {
  readonly id: string;
  /** The root of the workspace it is in; the same id in another one is another session. */
  readonly workspace: string;
  readonly dialect: Dialect;
  readonly agent: Agent;
  readonly mode: Mode;
  /** The mode, where the caller chose it and not the settings. */
  readonly chosenMode: Mode | undefined;
  /** Grows with every answer "for this session". */
  readonly grants: Grant[];
  /** What its calls last saw of each file. */
  readonly seen: Map<string, FileVersion>;
  /** What it is in other projects that its calls went to, by root. */
  readonly visits: Map<string, Session>;
  /** Where it is of another project, and only visits this one. */
  readonly visit?: Visit | undefined;
  /** Runs its calls, where somebody else does. */
  runElsewhere?: RunElsewhere | undefined;
  /** The turn that calls without one of their own belong to, while they follow each other. */
  openTurn?: { readonly id: string; readonly lastAt: number };
}

/** A session in a project that is not its own: both policies count, and the stricter one decides. */
export interface Visit {
  /** The id of the project that it visits. */
  readonly project: string;
  /** The root of its own. */
  readonly from: string;
  /** What its own project says about going there. */
  readonly policy: Policy;
}

/** Calls that follow each other within this time are one turn, where nobody says otherwise. */
const TURN_GAP_MS = 30_000;

/** The turn of a call that comes in now. */
export function turnAt(session: Session, now: number, newId: () => string): string {
  const open = session.openTurn;
  const id = open !== undefined && now - open.lastAt <= TURN_GAP_MS ? open.id : newId();
  session.openTurn = { id, lastAt: now };
  return id;
}

/** Whether an agent has a tool. */
export function isEnabled(agent: Agent, tool: string): boolean {
  return agent.tools === undefined || !Object.hasOwn(agent.tools, tool) || agent.tools[tool] === true;
}
