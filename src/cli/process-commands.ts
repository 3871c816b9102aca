/** What the command line offers about background processes. */
import type { Command } from 'commander';
import { jsonOption } from './options.ts';
import { readSurroundings } from './surroundings.ts';

/** Adds the commands. */
export function addProcesses(program: Command, setExitCode: (code: number) => void): void {
  program
    .command('ps')
    .description('background processes: those that run, and those that ended lately')
    .addOption(jsonOption())
    .action(async (options) => {
      const { ps } = await import('./processes.ts');
      await ps(options, readSurroundings());
    });
  program
    .command('logs')
    .description('what a background process wrote')
    .argument('<process>', 'its id, as `ps` prints it')
    .option('-f, --follow', 'go on until it ends')
    .action(async (id: string, options) => {
      const { logs } = await import('./processes.ts');
      await logs(id, options, readSurroundings());
    });
  program
    .command('stop')
    .description('end a background process and all it started')
    .argument('[process]', 'its id, as `ps` prints it')
    .option('--all', 'all that run')
    .action(async (id: string | undefined, options) => {
      const { stop } = await import('./processes.ts');
      setExitCode(await stop(id, options, readSurroundings()));
    });
  program
    .command('forward')
    .description("open a background process's port on 127.0.0.1")
    .argument('<process>', 'its id, as `ps` prints it')
    .argument('<port>', 'the port it listens to')
    .action(async (id: string, port: string) => {
      const { forward } = await import('./processes.ts');
      await forward(id, port, readSurroundings());
    });
  program
    .command('supervise', { hidden: true })
    .description('watch over background processes; started by who needs it')
    .argument('<state>', 'the state folder')
    .action(async (state: string) => {
      const { supervise } = await import('./supervise.ts');
      await supervise(state);
    });
}
