/** Step 4: arguments to the operation's input. Wrong ones are refused by field, with what was expected. */
import { z } from 'zod';
import { Failure } from '../failure.ts';
import { explainIssue } from './explain-issue.ts';
import { nearest } from './nearest.ts';
import type { Tool } from './tool.ts';
import type { WorkspaceView } from './workspace.ts';

/** Checks arguments against the tool's schema and turns them into the operation's input. */
export function decode(tool: Tool, args: unknown, workspace: WorkspaceView): unknown {
  const parsed = tool.args.safeParse(args);
  if (!parsed.success) throw refusal(tool, parsed.error.issues, args);
  return Object.freeze(tool.operation.input.parse(tool.toInput(parsed.data, workspace)));
}

function refusal(tool: Tool, issues: readonly z.core.$ZodIssue[], args: unknown): Failure {
  const known = argumentNames(tool);
  const shown = issues.slice(0, MAX_NAMED).map((issue) => explain(issue, known, args));
  const message = [...shown, ...more(issues.length)].join(' ');
  const takes = known.length === 0 ? 'It takes no arguments.' : `It takes: ${known.join(', ')}.`;
  return new Failure('E_INVALID_ARGS', `Wrong arguments for ${tool.name}: ${message}`, { hint: takes });
}

function explain(issue: z.core.$ZodIssue, known: readonly string[], args: unknown): string {
  if (issue.code === 'unrecognized_keys') {
    const unknown = issue.keys.slice(0, MAX_NAMED).map((key) => unknownArgument(key, known));
    return [...unknown, ...more(issue.keys.length)].join(' ');
  }
  return `${explainIssue(issue, args, 'the arguments')}.`;
}

/** How many mistakes a message names. */
const MAX_NAMED = 5;

function more(count: number): string[] {
  return count > MAX_NAMED ? [`And ${count - MAX_NAMED} more.`] : [];
}

function unknownArgument(key: string, known: readonly string[]): string {
  const [meant] = nearest(key, known);
  return `There is no argument ${JSON.stringify(key.slice(0, 100))}${meant === undefined ? '.' : `; did you mean "${meant}"?`}`;
}

function argumentNames(tool: Tool): string[] {
  return tool.args instanceof z.ZodObject ? Object.keys(tool.args.shape) : [];
}
