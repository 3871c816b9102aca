/** Programs that look at one file, for where no language server is installed. The text comes by stdin; nothing is changed. */
import type {
  Answer,
  Commands,
  Confinement,
  Diagnostic,
  DiagnosticReport,
  Files,
  LanguageRequest,
  Severity,
} from '../../ports.ts';
import { z } from 'zod';
import type { FoundServer, InstalledServers } from './installed-servers.ts';
import { readText } from './read-text.ts';

interface Linter {
  readonly name: string;
  readonly endings: readonly string[];
  readonly args: readonly string[];
  /** What it found; undefined where its output is not what it should be. */
  read(output: string): Diagnostic[] | undefined;
}

export interface LintParts {
  readonly files: Files;
  readonly commands: Commands;
  readonly installed: InstalledServers;
  confinementOf(found: Pick<FoundServer, 'home' | 'server'>, given: Confinement): Confinement;
}

const TIMEOUT_MS = 20_000;
const MAX_OUTPUT_BYTES = 4 * 1024 * 1024;

const shellcheckComments = z.object({
  comments: z.array(
    z.object({
      line: z.int(),
      endLine: z.int(),
      column: z.int(),
      endColumn: z.int(),
      level: z.enum(['error', 'warning', 'info', 'style']),
      code: z.int(),
      message: z.string(),
    }),
  ),
});
const SHELLCHECK_LEVELS = { error: 'error', warning: 'warning', info: 'information', style: 'hint' } as const;

const ruffFindings = z.array(
  z.object({
    code: z.string().nullable(),
    message: z.string(),
    location: z.object({ row: z.int(), column: z.int() }),
    end_location: z.object({ row: z.int(), column: z.int() }),
  }),
);

const LINTERS: readonly Linter[] = [
  {
    name: 'shellcheck',
    endings: ['.sh', '.bash'],
    args: ['--norc', '--format=json1', '-'],
    read: (output) =>
      shellcheckComments
        .safeParse(json(output))
        .data?.comments.map(({ line, column, endLine, endColumn, level, code, message }) =>
          found(line, column, SHELLCHECK_LEVELS[level], message, { endLine, endColumn, code: `SC${code}` }),
        ),
  },
  {
    name: 'ruff',
    endings: ['.py', '.pyi'],
    args: ['check', '--isolated', '--no-cache', '--output-format=json', '-'],
    read: (output) =>
      ruffFindings.safeParse(json(output)).data?.map(({ code, message, location, end_location: end }) =>
        found(location.row, location.column, 'warning', message, {
          endLine: end.row,
          endColumn: end.column,
          ...(code === null ? {} : { code }),
        }),
      ),
  },
  ...['pyflakes', 'pyflakes3'].map((name) => ({
    name,
    endings: ['.py', '.pyi'],
    args: [],
    read: (output: string) =>
      [...output.matchAll(/^<stdin>:(\d+):(\d+):? (.*)$/gm)].map(([, line, column, message]) =>
        found(Number(line), Number(column), 'warning', message!),
      ),
  })),
];

/** By the first linter that is installed. */
export async function lintFile(
  request: LanguageRequest,
  parts: LintParts,
): Promise<Answer<DiagnosticReport>> {
  const { path, signal } = request;
  const fitting = LINTERS.filter(({ endings }) => endings.some((ending) => path.endsWith(ending)));
  for (const linter of fitting) {
    const program = parts.installed.program(linter.name);
    if (program !== undefined) return lintBy(linter, program);
  }
  const says =
    fitting.length === 0
      ? 'No linter is known for such a file.'
      : `None of the linters for it is installed (${fitting.map(({ name }) => name).join(', ')}).`;
  return { status: fitting.length === 0 ? 'unsupported' : 'not_installed', says };

  async function lintBy(linter: Linter, program: string): Promise<Answer<DiagnosticReport>> {
    const { text } = await readText(parts.files, path);
    const home = program.slice(0, program.lastIndexOf('/'));
    const server = { name: linter.name, command: [program], install: { any: '' } } as const;
    const ran = await parts.commands.run({
      program,
      args: linter.args,
      directory: '.',
      env: {},
      stdin: text,
      timeoutMs: TIMEOUT_MS,
      maxOutputBytes: MAX_OUTPUT_BYTES,
      keep: 'head-and-tail',
      confinement: parts.confinementOf({ home, server }, await request.confine()),
      signal,
    });
    const output = Buffer.concat([ran.stdout, linter.name.startsWith('pyflakes') ? ran.stderr : Buffer.of()]);
    const diagnostics = ran.exitCode > 2 ? undefined : linter.read(output.toString());
    const about = { language: linter.endings[0]!.slice(1), server: linter.name };
    if (diagnostics === undefined)
      return {
        status: 'error',
        ...about,
        says: `${linter.name} failed (${ran.exitCode}).`,
        timedOut: ran.timedOut,
      };
    return { status: 'active', ...about, value: { diagnostics, leftOut: 0 } };
  }
}

/** From lines and columns that are counted from 1. */
function found(
  line: number,
  column: number,
  severity: Severity,
  message: string,
  { endLine = line, endColumn = column, code }: { endLine?: number; endColumn?: number; code?: string } = {},
): Diagnostic {
  const at = (row: number, place: number) => ({
    line: Math.max(0, row - 1),
    character: Math.max(0, place - 1),
  });
  return {
    range: { start: at(line, column), end: at(endLine, endColumn) },
    severity,
    message,
    ...(code === undefined ? {} : { code }),
  };
}

function json(output: string): unknown {
  try {
    return JSON.parse(output);
  } catch {
    return undefined;
  }
}
