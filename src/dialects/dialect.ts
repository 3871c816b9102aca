/** How a dialect is declared, and step 3 of a call: a tool by name and version. Dialects hold names and shapes, no behaviour. */
import { Failure } from '../failure.ts';
import type { PathRules } from '../host/workspace-path.ts';
import { nearest } from '../runtime/nearest.ts';
import type { Dialect, EndedCall, ResolvedTool, Tool } from '../runtime/tool.ts';

export interface DialectDeclaration {
  readonly name: string;
  /** A dialect whose tools, rules and replies hold where this one says nothing. */
  readonly extends?: Dialect;
  readonly paths?: PathRules;
  readonly replyBytes?: number;
  readonly canPage?: boolean;
  readonly throwsFailures?: boolean;
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
    canPage: declaration.canPage ?? parent?.canPage ?? false,
    throwsFailures: declaration.throwsFailures ?? parent?.throwsFailures ?? false,
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
  name: string,
  version: string | undefined,
): ResolvedTool {
  if (typeof name !== 'string') throw new Failure('E_NO_TOOL', 'The name of a tool is a text.');
  const { wanted, asked } = splitVersion(tools, name, version);
  const tool = tools.get(wanted);
  if (tool === undefined) throw unknownTool(dialect, [...tools.keys()], name);
  if (asked === undefined || serves(tool.version, asked)) return { tool, adapt: (args) => args };
  return { tool, adapt: adapterFor(tool, asked) };
}

/** `read@1.0` asks for a version, unless there is a tool of that very name. */
function splitVersion(
  tools: ReadonlyMap<string, Tool>,
  name: string,
  version: string | undefined,
): { wanted: string; asked: string | undefined } {
  const at = name.lastIndexOf('@');
  if (at <= 0 || tools.has(name)) return { wanted: name, asked: version };
  const written = name.slice(at + 1);
  if (version !== undefined && version !== written) {
    throw new Failure(
      'E_VERSION',
      `The call asks for version ${JSON.stringify(written)} and for ${JSON.stringify(version)}.`,
    );
  }
  return { wanted: name.slice(0, at), asked: written };
}

function adapterFor(tool: Tool, asked: string): (args: unknown) => unknown {
  const older = tool.older?.find(({ major }) => major === parts(asked)?.[0]);
  if (older?.adapt !== undefined) return older.adapt;
  const change = older === undefined ? '' : ` Since then: ${older.change}`;
  throw new Failure(
    'E_VERSION',
    `The tool ${tool.name} is at version ${tool.version}; ${JSON.stringify(asked)} is not served.${change}`,
    {
      hint: `Leave the version out, or ask for ${tool.version}.`,
    },
  );
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
