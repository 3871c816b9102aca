/** Background processes: what goes on after the call that started it, who watches over it, and what is on record of it. */
import type { SandboxTier, SessionNetwork, StartRequest } from './command-ports.ts';

/** Why a process is no longer there; `supervisor-gone`: it was ended with the one that watched over it. */
export type ProcessEnd = 'itself' | 'stopped' | 'owner-gone' | 'supervisor-gone';

/** A process on record; kept for a while after its end. */
export interface BackgroundProcess {
  readonly id: string;
  /** What its session calls it. */
  readonly name: string | undefined;
  readonly workspace: string;
  readonly session: string;
  /** Whether it goes on when its session has ended. */
  readonly isKept: boolean;
  /** As people know it. */
  readonly command: string;
  readonly directory: string;
  /** Undefined until it runs. */
  readonly pid: number | undefined;
  readonly tier: SandboxTier | undefined;
  readonly startedAt: number;
  readonly ended: ProcessEnding | undefined;
}

export interface ProcessEnding {
  readonly at: number;
  readonly by: ProcessEnd;
  /** Undefined where nobody was there to see it. */
  readonly exitCode: number | undefined;
  /** What it reached while it ran. */
  readonly hosts: readonly string[];
}

export interface BackgroundRequest
  extends
    Pick<StartRequest, 'program' | 'args' | 'directory' | 'env' | 'terminal' | 'confinement' | 'limits'>,
    Pick<BackgroundProcess, 'name' | 'session' | 'isKept' | 'command'> {}

/** A part of what a process wrote. Positions count bytes from its first one, also where that is no longer kept. */
export interface ProcessOutput {
  readonly bytes: Uint8Array;
  /** Where the part starts; later than asked for where older output is gone. */
  readonly position: number;
  /** How much was written so far. */
  readonly end: number;
}

/** What is waited for: text in a line, in which `*` is anything; a port that something listens to; the exit. */
export type WaitFor =
  | { readonly text: string; readonly from: number }
  | { readonly port: number }
  | { readonly exit: true };

export interface Waited {
  /** `ended`: it is gone, and what was waited for did not come. */
  readonly outcome: 'met' | 'ended' | 'timed-out';
  /** The line with the text. */
  readonly line?: string | undefined;
}

/** What happens to a process, told to the runtime that started it. */
export type ProcessEvent =
  | {
      readonly type: 'output';
      readonly process: string;
      readonly session: string;
      /** The last of what came since the event before. */
      readonly bytes: Uint8Array;
      /** Where it starts. */
      readonly position: number;
    }
  | {
      readonly type: 'ended';
      readonly process: string;
      readonly session: string;
      readonly ended: ProcessEnding;
    };

/** The background processes of one workspace. */
export interface BackgroundProcesses {
  /** Whether something that was started through it runs. */
  readonly isBusy: boolean;
  start(request: BackgroundRequest): Promise<BackgroundProcess>;
  /** Running ones, and those that ended lately; newest first. */
  list(): Promise<readonly BackgroundProcess[]>;
  /** Output from a position on; without one, the last of it. */
  read(id: string, position: number | undefined, maxBytes: number): ProcessOutput;
  wait(id: string, what: WaitFor, timeoutMs: number, signal: AbortSignal): Promise<Waited>;
  /** Types into it; `isLast` closes its input. */
  write(id: string, text: string, isLast: boolean): Promise<void>;
  resize(id: string, columns: number, rows: number): Promise<void>;
  /** Asks it to end, then makes it. */
  stop(id: string): Promise<void>;
  /** Opens a port of this machine's loopback onto one of the process's; says which. */
  forward(id: string, port: number): Promise<number>;
  /** What commands of a session are to be in, where it has a process that is. */
  network(session: string): Promise<SessionNetwork | undefined>;
  /** Ends what a session started and did not keep. */
  endSession(session: string): Promise<void>;
}

/** A supervisor that can be spoken to. */
export interface SupervisorPlace {
  /** The identity of its process. */
  readonly owner: string;
  /** The name of its socket in its folder. */
  readonly socket: string;
}

/** What the store knows about processes. */
export interface ProcessRecords {
  add(process: Omit<BackgroundProcess, 'ended'>, owner: string, supervisor: string): Promise<void>;
  started(
    id: string,
    facts: { pid: number; identity: string; tier: SandboxTier; network: string | undefined },
  ): Promise<void>;
  ended(id: string, ending: ProcessEnding): Promise<void>;
  /** It never ran. */
  drop(id: string): Promise<void>;
  list(workspace?: string): Promise<BackgroundProcess[]>;
  /** What is on record as running, by who watches over it. */
  running(): Promise<{ id: string; supervisor: string; identity: string | null; tier: string | null }[]>;
  /** The network that running processes of a session are in, as it was written down. */
  network(workspace: string, session: string): Promise<string | undefined>;
  /** Forgets what ended before; gives the ids. */
  forget(before: number): Promise<string[]>;
  supervisor(): Promise<SupervisorPlace | undefined>;
  /** Puts one in the place of another; false where somebody else did. */
  supersede(before: SupervisorPlace | undefined, after: SupervisorPlace): Promise<boolean>;
  retire(owner: string): Promise<void>;
}
