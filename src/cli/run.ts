/** One use of the command line: from its arguments to its exit code. */
import { CommanderError } from 'commander';
import { describeCommands } from './commands.ts';
import { FINE, WRONG_USE } from './exit-code.ts';
import { explain } from './explain.ts';

/** Runs the command line and returns its exit code. */
export async function run(argv: readonly string[]): Promise<number> {
  process.stdout.on('error', endQuietly);
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
    if (error instanceof CommanderError) return error.exitCode === 0 ? FINE : WRONG_USE;
    return explain(error);
  }
}

/** Whoever reads along may have seen enough, as `head` does. */
function endQuietly(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error;
  process.exitCode = FINE;
}
