/** One use of the command line: from its arguments to its exit code. */
import { CommanderError } from 'commander';
import { Failure } from '../failure.ts';
import { describeCommands } from './commands.ts';
import { FAILED, FINE, UsageError, WRONG_USE } from './exit-code.ts';
import { note } from './print.ts';

/** Runs the command line and returns its exit code. */
export async function run(argv: readonly string[]): Promise<number> {
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
