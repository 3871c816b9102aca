/**
 * What is said between a runtime and the supervisor. `hello` and `retire` stay as they are for ever: by them a newer
 * Handrail tells an older supervisor to make room.
 */
import type { FailureCode } from '../../../failure.ts';
import type { BackgroundProcess, BackgroundRequest, ProcessEnding, Waited, WaitFor } from '../../ports.ts';
import type { CommandSurroundings } from '../sandbox/commands.ts';

/** Raised whenever anything below changes. */
export const PROTOCOL = 1;

export interface Calls {
  hello: { readonly given: { readonly owner: string }; readonly answer: { readonly protocol: number } };
  /** Ends the supervisor where it has nothing to watch over; says how many processes it has. */
  retire: { readonly given: object; readonly answer: { readonly processes: number } };
  start: { readonly given: StartGiven; readonly answer: BackgroundProcess };
  write: {
    readonly given: { readonly id: string; readonly text: string; readonly isLast: boolean };
    readonly answer: object;
  };
  resize: {
    readonly given: { readonly id: string; readonly columns: number; readonly rows: number };
    readonly answer: object;
  };
  stop: { readonly given: { readonly id: string }; readonly answer: object };
  wait: {
    readonly given: { readonly id: string; readonly what: WaitFor; readonly timeoutMs: number };
    readonly answer: Waited;
  };
  forward: {
    readonly given: { readonly id: string; readonly port: number };
    readonly answer: { readonly port: number };
  };
  /** Ends what this connection started and did not keep; of one session, or all. */
  leave: { readonly given: { readonly session?: string | undefined }; readonly answer: object };
  /** Gives up a call that is under way. */
  cancel: { readonly given: { readonly of: number }; readonly answer: object };
}

export type CallName = keyof Calls;

export interface StartGiven extends BackgroundRequest {
  readonly id: string;
  readonly workspace: string;
  readonly surroundings: Pick<CommandSurroundings, 'home' | 'config' | 'environment'>;
}

export interface Request {
  readonly number: number;
  readonly name: CallName;
  readonly given: never;
}

export type Answer =
  | { readonly number: number; readonly answer: unknown }
  | { readonly number: number; readonly failure: FailureMessage };

export interface FailureMessage {
  readonly code: FailureCode;
  readonly message: string;
  readonly hint?: string | undefined;
}

/** What is told unasked, about processes that this connection started; bytes in base64. */
export type Told = { readonly process: string; readonly session: string } & (
  | { readonly output: string; readonly position: number }
  | { readonly ended: ProcessEnding }
);
