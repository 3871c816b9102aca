/** What a runtime has for whoever drives a model over its tools: settings, conversations, and texts to keep to. */
import { join } from 'node:path';
import type { AgentSettings } from './config/effective.ts';
import { INSTRUCTIONS, isTrusted, trustContent } from './config/trust.ts';
import { Failure } from './failure.ts';
import { localUserFile } from './host/local/user-file.ts';
import type { Host } from './host/ports.ts';
import { maskTokens, maskTokensIn } from './journal/redact.ts';
import type { Locations } from './policy/places.ts';
import type { AgentRunner, SubAgents } from './runtime/sub-agents.ts';
import { type ConversationRows, conversationRows } from './store/conversations.ts';
import type { Database } from './store/store.ts';

export interface AgentPorts {
  readonly settings: AgentSettings;
  readonly conversations: ConversationRows;
  /** The workspace's own instructions for agents, where a person trusted this very text. */
  readInstructions(): Promise<WorkspaceInstructions>;
  /** The beginning of a text file of the workspace; undefined where there is none. */
  readText(path: string): Promise<string | undefined>;
  /** The same for a file of the user's config folder. */
  readUserText(name: string): string | undefined;
  /** From now on, this one works on what calls hand to sub-agents. */
  runAgentsWith(runner: AgentRunner): void;
  readonly runAgent: AgentRunner;
  nextId(prefix: 'turn' | 'call'): string;
  now(): number;
}

/** The text; or why there is none to tell, where there is a file. */
export type WorkspaceInstructions = { readonly text: string } | { readonly whyNot: string } | undefined;

export interface AgentPortParts {
  readonly host: Host;
  readonly database: Database;
  readonly workspace: string;
  readonly settings: AgentSettings;
  readonly locations: Locations;
  readonly subAgents: SubAgents;
}

export function openAgentPorts({
  host,
  database,
  workspace,
  settings,
  locations,
  subAgents,
}: AgentPortParts): AgentPorts {
  const rows = conversationRows(database, host.clock, workspace);
  return {
    settings,
    conversations: {
      ...rows,
      // What is kept is read again by models and people: nothing in it may open a door.
      beginTurn: (begun) => rows.beginTurn({ ...begun, title: maskTokens(begun.title) }),
      append: (id, turn, body) => rows.append(id, turn, JSON.stringify(maskTokensIn(JSON.parse(body)))),
      shorten: (id, to) =>
        rows.shorten(id, { ...to, summary: to.summary === null ? null : maskTokens(to.summary) }),
    },
    readInstructions: () => readInstructions(host, database, workspace),
    readText: (path) => readText(host, path),
    readUserText: (name) =>
      localUserFile(join(locations.config, name)).read()?.slice(0, MAX_CHARACTERS).toWellFormed(),
    runAgent: (task) => subAgents.run(task),
    runAgentsWith: (runner) => subAgents.use(runner),
    nextId: (prefix) => host.ids.next(prefix),
    now: () => host.clock.now(),
  };
}

/** More of a file of instructions is not told. */
const MAX_CHARACTERS = 32_768;
/** As many bytes as that many characters can have. */
const MAX_BYTES = 4 * MAX_CHARACTERS;

async function readInstructions(
  { files }: Host,
  database: Database,
  workspace: string,
): Promise<WorkspaceInstructions> {
  try {
    const content = await trustContent(files, INSTRUCTIONS);
    if (content === undefined) return undefined;
    if (await isTrusted(database, workspace, content))
      return { text: content.files[0]!.text.slice(0, MAX_CHARACTERS).toWellFormed() };
    return { whyNot: `${INSTRUCTIONS} is not told to the model: nobody trusted it as it is. handrail trust` };
  } catch (error) {
    if (error instanceof Failure) return { whyNot: error.message };
    throw error;
  }
}

async function readText({ files }: Host, path: string): Promise<string | undefined> {
  try {
    // What a link leads to may be none of the model's business.
    const { kind, path: resolved } = await files.resolve(path, { followLast: false });
    if (kind !== 'file') return undefined;
    await using file = await files.open(resolved);
    const text = new TextDecoder().decode(await file.read(0, MAX_BYTES));
    return text.slice(0, MAX_CHARACTERS).toWellFormed();
  } catch (error) {
    // Whoever made the workspace must not be able to stop every turn in it.
    if (error instanceof Failure) return undefined;
    throw error;
  }
}
