/** How a person writes a rule; needed where there is one. */
import { z } from 'zod';
import { PERMISSIONS } from './access.ts';

const permissionPattern = z.union([z.enum(PERMISSIONS), z.literal('*')]);

/** One rule as a person writes it. */
export const ruleSchema = z.strictObject({
  action: z.enum(['allow', 'ask', 'deny']).describe('What to do with a call that fits'),
  permission: z
    .union([permissionPattern, z.array(permissionPattern).min(1)])
    .describe('The permission, or several, or `*`'),
  path: z
    .union([z.string().min(1), z.array(z.string().min(1)).min(1)])
    .optional()
    .describe('A path pattern, or several; for `fs.*` permissions'),
  command: z
    .union([z.string().min(1), z.array(z.string().min(1)).min(1)])
    .optional()
    .describe('A command pattern, or several, word by word: `git log *`; for `proc.exec` and `git.write`'),
  host: z
    .union([z.string().min(1), z.array(z.string().min(1)).min(1)])
    .optional()
    .describe(
      'A host, or several; `*.example.org` for all names below, `example.org/docs` for what is there; for `net.connect`',
    ),
  git: z
    .union([z.string().min(1), z.array(z.string().min(1)).min(1)])
    .optional()
    .describe(
      'What is changed of a repository: `commit`, `branch:main`, `branch:release/*`, `secrets`; for `git.write`',
    ),
  skill: z
    .union([z.string().min(1), z.array(z.string().min(1)).min(1)])
    .optional()
    .describe('The name of a skill, or several; `*` is any text; for `skill.load`'),
  state: z
    .union([z.string().min(1), z.array(z.string().min(1)).min(1)])
    .optional()
    .describe(
      'What is kept: `todos`, `memory:session`, `memory:workspace`, `memory:user`; for `state.write`',
    ),
  project: z
    .union([z.string().min(1), z.array(z.string().min(1)).min(1)])
    .optional()
    .describe(
      'For calls that go to another project, by its id, or several, or `*`; paths are then those of that project',
    ),
  exact: z
    .literal(true)
    .optional()
    .describe('`path` and `command` are no patterns: the very paths and words that are written'),
  onlyReads: z.literal(true).optional().describe('Only for commands known to change nothing'),
  trusted: z.literal(true).optional().describe('Only in a workspace whose settings a person trusted'),
  tool: z.array(z.string().min(1)).min(1).optional().describe('Only for these tools'),
  workspace: z.string().startsWith('/').optional().describe('Only in the workspace with this root'),
  reversible: z
    .boolean()
    .optional()
    .describe('Only for calls that undo can take back, or only for those it can not'),
  over: z
    .strictObject({ files: z.int().min(0).optional(), lines: z.int().min(0).optional() })
    .optional()
    .describe('Only for calls that change more files, or more lines, than this'),
  match: z
    .array(z.string().min(1))
    .optional()
    .describe('Paths, commands or hosts that must fit; checked when the rule loads'),
  notMatch: z.array(z.string().min(1)).optional().describe('Those that must not fit'),
  reason: z.string().optional().describe('Shown to the human and to the agent'),
  preview: z
    .literal(true)
    .optional()
    .describe(
      'An ask that shows what the command did in a view of the workspace; a yes takes over exactly that',
    ),
  floor: z.literal(true).optional().describe('An ask that no mode and no rule lowers'),
});
