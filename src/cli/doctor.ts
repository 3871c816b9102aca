/** `handrail doctor`: what is here, what is missing, and how to install it. Looks at the machine; runs nothing that a workspace chose. */
import { existsSync } from 'node:fs';
import { effectiveSettings } from '../config/effective.ts';
import { type LoadedConfig, userConfigFile } from '../config/load.ts';
import { openAudit } from './open-audit.ts';
import { Failure } from '../failure.ts';
import { localHost } from '../host/local/host.ts';
import { installedServers } from '../host/local/language/installed-servers.ts';
import { runProcess } from '../host/local/run-process.ts';
import type { LanguageState } from '../host/ports.ts';
import { FAILED, FINE } from './exit-code.ts';
import { print, printJson } from './print.ts';
import { readSettings } from './read-settings.ts';
import type { Surroundings } from './surroundings.ts';

interface Check {
  readonly name: string;
  readonly state: 'ok' | 'missing' | 'broken';
  readonly detail: string;
  readonly fix?: string;
}

/** Programs that some feature uses; none is needed for the rest to work. */
const PROGRAMS: readonly { readonly name: string; readonly fix: string }[] = [
  { name: 'git', fix: 'apt-get install git' },
];

/** Checks everything; broken parts, not missing optional ones, make it fail. */
export async function doctor(
  options: { readonly workspace?: string; readonly json?: boolean },
  surroundings: Surroundings,
): Promise<number> {
  const checks = await lookAround(options.workspace ?? surroundings.folder, surroundings);
  if (options.json === true) printJson(checks, surroundings.isTerminal);
  else print(checkList(checks));
  return checks.some(({ state }) => state === 'broken') ? FAILED : FINE;
}

/** Every check there is. */
export async function lookAround(workspace: string, surroundings: Surroundings): Promise<Check[]> {
  const { locations } = surroundings;
  return [
    { name: 'node', state: 'ok', detail: process.versions.node },
    await check('workspace', async () => {
      const { host, roots } = localHost(workspace, locations.home);
      return `${roots[0]}, contained by ${host.containment}`;
    }),
    await checkSandbox(workspace, surroundings),
    await check('settings', async () => {
      const { projectState, problem } = await readSettings(workspace, locations);
      if (problem !== undefined) throw problem;
      const file = userConfigFile(locations);
      return `${existsSync(file) ? file : `none of yours (${file})`}; ${PROJECT_SETTINGS[projectState]}`;
    }),
    await check('audit', async () => {
      await using audit = openAudit(locations);
      const reports = await audit.reader.verify();
      const broken = reports.find(({ problem }) => problem !== undefined);
      if (broken === undefined)
        return `${locations.state}, ${reports.length === 1 ? '1 chain holds' : `${reports.length} chains hold`}`;
      throw new Failure(
        'E_IO',
        `chain ${broken.chain}, line ${broken.problem!.line}: ${broken.problem!.what}`,
      );
    }),
    ...(await Promise.all(PROGRAMS.map(checkProgram))),
    ...(await checkLanguages(workspace, surroundings)),
  ];
}

/** Checks as people read them. */
export function checkList(checks: readonly Check[]): string {
  return checks
    .map(
      ({ name, state, detail, fix }) =>
        `${MARKS[state]} ${name.padEnd(10)} ${detail}${fix === undefined ? '' : `\n  → ${fix}`}`,
    )
    .join('\n');
}

const PROJECT_SETTINGS: Readonly<Record<LoadedConfig['projectState'], string>> = {
  none: 'the workspace has none of its own',
  trusted: "the workspace's own are trusted",
  'not-trusted': "the workspace's own are not trusted and do not count",
  unfit: "the workspace's own can't be trusted and do not count",
};

const MARKS = { ok: '✓', missing: '–', broken: '✗' } as const;

async function check(name: string, look: () => Promise<string>): Promise<Check> {
  try {
    return { name, state: 'ok', detail: await look() };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return {
      name,
      state: 'broken',
      detail: error.message,
      ...(error.hint === undefined ? {} : { fix: error.hint }),
    };
  }
}

/** Tries it with the real thing, in the workspace. */
async function checkSandbox(workspace: string, { locations, environment }: Surroundings): Promise<Check> {
  const name = 'sandbox';
  try {
    const { state, config, home } = locations;
    using host = localHost(workspace, home, { state, config, environment }).host;
    const { tier, says, undoSays, hint } = await host.commands.sandbox();
    const detail = `${tier}: ${says} ${undoSays}`;
    return {
      name,
      state: tier === 'C' ? 'missing' : 'ok',
      detail,
      ...(hint === undefined ? {} : { fix: hint }),
    };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return { name, state: 'broken', detail: error.message };
  }
}

/** The language servers that are expected, and what is there besides. */
async function checkLanguages(workspace: string, { locations, environment }: Surroundings): Promise<Check[]> {
  try {
    const { languages } = effectiveSettings(await readSettings(workspace, locations));
    const { host, roots } = localHost(workspace, locations.home);
    using _host = host;
    const states = installedServers({ roots, environment, settings: languages.servers }).states();
    const others = states.filter(({ isExpected }) => !isExpected);
    const ready = named(others.filter(({ program }) => program !== undefined));
    const missing = named(others.filter(({ program }) => program === undefined));
    return [
      ...states.filter(({ isExpected }) => isExpected).map(checkLanguage),
      { name: 'languages', state: 'ok', detail: `ready besides: ${ready}; not installed: ${missing}` },
    ];
  } catch (error) {
    // What is wrong with the workspace or the settings is said above.
    if (error instanceof Failure) return [];
    throw error;
  }
}

function named(states: readonly LanguageState[]): string {
  return states.map(({ language, server }) => `${language} (${server})`).join(', ') || 'none';
}

function checkLanguage({ language, server, program, install, note }: LanguageState): Check {
  const name = `lsp ${language}`;
  if (program === undefined)
    return { name, state: 'missing', detail: `${server} is not installed`, fix: install };
  return { name, state: 'ok', detail: `${server}, ${program}`, ...(note === undefined ? {} : { fix: note }) };
}

async function checkProgram({ name, fix }: (typeof PROGRAMS)[number]): Promise<Check> {
  try {
    const { stdout } = await runProcess({
      program: name,
      args: ['--version'],
      // Away from the workspace: a version must be asked without its files in reach.
      cwd: '/',
      env: { PATH: '/usr/local/bin:/usr/bin:/bin', LC_ALL: 'C' },
      timeoutMs: 5_000,
      maxOutputBytes: 4_096,
      keep: 'tail',
    });
    return { name, state: 'ok', detail: Buffer.from(stdout).toString().trim() };
  } catch {
    return { name, state: 'missing', detail: 'not installed; what needs it will say so', fix };
  }
}
