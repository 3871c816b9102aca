/** The machine's own language servers over a workspace, and a server that behaves as a test wants it to. */
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { localFiles } from '../../src/host/local/files.ts';
import type { LanguageSettings } from '../../src/host/local/language/installed-servers.ts';
import { type LanguageParts, localLanguageServers } from '../../src/host/local/language/language-servers.ts';
import { pinRoot } from '../../src/host/local/root.ts';
import { localSearch } from '../../src/host/local/search.ts';
import type { LanguageRequest, LanguageServers, PositionRequest } from '../../src/host/ports.ts';
import { CONFINED, commandsIn } from './commands.ts';
import type { TempWorkspace } from './temp-workspace.ts';

const ODD_SERVER = join(import.meta.dirname, '../host/local/language/fixtures/odd-server.js');

export interface TestLanguages extends LanguageServers {
  /** Of all servers that run. */
  memory(): number;
  /** A question about a file. */
  about(path: string, signal?: AbortSignal): LanguageRequest;
  at(path: string, line: number, character: number): PositionRequest;
}

/** Language servers over a workspace; disposing them ends their commands, too. */
export function languagesIn(
  workspace: TempWorkspace,
  { limits, settings = {} }: Pick<Partial<LanguageParts>, 'limits' | 'settings'> = {},
): TestLanguages {
  const root = pinRoot(workspace.root, workspace.locations.home);
  const environment = { PATH: process.env['PATH'] };
  const commands = commandsIn(workspace, { environment });
  const languages = localLanguageServers({
    files: localFiles(root),
    search: localSearch(root),
    commands,
    roots: root.roots,
    environment,
    settings,
    ...(limits === undefined ? {} : { limits }),
  });
  const about = (path: string, signal = new AbortController().signal): LanguageRequest => ({
    path,
    signal,
    confine: async () => CONFINED,
  });
  return {
    ...languages,
    about,
    at: (path, line, character) => ({ ...about(path), position: { line, character } }),
    async [Symbol.asyncDispose]() {
      await languages[Symbol.asyncDispose]();
      commands[Symbol.dispose]();
      root[Symbol.dispose]();
    },
  };
}

/** Settings with a server for `.odd` files that does what the words say; it stands in the workspace. */
export function oddServer(workspace: TempWorkspace, ...words: readonly string[]): LanguageSettings {
  copyFileSync(ODD_SERVER, join(workspace.root, 'server.cjs'));
  return {
    odd: {
      command: [process.execPath, join(workspace.root, 'server.cjs'), ...words],
      files: { '.odd': 'odd' },
      install: 'make odd',
    },
  };
}
