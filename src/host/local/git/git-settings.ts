/**
 * What of the settings of git counts: what says how files, names and differences are read, and who commits. Everything
 * that names a program, a host or another place is left out, and so is whatever is not known here.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Failure } from '../../../failure.ts';
import type { GitPrograms } from '../../ports.ts';

/** A setting by its name, section and key in lower case; one without a value is switched on. */
export type GitSetting = readonly [name: string, value: string | undefined];

const NAMES: readonly RegExp[] = [
  /^core\.(?:repositoryformatversion|filemode|symlinks|ignorecase|precomposeunicode|autocrlf|eol|safecrlf|quotepath|abbrev|checkstat|trustctime|bigfilethreshold|sparsecheckout|sparsecheckoutcone|untrackedcache|preloadindex|multipackindex|commitgraph|whitespace|protecthfs|protectntfs|checkroundtripencoding|compression|loosecompression|logallrefupdates|usereplacerefs|splitindex|sharedrepository)$/,
  /^diff\.(?:algorithm|context|interhunkcontext|indentheuristic|renames|renamelimit|suppressblankempty)$/,
  /^diff\..+\.(?:xfuncname|funcname|binary|algorithm)$/s,
  /^status\.(?:renames|renamelimit|showuntrackedfiles)$/,
  /^index\.(?:version|threads|sparse|skiphash|recordendofindexentries|recordoffsettable)$/,
  /^merge\.(?:renames|renamelimit|conflictstyle|directoryrenames)$/,
  /^log\.(?:showroot|mailmap)$/,
  /^(?:user|author|committer)\.(?:name|email)$/,
  /^i18n\.commitencoding$/,
  /^feature\.manyfiles$/,
  /^branch\..+\.(?:remote|merge)$/s,
  /^remote\..+\.fetch$/s,
];
/** Without them the repository would be read wrongly. */
const EXTENSIONS =
  /^extensions\.(?:objectformat|compatobjectformat|refstorage|preciousobjects|noop|noop-v1)$/;
/** Those that are dealt with here, or say nothing about how it is read. */
const OTHER_EXTENSIONS =
  /^extensions\.(?:worktreeconfig|partialclone|relativeworktrees|submodulepathconfig)$/;

/** Programs that take part in commits and checkouts, where a person wants them to. */
const PROGRAMS = /^(?:core\.hookspath|filter\..+\.(?:clean|smudge|process|required))$/s;
const FILTER = /^filter\.(.+)\.(?:clean|smudge|process)$/s;

const NO_HOOKS: GitSetting = ['core.hookspath', '/dev/null'];
/** What holds whatever anybody wrote. */
const OWN_SETTINGS: readonly GitSetting[] = [
  ['core.bare', 'false'],
  ['core.fsmonitor', 'false'],
  ['core.editor', 'false'],
  ['core.askpass', 'false'],
  ['core.pager', 'cat'],
  ['protocol.allow', 'never'],
  ['gc.auto', '0'],
  ['maintenance.auto', 'false'],
  ['commit.gpgsign', 'false'],
  ['submodule.recurse', 'false'],
  ['diff.ignoresubmodules', 'dirty'],
  ['safe.barerepository', 'explicit'],
];

const MAX_OUTPUT_BYTES = 16 * 1024 * 1024;
const TIMEOUT_MS = 10_000;

/** Reads settings as git does; a text is read from there, and what it would include is not. */
export async function listSettings(
  git: string,
  env: Readonly<Record<string, string>>,
  text?: string,
): Promise<GitSetting[]> {
  const source = text === undefined ? ['--includes'] : ['--file', '-', '--no-includes'];
  const child = spawn(git, ['config', '--null', '--list', ...source], {
    // Away from the workspace: nothing of it is looked at.
    cwd: '/',
    env: { ...env, GIT_DIR: '/nonexistent', LC_ALL: 'C' },
    stdio: ['pipe', 'pipe', 'pipe'],
    timeout: TIMEOUT_MS,
  });
  const output: Buffer[] = [];
  let [bytes, said] = [0, ''];
  child.stdout.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > MAX_OUTPUT_BYTES) child.kill('SIGKILL');
    else output.push(chunk);
  });
  child.stderr.on('data', (chunk: Buffer) => (said = (said + chunk.toString()).slice(0, 500)));
  child.stdin.on('error', () => {}).end(text ?? '');
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new Failure('E_GIT', `The settings of git can't be read: ${said.trim()}`);
  return Buffer.concat(output).toString().split('\0').slice(0, -1).map(toSetting);
}

function toSetting(item: string): GitSetting {
  const end = item.indexOf('\n');
  return end === -1 ? [item, undefined] : [item.slice(0, end), item.slice(end + 1)];
}

/** The settings file that runs get, from the user's settings and the repository's. */
export function harmlessSettings(
  settings: readonly GitSetting[],
  files: Readonly<Record<'excludes' | 'attributes', string>>,
  { runsPrograms }: GitPrograms,
): string {
  const unknown = settings.find(
    ([name]) => name.startsWith('extensions.') && !EXTENSIONS.test(name) && !OTHER_EXTENSIONS.test(name),
  );
  if (unknown !== undefined)
    throw new Failure('E_UNSUPPORTED', `The repository uses ${unknown[0]}, which is not known here.`);
  const kept = settings.filter(
    ([name]) =>
      EXTENSIONS.test(name) ||
      NAMES.some((pattern) => pattern.test(name)) ||
      (runsPrograms && PROGRAMS.test(name)),
  );
  return [
    ...kept,
    ...OWN_SETTINGS,
    ...(runsPrograms ? [] : [NO_HOOKS]),
    ['core.excludesfile', files.excludes] as const,
    ['core.attributesfile', files.attributes] as const,
  ]
    .map(written)
    .join('');
}

/** The filters that settings name. */
export function filtersIn(settings: readonly GitSetting[]): Set<string> {
  return new Set(settings.flatMap(([name]) => FILTER.exec(name)?.[1] ?? []));
}

/** One setting as a file has it. */
function written([name, value]: GitSetting): string {
  const [, section = '', subsection, key = ''] = /^([^.]+)\.(?:(.*)\.)?([^.]+)$/s.exec(name) ?? [];
  const head = subsection === undefined ? section : `${section} "${subsection.replaceAll(/[\\"]/g, '\\$&')}"`;
  return `[${head}]\n\t${key}${value === undefined ? '' : ` = "${escaped(value)}"`}\n`;
}

function escaped(value: string): string {
  return value.replaceAll(/[\\"]/g, '\\$&').replaceAll('\n', '\\n').replaceAll('\t', '\\t');
}
