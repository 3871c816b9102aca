/** Options that several commands have. */
import { Option } from 'commander';
import { MODES } from '../policy/decide.ts';

export const dialectOption = (): Option =>
  new Option('--dialect <name>', 'the dialect to speak (default: the settings, else handrail)');
export const workspaceOption = (usual = 'the current folder'): Option =>
  new Option('--workspace <folder>', `the workspace (default: ${usual})`);
export const projectOption = (): Option =>
  new Option('--project <id>', 'the workspace, as a project of `handrail projects`').conflicts('workspace');
export const modeOption = (usual = 'ask'): Option =>
  new Option('--mode <mode>', `how much is asked (default: the settings, else ${usual})`).choices(MODES);
export const jsonOption = (): Option => new Option('--json', 'print JSON');
