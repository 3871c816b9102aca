/** Gemini CLI. */
import type { Change } from '../change.ts';
import { ANSWER_SECONDS, type Client, commandOf, serverAt, type Server, type UserFolder } from '../client.ts';

const FOLDER: UserFolder = { path: '.gemini' };
const changesFor = (server: Server): readonly Change[] => [
  serverAt('mcpServers', { ...commandOf(server), timeout: ANSWER_SECONDS * 1000, trust: true }),
  {
    at: ['tools', 'exclude'],
    items: [
      'run_shell_command',
      'read_file',
      'read_many_files',
      'write_file',
      'replace',
      'list_directory',
      'glob',
      'grep_search',
    ],
  },
];
const REMARKS = [
  'Still past Handrail: what you type yourself (`!` commands, `@` files), hooks and extensions.',
  'Where "mcp.allowed" is a list in your settings, handrail has to be in it.',
];

export const gemini: Client = {
  title: 'Gemini CLI',
  programs: ['gemini'],
  trace: { folder: FOLDER, name: '' },
  workspace: (server) => ({
    files: [{ names: ['.gemini/settings.json'], changes: changesFor(server) }],
    remarks: ['Gemini CLI reads this file once you trust the folder, which it asks about.', ...REMARKS],
  }),
  user: (server) => ({
    files: [{ folder: FOLDER, names: ['settings.json'], changes: changesFor(server) }],
    remarks: REMARKS,
  }),
};
