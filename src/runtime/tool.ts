/** What the runtime knows of a dialect: tools as values, and how an outcome becomes a reply. No names, no shapes. */
import type { z } from 'zod';
import type { Failure } from '../failure.ts';
import type { PathRules } from '../host/workspace-path.ts';
import type { Truncation } from './bound.ts';
import type { ToolCallResult } from './envelope.ts';
import type { Operation } from './operation.ts';
import type { WorkspaceView } from './workspace.ts';

/** What a tool's `render` may look at besides the output. */
export interface RenderContext {
  readonly workspace: WorkspaceView;
  /** Set where the output was cut to fit the dialect's bound. */
  readonly truncation: Truncation | undefined;
}

/** An earlier major of a tool: how its arguments become today's, or why they can not. */
export interface OlderVersion {
  readonly major: number;
  /** What is different since, as a sentence. */
  readonly change: string;
  readonly adapt?: (args: unknown) => unknown;
}

/** The fields of a result that hold bytes, in base64, and their media type. */
export interface MediaFields {
  readonly data: string;
  readonly type: string;
}

/** A dialect's face of an operation. */
export interface Tool<Args = unknown, Input = unknown, Output = unknown> {
  readonly name: string;
  /** Semantic version of its arguments and result. */
  readonly version: string;
  readonly description: string;
  /** Strict: what it does not name is refused. */
  readonly args: z.ZodType<Args>;
  /** The shape of a good reply. */
  readonly returns: z.ZodType;
  readonly operation: Operation<Input, Output>;
  /** Where the result holds a file that is not text, for transports with a way of their own to carry one. */
  readonly media?: MediaFields;
  /** The largest reply of this tool, where the dialect's own bound does not suit it. */
  readonly replyBytes?: number;
  /** Earlier majors that callers may still ask for. */
  readonly older?: readonly OlderVersion[];
  toInput(args: Args, workspace: WorkspaceView): Input;
  /** The tool's own result, made from the operation's data; without it, the data itself. */
  render?(output: Output, context: RenderContext): unknown;
}

/** A call that ended, as a dialect turns it into a reply. */
export type EndedCall = { readonly result: ToolCallResult } & (
  | {
      readonly rendered: unknown;
      /** What went wrong, though there is a result. */
      readonly trouble?: Failure | undefined;
    }
  | { readonly failure: Failure; readonly outcome: 'failed' | 'denied' | 'cancelled' }
);

/** A tool that was found, and how the caller's arguments become today's. */
export interface ResolvedTool {
  readonly tool: Tool;
  readonly adapt: (args: unknown) => unknown;
}

/** A named set of tools with its conventions. */
export interface Dialect {
  readonly name: string;
  readonly paths: PathRules;
  /** The largest reply, in bytes of JSON. */
  readonly replyBytes: number;
  /** Whether one of its tools pages through what did not fit. */
  readonly canPage: boolean;
  /** Whether a program that calls its tools expects failures to be thrown; else it reads them in the reply. */
  readonly throwsFailures: boolean;
  readonly tools: ReadonlyMap<string, Tool>;
  /** Finds a tool by name and version (`name@version` will do), or fails with the nearest names. */
  resolve(name: string, version: string | undefined): ResolvedTool;
  /** The whole reply, as this dialect's clients expect it. */
  readonly reply: (call: EndedCall) => unknown;
}
