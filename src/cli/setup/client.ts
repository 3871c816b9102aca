/** A client of Handrail as data: which files, which keys, what stays on. The engine knows no client by name. */
import type { Change, Value } from './change.ts';

/** The MCP server that a client is to start. */
export interface Server {
  readonly command: string;
  readonly args: readonly string[];
  /** The names of its tools, for clients that allow them one by one. */
  readonly tools: readonly string[];
}

/** A folder of the user, which a variable of the environment may name instead. */
export interface UserFolder {
  /** Below the home. */
  readonly path: string;
  readonly variable?: string;
}

export interface UserPlace {
  readonly folder: UserFolder;
  readonly name: string;
}

export interface ClientSettings {
  readonly files: readonly FileChanges[];
  /** What it takes besides, or what stays on: sentences. */
  readonly remarks: readonly string[];
}

export interface FileChanges {
  /** Where the names are; without it, in the workspace. */
  readonly folder?: UserFolder;
  /** The last one that is there is edited; where none is, the first one is made. */
  readonly names: readonly [string, ...string[]];
  readonly changes: readonly Change[];
}

export interface Client {
  readonly title: string;
  /** It seems installed where one of these programs, or what it leaves in the user's folders, is there. */
  readonly programs: readonly string[];
  readonly trace: UserPlace;
  /** For one workspace. */
  readonly workspace: (server: Server) => ClientSettings;
  /** For every folder that the user works in. */
  readonly user: (server: Server) => ClientSettings;
}

export const NAME = 'handrail';
/** A person may take their time: longer than a question stays open. */
export const ANSWER_SECONDS = 600;
export const CONFIG: UserFolder = { path: '.config', variable: 'XDG_CONFIG_HOME' };

/** Handrail as one of a client's servers. */
export const serverAt = (where: string, value: Value): Change => ({ at: [where, NAME], value });
export const commandOf = ({ command, args }: Server): { command: string; args: readonly string[] } => ({
  command,
  args,
});
export const stdio = (server: Server): Value => ({ type: 'stdio', ...commandOf(server) });
