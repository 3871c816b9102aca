/** How a dialect is declared, and step 3 of a call: a tool by name and version. Dialects hold names and shapes, no behaviour. */
import { Failure } from '../failure.ts';
import type { PathRules } from '../host/workspace-path.ts';
import { nearest } from '../runtime/nearest.ts';
import type { Dialect, EndedCall, Tool } from '../runtime/tool.ts';

export interface DialectDeclaration {
  readonly name: string;
  /** A dialect whose tools, rules and replies hold where this one says nothing. */
  readonly extends?: Dialect;
  readonly paths?: PathRules;
  readonly replyBytes?: number;
  readonly tools: readonly Tool[];
  readonly reply?: (call: EndedCall) => unknown;
}

const DEFAULT_REPLY_BYTES = 256 * 1024;

/** Declares a dialect. */
export function defineDialect(declaration: DialectDeclaration): Dialect {
  const { name, extends: parent } = declaration;
  const paths = declaration.paths ?? parent?.paths;
  const reply = declaration.reply ?? parent?.reply;
  if (paths === undefined || reply === undefined)
    throw new Error(`The dialect ${name} says neither how paths nor how replies look.`);
  const tools = new Map(
    [...(parent?.tools.values() ?? []), ...declaration.tools].map((tool) => [tool.name, tool]),
  );
  return {
    name,
    paths,
    replyBytes: declaration.replyBytes ?? parent?.replyBytes ?? DEFAULT_REPLY_BYTES,
    tools,
    reply,
    resolve: (wanted, version) => resolveTool(name, tools, wanted, version),
  };
}

/** Declares a tool; its types are checked here and forgotten in the dialect's list. */
export function defineTool<Args, Input, Output>(tool: Tool<Args, Input, Output>): Tool {
  return tool;
}

function resolveTool(
  dialect: string,
  tools: ReadonlyMap<string, Tool>,
  wanted: string,
  version: string | undefined,
): Tool {
  const tool = tools.get(wanted);
  if (tool === undefined) throw unknownTool(dialect, [...tools.keys()], wanted);
  if (version !== undefined && !serves(tool.version, version)) {
    throw new Failure(
      'E_VERSION',
      `The tool ${tool.name} is at version ${tool.version}; ${JSON.stringify(version)} is not served.`,
      {
        hint: `Leave the version out, or ask for ${tool.version}.`,
      },
    );
  }
  return tool;
}

function unknownTool(dialect: string, names: readonly string[], wanted: string): Failure {
  const close = nearest(wanted, names);
  return new Failure(
    'E_NO_TOOL',
    `There is no tool ${JSON.stringify(wanted.slice(0, 100))} in the dialect ${dialect}.`,
    {
      hint: close.length > 0 ? `Did you mean ${close.join(' or ')}?` : `Its tools are ${names.join(', ')}.`,
    },
  );
}

/** Whether a tool at `current` understands a caller written for `asked`: same major, not newer than we are. */
function serves(current: string, asked: string): boolean {
  const ours = parts(current);
  const theirs = parts(asked);
  if (ours === undefined || theirs === undefined || ours[0] !== theirs[0]) return false;
  return theirs[1] < ours[1] || (theirs[1] === ours[1] && theirs[2] <= ours[2]);
}

function parts(version: string): [number, number, number] | undefined {
  const match = /^(\d{1,9})(?:\.(\d{1,9}))?(?:\.(\d{1,9}))?$/.exec(version);
  return match === null ? undefined : [Number(match[1]), Number(match[2] ?? 0), Number(match[3] ?? 0)];
}
