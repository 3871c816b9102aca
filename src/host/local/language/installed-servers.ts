/**
 * Which server a file needs, and whether this machine has it. A program is found by name on the search path without
 * what a workspace could put there; only who wrote the settings may name one by its place.
 */
import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { LanguageState, NoAnswer } from '../../ports.ts';
import { cleanPath, type Environment } from '../sandbox/environment.ts';
import { findProgram, isExecutable } from '../find-program.ts';
import { type Companion, KNOWN_LANGUAGES, type KnownLanguage, type KnownServer } from './known-servers.ts';

/** What the settings say about a language. */
export interface LanguageSetting {
  readonly enabled?: boolean | undefined;
  /** A program, by name or place, and its arguments; a place that does not begin with `/` is in the workspace. */
  readonly command?: readonly string[] | undefined;
  readonly files?: Readonly<Record<string, string>> | undefined;
  readonly install?: string | undefined;
  readonly settings?: Readonly<Record<string, unknown>> | undefined;
}

export type LanguageSettings = Readonly<Record<string, LanguageSetting>>;

export interface SearchParts {
  /** The workspace in all its spellings, the real one first. */
  readonly roots: readonly [string, ...string[]];
  readonly environment: Environment;
  readonly settings: LanguageSettings;
}

export interface FoundServer {
  readonly language: string;
  readonly server: KnownServer;
  readonly command: readonly string[];
  /** The folder its program belongs to, which must be there in the sandbox, too. */
  readonly home: string;
  readonly note?: string | undefined;
  languageId(path: string): string;
}

export interface InstalledServers {
  /** The server for a file, or why there is none. */
  forFile(path: string): FoundServer | NoAnswer;
  states(): LanguageState[];
  /** A program that stands beside the servers. */
  program(name: string): string | undefined;
}

export function installedServers(parts: SearchParts): InstalledServers {
  const languages = withSettings(parts.settings);
  const path = cleanPath(parts.environment['PATH'], parts.roots);
  const program = (name: string): string | undefined => {
    if (name.includes('/')) return placed(name, parts.roots[0]);
    const found = findProgram(name, path, parts.roots);
    // A link on the search path may lead into the workspace all the same.
    return found !== undefined && !isBelow(realpathSync(found), parts.roots) ? found : undefined;
  };
  const find = (server: KnownServer): string | undefined => {
    const found = program(server.command[0]);
    return found !== undefined && isRecent(found, server) ? found : undefined;
  };
  const first = (language: KnownLanguage): { server: KnownServer; program?: string | undefined } => {
    for (const server of language.servers) {
      const found = find(server);
      if (found !== undefined) return { server, program: found };
    }
    return { server: language.servers[0]! };
  };
  const noteOn = ({ companion }: KnownServer): string | undefined =>
    companion === undefined || program(companion.program) !== undefined ? undefined : lacking(companion);
  return {
    program,
    forFile(file) {
      const language = languages.find(({ files }) => languageId(files, file) !== undefined);
      if (language === undefined) return unknownLanguage(file);
      const { server, program: found } = first(language);
      if (found === undefined) return notInstalled(language.name, server);
      return {
        language: language.name,
        server,
        command: [startable(found), ...server.command.slice(1)],
        home: homeOf(found),
        note: noteOn(server),
        languageId: (path) => languageId(language.files, path) ?? language.name,
      };
    },
    states: () =>
      languages.map((language) => {
        const { server, program: found } = first(language);
        return {
          language: language.name,
          server: server.name,
          program: found,
          install: installCommand(server.install),
          isExpected: language.isDefault === true,
          note: found === undefined ? undefined : noteOn(server),
        };
      }),
  };
}

function withSettings(settings: LanguageSettings): KnownLanguage[] {
  const known = KNOWN_LANGUAGES.map((language) => merged(language, settings[language.name]));
  const added = Object.entries(settings)
    .filter(([name]) => !KNOWN_LANGUAGES.some((language) => language.name === name))
    .map(([name, setting]) => merged({ name, files: {}, servers: [] }, setting));
  // What somebody wrote down counts before what is usual.
  return [...added, ...known].filter(
    ({ name, servers }) => servers.length > 0 && settings[name]?.enabled !== false,
  );
}

function merged(language: KnownLanguage, setting: LanguageSetting | undefined): KnownLanguage {
  if (setting === undefined) return language;
  const [usual] = language.servers;
  const [program, ...args] = setting.command ?? [];
  const install = setting.install === undefined ? usual?.install : { any: setting.install };
  const own: KnownServer | undefined =
    program === undefined
      ? undefined
      : {
          name: basename(program),
          command: [program, ...args],
          install: install ?? { any: `install ${program}` },
          settings: setting.settings,
          runsWorkspaceCode: true,
        };
  const others = language.servers.map((server) => ({
    ...server,
    settings: setting.settings ?? server.settings,
  }));
  return {
    ...language,
    files: { ...language.files, ...setting.files },
    servers: own === undefined ? others : [own],
    isDefault: setting.enabled ?? (own === undefined ? language.isDefault === true : true),
  };
}

function languageId(files: Readonly<Record<string, string>>, path: string): string | undefined {
  const name = basename(path);
  const end = name.lastIndexOf('.');
  const keys = [name, end < 0 ? '' : name.slice(end).toLowerCase()];
  return keys
    .map((key) => (Object.hasOwn(files, key) ? files[key] : undefined))
    .find((id) => id !== undefined);
}

/** A program that the settings name by its place. */
function placed(place: string, root: string): string | undefined {
  const path = place.startsWith('/') ? place : join(root, place);
  return isExecutable(path) ? path : undefined;
}

function isBelow(path: string, folders: readonly string[]): boolean {
  return folders.some((folder) => path.startsWith(`${folder}/`));
}

function isRecent(program: string, { minimumMajor }: KnownServer): boolean {
  if (minimumMajor === undefined) return true;
  const major = Number(/^(\d+)\./.exec(packageVersion(program) ?? '')?.[1] ?? 0);
  return major >= minimumMajor;
}

/** Of the npm package that a program belongs to; nothing is run to find out. */
function packageVersion(program: string): string | undefined {
  for (let folder = dirname(realpathSync(program)); folder !== '/'; folder = dirname(folder)) {
    try {
      const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
        version?: unknown;
      };
      if (typeof version === 'string') return version;
    } catch {
      // One further up may be the package.
    }
  }
  return undefined;
}

/** Some programs look at the name they were started by; those of npm are links out of a folder that may not be shown. */
function startable(program: string): string {
  const real = realpathSync(program);
  return real.includes('/node_modules/') ? real : program;
}

/** What was installed with a program: the outermost `node_modules`, an environment of Python, or its own folder. */
function homeOf(program: string): string {
  const real = realpathSync(program);
  const modules = real.indexOf('/node_modules/');
  if (modules > 0) return real.slice(0, modules + '/node_modules'.length);
  const folder = dirname(real);
  return existsSync(join(folder, '../pyvenv.cfg')) ? dirname(folder) : folder;
}

/** The command for this platform. */
export function installCommand({ any, debian, darwin }: KnownServer['install']): string {
  if (process.platform === 'darwin') return darwin ?? any;
  return process.platform === 'linux' && isDebian() ? (debian ?? any) : any;
}

function isDebian(): boolean {
  try {
    return readFileSync('/etc/debian_version').length > 0;
  } catch {
    return false;
  }
}

function lacking({ program, install, without }: Companion): string {
  return `${program} is not installed, so ${without}. Install it: ${installCommand(install)}`;
}

function unknownLanguage(path: string): NoAnswer {
  const name = JSON.stringify(basename(path));
  return { status: 'unsupported', says: `No language server is known for files like ${name}.` };
}

function notInstalled(language: string, server: KnownServer): NoAnswer {
  return {
    status: 'not_installed',
    language,
    server: server.name,
    says: `The language server ${server.name} for ${language} is not installed.`,
    install: installCommand(server.install),
  };
}
