/** Zed. */
import type { Change } from '../change.ts';
import { ANSWER_SECONDS, type Client, commandOf, CONFIG, serverAt, NAME, type Server } from '../client.ts';

const serverFor = (server: Server): Change =>
  serverAt('context_servers', { ...commandOf(server), timeout: ANSWER_SECONDS });

export const zed: Client = {
  title: 'Zed',
  programs: ['zed', 'zeditor'],
  trace: { folder: CONFIG, name: 'zed' },
  workspace: (server) => ({
    files: [{ names: ['.zed/settings.json'], changes: [serverFor(server)] }],
    remarks: [
      "Not switched off: Zed's own file and terminal tools, which work past Handrail; and Zed asks before each of " +
        "Handrail's tools. Both are settings of the user only: `handrail setup zed --user` writes them.",
    ],
  }),
  user: (server) => ({
    files: [
      {
        folder: CONFIG,
        names: ['zed/settings.json'],
        changes: [
          serverFor(server),
          {
            at: ['agent', 'profiles', NAME],
            value: {
              name: 'Handrail',
              enable_all_context_servers: true,
              tools: { fetch: true, search_web: true },
            },
          },
          { at: ['agent', 'default_profile'], value: NAME },
          ...server.tools.map((tool): Change => ({
            at: ['agent', 'tool_permissions', 'tools', `mcp:${NAME}:${tool}`, 'default'],
            value: 'allow',
          })),
        ],
      },
    ],
    remarks: [
      "Zed's own tools are off in the profile Handrail, which new threads start with; other profiles, external agents " +
        'and terminal threads work past Handrail.',
    ],
  }),
};
