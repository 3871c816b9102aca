/** Language servers on this machine: each question to the server of its file's language, each answer in our own words. */
import { randomUUID } from 'node:crypto';
import { Failure } from '../../../failure.ts';
import type {
  Answer,
  CodeSymbol,
  Commands,
  Confinement,
  Files,
  LanguageRequest,
  LanguageServers,
  PositionRequest,
  Search,
  TextPlace,
  TextRange,
} from '../../ports.ts';
import type { Environment } from '../sandbox/environment.ts';
import { applyEdits } from './apply-edits.ts';
import { fileUris } from './file-uri.ts';
import { type FoundServer, installedServers, type LanguageSettings } from './installed-servers.ts';
import { LanguageServer, type ServerLimits } from './language-server.ts';
import { lintFile } from './linters.ts';
import {
  documentSymbolsMessage,
  hoverMessage,
  locationsMessage,
  type ServerCapabilities,
  symbolKind,
  type SymbolMessage,
  workspaceEditMessage,
  workspaceSymbolsMessage,
} from './server-messages.ts';
import { type PoolLimits, ServerPool } from './server-pool.ts';
import { ServerTrouble } from './server-trouble.ts';
import { WatchedTree } from './watched-tree.ts';

export interface LanguageParts {
  readonly files: Files;
  readonly search: Search;
  readonly commands: Commands;
  /** The workspace in all its spellings, the real one first. */
  readonly roots: readonly [string, ...string[]];
  readonly environment: Environment;
  readonly settings: LanguageSettings;
  readonly limits?: Partial<PoolLimits & ServerLimits>;
}

const LIMITS: PoolLimits & ServerLimits = {
  idleMs: 600_000,
  memoryBytes: 2 * 1024 ** 3,
  lookMs: 10_000,
  firstPauseMs: 1_000,
  startMs: 20_000,
  firstAnswerMs: 30_000,
  answerMs: 10_000,
  listenMs: 5_000,
};

const MAX_DIAGNOSTICS = 1_000;
const MAX_HOVER_CHARACTERS = 20_000;

type Capability = Exclude<keyof ServerCapabilities, 'positionEncoding'>;

export function localLanguageServers(parts: LanguageParts): LanguageServers & { memory(): number } {
  const { files, search, commands, roots } = parts;
  const limits = { ...LIMITS, ...parts.limits };
  const installed = installedServers(parts);
  const uris = fileUris(roots[0]);
  const pool = new ServerPool({
    limits,
    watch: () => WatchedTree.over(roots[0], search),
    start: async (found, confinement) =>
      LanguageServer.start({
        found,
        commands,
        files,
        uris,
        limits,
        confinement: confinementOf(found, confinement),
        env: (await commands.sandbox()).tier === 'C' ? {} : OWN_CACHES,
      }),
  });
  const place = (uri: string, range: TextRange): TextPlace => ({ uri, path: uris.pathOf(uri), range });
  const asking = async <Value>(
    request: LanguageRequest,
    work: (server: LanguageServer) => Promise<Value>,
    capability?: Capability,
  ): Promise<Answer<Value>> => {
    await refuseOtherThanFile(files, request.path);
    const found = installed.forFile(request.path);
    if ('status' in found) return found;
    const about = { language: found.language, server: found.server.name };
    try {
      const value = await pool.use(found, request.confine, async (server) => {
        if (capability !== undefined && !server.can(capability)) throw unable(capability);
        return work(server);
      });
      return { status: 'active', ...about, value, ...(found.note === undefined ? {} : { note: found.note }) };
    } catch (error) {
      if (error instanceof ServerTrouble) return error.toAnswer(about);
      // It could not be started; what is wrong with a file is for the caller.
      if (error instanceof Failure && (error.code === 'E_EXEC' || error.code === 'E_UNSUPPORTED'))
        return { status: 'error', ...about, says: error.message };
      throw error;
    }
  };
  const places = (request: PositionRequest, method: string, capability: Capability, extra: object = {}) =>
    asking(
      request,
      async (server) => {
        const found = await server.ask(
          request.path,
          method,
          { position: request.position, ...extra },
          locationsMessage,
          request.signal,
        );
        return found.map(({ uri, range }) => place(uri, range));
      },
      capability,
    );
  return {
    diagnostics: (request) =>
      asking(request, async (server) => {
        const { now, before } = await server.diagnose(request.path, request.signal);
        return {
          diagnostics: now.slice(0, MAX_DIAGNOSTICS),
          leftOut: Math.max(0, now.length - MAX_DIAGNOSTICS),
          before,
        };
      }),
    lint: (request) => lintFile(request, { files, commands, installed, confinementOf }),
    definition: (request) => places(request, 'textDocument/definition', 'definitionProvider'),
    references: (request) =>
      places(request, 'textDocument/references', 'referencesProvider', {
        context: { includeDeclaration: true },
      }),
    hover: (request) =>
      asking(
        request,
        async (server) => {
          const { position, path, signal } = request;
          const hover = await server.ask(path, 'textDocument/hover', { position }, hoverMessage, signal);
          return hover && { ...hover, contents: hover.contents.slice(0, MAX_HOVER_CHARACTERS) };
        },
        'hoverProvider',
      ),
    documentSymbols: (request) =>
      asking(
        request,
        async (server) => {
          const { path, signal } = request;
          const found = await server.ask(
            path,
            'textDocument/documentSymbol',
            {},
            documentSymbolsMessage,
            signal,
          );
          return (found ?? []).flatMap((symbol) =>
            'location' in symbol ? flat(symbol) : nested(symbol, uris.of(path)),
          );
        },
        'documentSymbolProvider',
      ),
    workspaceSymbols: (request) =>
      asking(
        request,
        async (server) => {
          const { path, query, signal } = request;
          const found = await server.ask(
            path,
            'workspace/symbol',
            { query },
            workspaceSymbolsMessage,
            signal,
          );
          return (found ?? []).flatMap(flat);
        },
        'workspaceSymbolProvider',
      ),
    rename: (request) =>
      asking(
        request,
        async (server) => {
          const { path, position, name, signal } = request;
          const params = { position, newName: name };
          const edits = await server.ask(path, 'textDocument/rename', params, workspaceEditMessage, signal);
          return applyEdits(edits, files, uris);
        },
        'renameProvider',
      ),
    noticed: (changes) => pool.notice(changes),
    memory: () => pool.memory(),
    [Symbol.asyncDispose]: () => pool[Symbol.asyncDispose](),
  };

  function flat({ name, kind, containerName, location: { uri, range = START } }: FlatSymbol): CodeSymbol[] {
    return [symbolOf(name, kind, containerName, place(uri, range))];
  }

  function nested(symbol: SymbolMessage, uri: string, container?: string): CodeSymbol[] {
    const { name, kind, selectionRange, children } = symbol;
    return [
      symbolOf(name, kind, container, place(uri, selectionRange)),
      ...(children ?? []).flatMap((child) => nested(child, uri, name)),
    ];
  }
}

interface FlatSymbol {
  readonly name: string;
  readonly kind: number;
  readonly containerName?: string | null | undefined;
  readonly location: { readonly uri: string; readonly range?: TextRange | undefined };
}

const START: TextRange = { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } };

/** What is not there has no language either. */
async function refuseOtherThanFile(files: Files, path: string): Promise<void> {
  const { kind } = await files.stat(path);
  if (kind !== 'file') throw new Failure('E_NOT_FILE', `${JSON.stringify(path)} is not a file.`);
}

/** Away from the caches of commands, which others fill. */
const OWN_CACHES: Readonly<Record<string, string>> = {
  XDG_CACHE_HOME: '/tmp/cache',
  XDG_DATA_HOME: '/tmp/data',
};

/** Read-only, without a network, and each with a `/tmp` that nobody else ever had. */
function confinementOf(found: Pick<FoundServer, 'home' | 'server'>, given: Confinement): Confinement {
  return {
    ...given,
    isReadOnly: true,
    frozen: [],
    hosts: [],
    shown: [found.home],
    session: `language-server:${randomUUID()}`,
    ...(found.server.runsWorkspaceCode === true && given.minimum !== 'A' ? { minimum: 'A-' as const } : {}),
  };
}

function symbolOf(
  name: string,
  kind: number,
  container: string | null | undefined,
  place: TextPlace,
): CodeSymbol {
  return {
    name,
    kind: symbolKind(kind),
    ...(container === undefined || container === null || container === '' ? {} : { container }),
    place,
  };
}

function unable(capability: Capability): ServerTrouble {
  const what = capability.replace(/Provider$/, '');
  return new ServerTrouble(`It does not offer this (${what}).`, { status: 'unsupported' });
}
