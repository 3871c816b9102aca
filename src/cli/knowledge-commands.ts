/** What the command line offers about what agents know besides the workspace: memories and skills. */
import type { Command } from 'commander';
import { jsonOption, workspaceOption } from './options.ts';
import { readSurroundings } from './surroundings.ts';

/** Adds the commands. */
export function addKnowledge(program: Command, setExitCode: (code: number) => void): void {
  addMemory(program);
  addSkills(program, setExitCode);
}

function addMemory(program: Command): void {
  const memory = program.command('memory').description('what agents keep for later');
  const add = (name: string, isDefault = false): Command =>
    memory.command(name, { isDefault }).addOption(workspaceOption()).addOption(jsonOption());
  add('list', true)
    .description('memories of the workspace, of its sessions, and yours for all workspaces')
    .action(async (options) => {
      const { memoryList } = await import('./memory.ts');
      await memoryList([], options, readSurroundings());
    });
  add('search')
    .description('those that have every word')
    .argument('<words...>')
    .action(async (words: string[], options) => {
      const { memoryList } = await import('./memory.ts');
      await memoryList(words, options, readSurroundings());
    });
  add('show')
    .description('one of them, whole')
    .argument('<memory>', 'its id, as `memory list` prints it')
    .action(async (id: string, options) => {
      const { memoryShow } = await import('./memory.ts');
      await memoryShow(id, options, readSurroundings());
    });
  add('delete')
    .description('delete one; it can not be taken back')
    .argument('<memory>', 'its id, as `memory list` prints it')
    .action(async (id: string, options) => {
      const { memoryDelete } = await import('./memory.ts');
      await memoryDelete(id, options, readSurroundings());
    });
  add('export')
    .description('all of them, as text')
    .action(async (options) => {
      const { memoryExport } = await import('./memory.ts');
      await memoryExport(options, readSurroundings());
    });
}

function addSkills(program: Command, setExitCode: (code: number) => void): void {
  const skills = program.command('skills').description('instructions that agents load for kinds of work');
  const add = (name: string, isDefault = false): Command =>
    skills.command(name, { isDefault }).addOption(workspaceOption()).addOption(jsonOption());
  add('list', true)
    .description('those there are, and why others do not count')
    .action(async (options) => {
      const { skillsList } = await import('./skills.ts');
      await skillsList(options, readSurroundings());
    });
  add('show')
    .description('one of them, whole')
    .argument('<skill>', 'its name')
    .action(async (name: string, options) => {
      const { skillsShow } = await import('./skills.ts');
      setExitCode(await skillsShow(name, options, readSurroundings()));
    });
}
