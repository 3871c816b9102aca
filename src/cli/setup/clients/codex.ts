/** Codex. */
import type { Change } from '../change.ts';
import { ANSWER_SECONDS, type Client, commandOf, NAME, type Server, type UserFolder } from '../client.ts';

const FOLDER: UserFolder = { path: '.codex', variable: 'CODEX_HOME' };
const changesFor = (server: Server): readonly Change[] => [
  {
    at: ['mcp_servers', NAME],
    value: {
      ...commandOf(server),
      default_tools_approval_mode: 'approve',
      tool_timeout_sec: ANSWER_SECONDS,
    },
  },
  { at: ['features', 'shell_tool'], value: false },
  { at: ['features', 'view_image'], value: false },
];
const REMARKS = [
  "Not switched off: Codex's own apply_patch, which has no setting; it edits files past Handrail. With " +
    '`sandbox_mode = "read-only"` at the top of its config.toml it has to ask first.',
];

export const codex: Client = {
  title: 'Codex',
  programs: ['codex'],
  trace: { folder: FOLDER, name: '' },
  workspace: (server) => ({
    files: [{ names: ['.codex/config.toml'], changes: changesFor(server) }],
    remarks: ['Codex reads this file once you trust the folder, which it asks about.', ...REMARKS],
  }),
  user: (server) => ({
    files: [{ folder: FOLDER, names: ['config.toml'], changes: changesFor(server) }],
    remarks: REMARKS,
  }),
};
