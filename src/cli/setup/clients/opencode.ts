/** opencode. */
import type { Change } from '../change.ts';
import { ANSWER_SECONDS, type Client, CONFIG, serverAt, NAME, type Server } from '../client.ts';

const changesFor = ({ command, args }: Server): readonly Change[] => [
  serverAt('mcp', {
    type: 'local',
    command: [command, ...args],
    enabled: true,
    timeout: ANSWER_SECONDS * 1000,
  }),
  ...['read', 'edit', 'glob', 'grep', 'list', 'lsp', 'bash'].map((name): Change => ({
    at: ['permission', name],
    value: 'deny',
  })),
  { at: ['permission', `${NAME}_*`], value: 'allow' },
];
const REMARKS = [
  'Agents with permissions of their own, and tools of plugins, are not touched: look whether they work past Handrail.',
];

export const opencode: Client = {
  title: 'opencode',
  programs: ['opencode'],
  trace: { folder: CONFIG, name: 'opencode' },
  workspace: (server) => ({
    files: [{ names: ['opencode.json', 'opencode.jsonc'], changes: changesFor(server) }],
    remarks: REMARKS,
  }),
  user: (server) => ({
    files: [
      {
        folder: CONFIG,
        names: ['opencode/opencode.json', 'opencode/opencode.jsonc'],
        changes: changesFor(server),
      },
    ],
    remarks: REMARKS,
  }),
};
