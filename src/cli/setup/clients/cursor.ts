/** Cursor. */
import type { Change } from '../change.ts';
import { type Client, serverAt, NAME, type Server, stdio, type UserFolder } from '../client.ts';

const FOLDER: UserFolder = { path: '.cursor' };
const serverFor = (server: Server): Change => serverAt('mcpServers', stdio(server));
const ALLOWED: Change = { at: ['mcpAllowlist'], items: [`${NAME}:*`] };
const REMARKS = [
  "Not switched off: the file and terminal tools of Cursor's editor, which has no setting for it; they work past " +
    'Handrail. Keep its auto-run off for them.',
  "An allowlist in permissions.json takes the place of the one in Cursor's own settings.",
];

export const cursor: Client = {
  title: 'Cursor',
  programs: ['cursor', 'cursor-agent'],
  trace: { folder: FOLDER, name: '' },
  workspace: (server) => ({
    files: [
      { names: ['.cursor/mcp.json'], changes: [serverFor(server)] },
      { names: ['.cursor/permissions.json'], changes: [ALLOWED] },
      {
        names: ['.cursor/cli.json'],
        changes: [
          { at: ['permissions', 'allow'], items: [`Mcp(${NAME}:*)`] },
          { at: ['permissions', 'deny'], items: ['Shell(*)', 'Read(**)', 'Write(**)'] },
        ],
      },
    ],
    remarks: REMARKS,
  }),
  user: (server) => ({
    files: [
      { folder: FOLDER, names: ['mcp.json'], changes: [serverFor(server)] },
      { folder: FOLDER, names: ['permissions.json'], changes: [ALLOWED] },
    ],
    remarks: [
      ...REMARKS,
      "Not switched off: the tools of Cursor's command line; a setup in the workspace does that.",
    ],
  }),
};
