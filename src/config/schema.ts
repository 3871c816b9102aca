/** The one schema of every config file: the user's, and a workspace's own. */
import { z } from 'zod';
import { EFFECTS } from '../policy/access.ts';
import { MODES } from '../policy/decide.ts';
import { ruleSchema } from '../policy/rule-schema.ts';
import { SEARCH_PROVIDERS } from '../search-providers.ts';

const languageSchema = z.strictObject({
  enabled: z
    .boolean()
    .optional()
    .describe('false: never used; true: you are told at the start where it is not installed'),
  command: z
    .array(z.string().min(1))
    .min(1)
    .optional()
    .describe(
      'The program, by name or place, and its arguments; a place without a leading / is in the workspace',
    ),
  files: z
    .record(z.string().min(1), z.string().min(1))
    .optional()
    .describe('How names of files end, or whole names, each with the language identifier of the protocol'),
  install: z.string().min(1).optional().describe('The command that installs it'),
  settings: z
    .record(z.string(), z.unknown())
    .optional()
    .describe('What the server is told when it asks for its settings, by section'),
});

const endpointSchema = z.strictObject({
  baseUrl: z.url({ protocol: /^https?$/ }).describe('Where it is asked, such as http://127.0.0.1:11434/v1'),
  protocol: z
    .enum(['openai-compatible', 'anthropic'])
    .optional()
    .describe('What it speaks; openai-compatible by default'),
  keyVariable: z.string().min(1).optional().describe('The variable of the environment that holds its key'),
  window: z.int().min(1_000).optional().describe('How many tokens its models take'),
  models: z.array(z.string().min(1)).optional().describe('Names of its models, for lists'),
});

const agentSchema = z.strictObject({
  kind: z
    .enum(['primary', 'sub-agent'])
    .optional()
    .describe('Whether people talk to it, or other agents hand it tasks; sub-agent by default'),
  description: z.string().min(1).describe('What it is good for'),
  prompt: z.string().optional().describe('What it is told besides the common instructions'),
  tools: z.record(z.string(), z.boolean()).optional().describe('Tools switched on or off by name'),
  effects: z
    .array(z.enum(EFFECTS))
    .optional()
    .describe('What its tools may do; without `write` its calls are read-only'),
  model: z.string().min(1).optional().describe('`provider/model`, where it has its own'),
  maxSteps: z.int().min(1).max(1_000).optional().describe('How often it may ask its model in one task'),
});

export const configSchema = z
  .strictObject({
    $schema: z.string().optional().describe('Where editors find the schema of this file'),
    dialect: z.string().min(1).optional().describe('The dialect that new sessions speak'),
    mode: z.enum(MODES).optional().describe('How much is asked'),
    rules: z
      .array(ruleSchema)
      .optional()
      .describe('Rules over the defaults; the last one that fits decides, a deny always wins'),
    approvals: z
      .strictObject({
        timeoutSeconds: z
          .int()
          .min(1)
          .max(86_400)
          .optional()
          .describe('How long a question stays open; 300 by default'),
        pendingAfterSeconds: z
          .int()
          .min(1)
          .max(86_400)
          .optional()
          .describe(
            "How long a call waits for an answer where its client can't be told that it waits; 45 by default",
          ),
      })
      .optional()
      .describe('Questions to people'),
    edits: z
      .strictObject({
        refuseStale: z
          .boolean()
          .optional()
          .describe(
            'Whether a file that changed since the session last saw it is kept from being overwritten',
          ),
        refusePlaceholders: z
          .boolean()
          .optional()
          .describe('Whether text like "rest of the code unchanged" is refused in edits'),
        cleanTree: z
          .enum(['touched', 'whole', 'off'])
          .optional()
          .describe(
            'What must have no uncommitted changes before a patch of `codelab`: the files it touches (the default), everything, or nothing',
          ),
      })
      .optional()
      .describe('What is refused in edits, though it could be done'),
    commands: z
      .strictObject({
        hosts: z
          .array(z.string().min(1))
          .optional()
          .describe(
            'What every command may reach: hosts, `*.example.org`, or `@npm`, `@pypi`, `@crates`, `@go`, `@github` and others',
          ),
        environment: z
          .array(z.string().min(1))
          .optional()
          .describe(
            'Names of variables that commands get from your environment; what looks like a secret is not passed',
          ),
        minimumSandbox: z
          .enum(['A', 'A-', 'C'])
          .optional()
          .describe('The sandbox without which no command runs; C, none, by default'),
      })
      .optional()
      .describe('What commands may do'),
    web: z
      .strictObject({
        search: z
          .array(
            z.strictObject({
              provider: z.enum(SEARCH_PROVIDERS),
              endpoint: z
                .url({ protocol: /^https?$/ })
                .optional()
                .describe(
                  "Where it is asked, such as a SearXNG of your own; the provider's own address by default",
                ),
              keyVariable: z
                .string()
                .min(1)
                .optional()
                .describe('The variable of the environment that holds its key'),
            }),
          )
          .min(1)
          .optional()
          .describe('Who is asked, the next one where one gives no answer; DuckDuckGo by default'),
      })
      .optional()
      .describe("The web; counts in the user's own settings only"),
    search: z
      .strictObject({
        index: z
          .enum(['first use', 'at start', 'never'])
          .optional()
          .describe('When the index of the code is built; with its first use by default'),
        waitSeconds: z
          .int()
          .min(0)
          .max(600)
          .optional()
          .describe(
            'How long a question waits for an index that is being built, before grep answers; 2 by default',
          ),
        quotaMegabytes: z
          .int()
          .min(1)
          .max(1_000_000)
          .optional()
          .describe('How large the index of a workspace may be; 1,024 by default'),
        embeddings: z
          .strictObject({
            endpoint: z
              .url({ protocol: /^https?$/ })
              .describe('An OpenAI-compatible address, up to and without /embeddings'),
            model: z.string().min(1),
            keyVariable: z
              .string()
              .min(1)
              .optional()
              .describe('The variable of the environment that holds its key'),
            maxParts: z
              .int()
              .min(1)
              .max(1_000_000)
              .optional()
              .describe('How many parts of the code are sent there at most; 20,000 by default'),
          })
          .optional()
          .describe(
            'Who turns code into vectors, so that it is found by meaning; parts of your code are sent there',
          ),
      })
      .optional()
      .describe("Finding code by questions; counts in the user's own settings only"),
    languages: z
      .strictObject({
        memoryMegabytes: z
          .int()
          .min(64)
          .max(1_000_000)
          .optional()
          .describe('How much memory all language servers together may take; 2,048 by default'),
        servers: z
          .record(z.string().regex(/^[a-z][a-z0-9+#-]{0,19}$/), languageSchema)
          .optional()
          .describe(
            'By language: sh, py, ts, c, go, rust, json, yaml and others are known; more can be added',
          ),
      })
      .optional()
      .describe('Language servers'),
    models: z
      .strictObject({
        default: z.string().min(1).optional().describe('`provider/model`; HANDRAIL_MODEL counts before it'),
        endpoints: z
          .record(z.string().regex(/^[a-z][a-z0-9-]{0,39}$/), endpointSchema)
          .optional()
          .describe('Providers by a name of your own'),
      })
      .optional()
      .describe("The models of the agent; counts in the user's own settings only"),
    agents: z
      .record(z.string().regex(/^[a-z][a-z0-9-]{0,39}$/), agentSchema)
      .optional()
      .describe('Agents besides build, plan, general and explore, or in their place'),
    instructions: z
      .array(z.string().min(1))
      .optional()
      .describe('Files of the workspace that the agent is told to keep to, besides AGENTS.md'),
    verify: z
      .strictObject({
        off: z.boolean().optional().describe('Whether nothing is checked after a turn'),
        commands: z
          .array(z.string().min(1))
          .min(1)
          .optional()
          .describe(
            'What is run after a turn that changed code; found out by the files there are, by default',
          ),
        attempts: z
          .int()
          .min(0)
          .max(10)
          .optional()
          .describe('How often the agent is sent back to what failed; 2 by default'),
      })
      .optional()
      .describe('The check after a turn'),
    git: z
      .strictObject({
        programs: z
          .boolean()
          .optional()
          .describe(
            'Whether commits and checkouts run the hooks and filters of the repository, in the sandbox; false by default',
          ),
      })
      .optional()
      .describe('What is done to repositories'),
    skills: z
      .strictObject({
        paths: z
          .array(z.string().regex(/^(?:\/|~\/)/, 'begins with / or ~/'))
          .optional()
          .describe('Folders with skills, besides `~/.agents/skills` and `skills` beside this file'),
      })
      .optional()
      .describe("Skills; counts in the user's own settings only"),
    undo: z
      .strictObject({
        keepDays: z
          .int()
          .min(1)
          .max(3_650)
          .optional()
          .describe('How long turns can be taken back; 30 by default'),
        quotaMegabytes: z
          .int()
          .min(1)
          .max(1_000_000)
          .optional()
          .describe('How much is kept for that; 1,024 by default'),
      })
      .optional()
      .describe('The way back'),
  })
  .describe('Settings of Handrail');

export type Config = z.infer<typeof configSchema>;

/** The schema for editors. */
export function configJsonSchema(): unknown {
  return z.toJSONSchema(configSchema, { target: 'draft-2020-12', io: 'input' });
}
