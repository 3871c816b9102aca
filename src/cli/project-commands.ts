/** What the command line offers about projects. */
import type { Command } from 'commander';
import { dialectOption, jsonOption, modeOption } from './options.ts';
import { readSurroundings } from './surroundings.ts';

/** Adds the commands. */
export function addProjects(program: Command): void {
  const projects = program.command('projects').description('folders that are known by an id');
  projects
    .command('list', { isDefault: true })
    .description('those that are registered')
    .addOption(jsonOption())
    .action(async (options) => {
      const { projectsList } = await import('./projects.ts');
      await projectsList(options, readSurroundings());
    });
  projects
    .command('add')
    .description('register a folder')
    .argument('[folder]', 'the folder (default: the current one)')
    .option('--id <id>', "letters, digits, - and _ (default: made of the folder's name)")
    .option('--name <name>', "what people call it (default: the folder's name)")
    .addOption(dialectOption())
    .addOption(modeOption())
    .action(async (folder: string | undefined, options) => {
      const { projectsAdd } = await import('./projects.ts');
      await projectsAdd({ folder, ...options }, readSurroundings());
    });
  projects
    .command('remove')
    .description('forget a project; its folder, its undo and its audit stay')
    .argument('<id>', 'its id, as `projects list` prints it')
    .action(async (id: string) => {
      const { projectsRemove } = await import('./projects.ts');
      await projectsRemove(id, readSurroundings());
    });
}
