/** Claude Code. */
import type { Change } from '../change.ts';
import { type Client, serverAt, NAME, stdio, type UserFolder } from '../client.ts';

const FOLDER: UserFolder = { path: '.claude', variable: 'CLAUDE_CONFIG_DIR' };
const PERMISSIONS: readonly Change[] = [
  { at: ['permissions', 'allow'], items: [`mcp__${NAME}`] },
  {
    at: ['permissions', 'deny'],
    items: [
      'Bash',
      'PowerShell',
      'Monitor',
      'Read',
      'Write',
      'Edit',
      'NotebookEdit',
      'Glob',
      'Grep',
      'EnterWorktree',
    ],
  },
];
const REMARKS = [
  'Still past Handrail: what you type yourself (`!` commands, `@` files), hooks, and scripts of plugins.',
];

export const claudeCode: Client = {
  title: 'Claude Code',
  programs: ['claude'],
  trace: { folder: FOLDER, name: '' },
  workspace: (server) => ({
    files: [
      { names: ['.mcp.json'], changes: [serverAt('mcpServers', stdio(server))] },
      {
        names: ['.claude/settings.local.json'],
        changes: [{ at: ['enabledMcpjsonServers'], items: [NAME] }, ...PERMISSIONS],
      },
    ],
    remarks: REMARKS,
  }),
  user: (server) => ({
    files: [
      {
        folder: { path: '', variable: 'CLAUDE_CONFIG_DIR' },
        names: ['.claude.json'],
        changes: [serverAt('mcpServers', stdio(server))],
      },
      { folder: FOLDER, names: ['settings.json'], changes: PERMISSIONS },
    ],
    remarks: ['End Claude Code first: it writes ~/.claude.json itself while it runs.', ...REMARKS],
  }),
};
