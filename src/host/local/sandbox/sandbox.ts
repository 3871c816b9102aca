/** What a way of confining commands has to offer. */
import type { Failure } from '../../../failure.ts';
import type { CommandRequest, Confinement, SandboxReport } from '../../ports.ts';
import type { ProcessRequest } from '../run-process.ts';
import type { Shown } from '../view/overlay.ts';
import type { HeldNetwork } from './session-network.ts';

export interface Sandbox {
  readonly report: Omit<SandboxReport, 'undo' | 'undoSays'>;
  /** Whether it can show a view in place of the workspace. */
  readonly showsViews: boolean;
  /** Gets a run ready; nothing of the command has run by then. */
  prepare(command: SandboxedCommand): PreparedRun;
  /** Makes a network that several commands can be in, where that is possible. */
  readonly openNetwork?: (() => Promise<HeldNetwork>) | undefined;
}

/** What of a request concerns the sandbox. */
export interface SandboxedCommand extends Pick<
  CommandRequest,
  'program' | 'args' | 'directory' | 'env' | 'given' | 'limits'
> {
  readonly confinement: Confinement;
  readonly hasTerminal: boolean;
  /** In place of the workspace; only where the sandbox can show one. */
  readonly view?: Shown | undefined;
  /** Marks what it starts, where nothing else tells. */
  readonly mark?: string | undefined;
}

export interface PreparedRun extends Disposable {
  readonly process: Pick<
    ProcessRequest,
    'program' | 'args' | 'cwd' | 'env' | 'descriptors' | 'onStart' | 'terminate'
  >;
  readonly limitsInForce: readonly string[];
  /** Hosts that were reached, and that were asked for in vain. */
  hosts(): { readonly reached: readonly string[]; readonly denied: readonly string[] };
  /** Why the command itself never ran, from what was written instead; undefined where it did. */
  whyNotStarted(written: string): Failure | undefined;
  /** Waits until nothing of it runs any more; it was ended before. */
  settled(): Promise<void>;
}
