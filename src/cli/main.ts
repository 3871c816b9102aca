/** The `handrail` command. Each subcommand's work is loaded only when it is called. */
import { Command, CommanderError, Option } from 'commander';
import { Failure } from '../failure.ts';
import { MODES } from '../policy/decide.ts';
import { FAILED, FINE, UsageError, WRONG_USE } from './exit-code.ts';
import { note } from './print.ts';
import { readSurroundings } from './surroundings.ts';
import { ownVersion } from './version.ts';

/** Runs the command line and returns its exit code. */
export async function main(argv: readonly string[]): Promise<number> {
  let exitCode = FINE;
  const program = describeCommands((code) => (exitCode = code));
  if (argv.length === 0) {
    program.outputHelp();
    return FINE;
  }
  try {
    await program.parseAsync(argv, { from: 'user' });
    return exitCode;
  } catch (error) {
    return explain(error);
  }
}

function explain(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? FINE : WRONG_USE;
  if (error instanceof UsageError) {
    note(`handrail: ${error.message}`);
    return WRONG_USE;
  }
  if (error instanceof Failure) {
    note(`handrail: ${error.message}${error.hint === undefined ? '' : `\n  ${error.hint}`}`);
    return error.code === 'E_INVALID_ARGS' ? WRONG_USE : FAILED;
  }
  throw error;
}

function describeCommands(setExitCode: (code: number) => void): Command {
  const program = new Command('handrail')
    .description('The tool runtime for coding agents: every tool behind one policy and one audit log.')
    .version(ownVersion(), '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .configureHelp({ showGlobalOptions: true })
    .showSuggestionAfterError(true)
    .exitOverride();
  addCall(program, setExitCode);
  addTools(program);
  addAudit(program, setExitCode);
  addDoctor(program, setExitCode);
  addServe(program);
  program.addHelpText(
    'after',
    '\nTry: handrail tools · handrail call read \'{"path":"README.md"}\' · handrail audit list',
  );
  return program;
}

const dialectOption = (): Option =>
  new Option('--dialect <name>', 'the dialect to speak').default('handrail');
const workspaceOption = (): Option =>
  new Option('--workspace <folder>', 'the workspace (default: the current folder)');
const modeOption = (): Option =>
  new Option('--mode <mode>', 'how much is asked').choices(MODES).default('ask');
const jsonOption = (): Option => new Option('--json', 'print JSON');

function addCall(program: Command, setExitCode: (code: number) => void): void {
  program
    .command('call')
    .description('call one tool; prints the reply of the dialect as JSON')
    .argument('<tool>', 'the tool, or - for a whole ToolCallRequest on stdin')
    .argument('[json]', 'its arguments as a JSON object, or - to read them from stdin', '{}')
    .addOption(dialectOption())
    .addOption(workspaceOption())
    .addOption(modeOption())
    .option('--yes', "answer this call's question with yes, once; never overrides a deny")
    .option('--session <id>', 'the session the call belongs to')
    .addHelpText(
      'after',
      '\nExit codes: 0 ok, 1 failed, 2 wrong usage, 3 denied.\nExample: handrail call write \'{"path":"notes.txt","content":"hello\\n"}\' --yes',
    )
    .action(async (tool: string, json: string, options) => {
      const { call } = await import('./call.ts');
      setExitCode(await call({ tool, json, ...options }, readSurroundings()));
    });
}

function addTools(program: Command): void {
  program
    .command('tools')
    .description('list the tools of a dialect')
    .addOption(dialectOption())
    .addOption(modeOption())
    .addOption(jsonOption())
    .action(async (options) => {
      const { tools } = await import('./tools.ts');
      tools(options, readSurroundings());
    });
}

function addAudit(program: Command, setExitCode: (code: number) => void): void {
  const audit = program.command('audit').description('the record of every call');
  audit
    .command('list', { isDefault: true })
    .description('the newest calls of the workspace')
    .addOption(workspaceOption())
    .option('--all', 'of every workspace')
    .option('--limit <n>', 'how many', '20')
    .addOption(jsonOption())
    .action(async (options) => {
      const { auditList } = await import('./audit.ts');
      await auditList(options, readSurroundings());
    });
  audit
    .command('show')
    .description('all lines of one call')
    .argument('<call>', 'its id, as `audit list` prints it')
    .action(async (id: string) => {
      const { auditShow } = await import('./audit.ts');
      setExitCode(await auditShow(id, readSurroundings()));
    });
  audit
    .command('verify')
    .description('check every hash chain from its first line to its anchor')
    .addOption(jsonOption())
    .action(async (options) => {
      const { auditVerify } = await import('./audit.ts');
      setExitCode(await auditVerify(options, readSurroundings()));
    });
}

function addDoctor(program: Command, setExitCode: (code: number) => void): void {
  program
    .command('doctor')
    .description('what is here, what is missing, and how to install it')
    .addOption(workspaceOption())
    .addOption(jsonOption())
    .action(async (options) => {
      const { doctor } = await import('./doctor.ts');
      setExitCode(await doctor(options, readSurroundings()));
    });
}

function addServe(program: Command): void {
  program
    .command('serve')
    .description('serve a status page on loopback, behind a token')
    .addOption(workspaceOption())
    .addOption(dialectOption())
    .option('--port <n>', 'the port (default: 4870, or a free one where that is taken)')
    .option('--host <address>', 'the address to listen on', '127.0.0.1')
    .action(async (options) => {
      const { serve } = await import('./serve.ts');
      await serve(options, readSurroundings());
    });
}
