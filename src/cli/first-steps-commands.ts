/** The commands of a first day, and of cleaning up: settings, trust, what is missing, clients. */
import type { Command } from 'commander';
import { jsonOption, projectOption, workspaceOption } from './options.ts';
import { readSurroundings } from './surroundings.ts';

/** Adds them. */
export function addFirstSteps(program: Command, setExitCode: (code: number) => void): void {
  addSettings(program, setExitCode);
  addDoctor(program, setExitCode);
  addSetup(program, setExitCode);
}

function addSettings(program: Command, setExitCode: (code: number) => void): void {
  program
    .command('init')
    .description("write a commented settings file: the workspace's own, or yours")
    .addOption(workspaceOption())
    .addOption(projectOption())
    .option('--user', 'yours, for every workspace')
    .action(async (options) => {
      const { init } = await import('./settings.ts');
      setExitCode(await init(options, readSurroundings()));
    });
  program
    .command('trust')
    .description("show the workspace's own settings and let them count, until they change")
    .addOption(workspaceOption())
    .addOption(projectOption())
    .option('--remove', 'end it')
    .option('--yes', 'without a question')
    .action(async (options) => {
      const { trustWorkspace } = await import('./settings.ts');
      setExitCode(await trustWorkspace(options, readSurroundings()));
    });
  program
    .command('clean')
    .description('delete state, after showing what')
    .option('--audit', 'the audit too')
    .option('--yes', 'without a question')
    .action(async (options) => {
      const { clean } = await import('./clean.ts');
      setExitCode(await clean(options, readSurroundings()));
    });
  program
    .command('config')
    .description('about settings files')
    .command('schema')
    .description('print their JSON Schema, for editors')
    .action(async () => {
      const { configSchemaCommand } = await import('./settings.ts');
      configSchemaCommand(readSurroundings());
    });
}

function addDoctor(program: Command, setExitCode: (code: number) => void): void {
  program
    .command('doctor')
    .description('what is here, what is missing, and how to install it')
    .addOption(workspaceOption())
    .addOption(projectOption())
    .addOption(jsonOption())
    .action(async (options) => {
      const { doctor } = await import('./doctor.ts');
      setExitCode(await doctor(options, readSurroundings()));
    });
}

function addSetup(program: Command, setExitCode: (code: number) => void): void {
  program
    .command('setup')
    .description('let a client such as Claude Code or Codex use Handrail; without a name, list the clients')
    .argument('[client]', 'its name, as the list prints it')
    .addOption(workspaceOption())
    .addOption(projectOption())
    .option('--user', "in the user's own settings of the client, for every folder")
    .option('--remove', 'take it all back')
    .option('--dry-run', 'only show what would be written')
    .option('--yes', 'without a question')
    .action(async (client: string | undefined, options) => {
      const { setup } = await import('./setup.ts');
      setExitCode(await setup({ client, ...options }, readSurroundings()));
    });
}
