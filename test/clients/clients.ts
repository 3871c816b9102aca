/** The clients that are started, pinned, and how each is told where its model is. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

export interface RealClient {
  /** As `handrail setup` names it. */
  readonly name: string;
  readonly package: string;
  readonly version: string;
  readonly program: string;
  /** What a person would have done before: signing in, trusting the folder. */
  prepare?(home: string, workspace: string): void;
  start(
    model: string,
    prompt: string,
  ): { readonly args: readonly string[]; readonly env: Readonly<Record<string, string>> };
}

export const clients: readonly RealClient[] = [
  {
    name: 'claude-code',
    package: '@anthropic-ai/claude-code',
    version: '2.1.325',
    program: 'claude',
    prepare(home, workspace) {
      writeJson(join(home, '.claude.json'), {
        hasCompletedOnboarding: true,
        projects: { [workspace]: { hasTrustDialogAccepted: true } },
      });
    },
    start: (model, prompt) => ({
      args: ['-p', prompt, '--model', 'claude-sonnet-4-5'],
      env: {
        ANTHROPIC_BASE_URL: model,
        ANTHROPIC_API_KEY: 'scripted',
        CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
        DISABLE_AUTOUPDATER: '1',
      },
    }),
  },
  {
    name: 'codex',
    package: '@openai/codex',
    version: '0.166.0',
    program: 'codex',
    prepare(home, workspace) {
      const file = join(home, '.codex/config.toml');
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, `[projects.${JSON.stringify(workspace)}]\ntrust_level = "trusted"\n`);
    },
    start: (model, prompt) => ({
      args: [
        'exec',
        '--skip-git-repo-check',
        ...settings({
          // One that is known: what it can do decides how tools are offered.
          model: 'gpt-5.5',
          model_provider: 'scripted',
          'model_providers.scripted.name': 'scripted',
          'model_providers.scripted.base_url': `${model}/v1`,
          'model_providers.scripted.wire_api': 'responses',
        }),
        prompt,
      ],
      env: {},
    }),
  },
  {
    name: 'opencode',
    package: 'opencode-ai',
    version: '1.18.33',
    program: 'opencode',
    start: (model, prompt) => ({
      args: ['run', '--model', 'scripted/model', prompt],
      env: {
        OPENCODE_CONFIG_CONTENT: JSON.stringify({
          provider: {
            scripted: {
              npm: '@ai-sdk/openai-compatible',
              name: 'scripted',
              options: { baseURL: `${model}/v1`, apiKey: 'scripted' },
              models: { model: { name: 'scripted', tool_call: true } },
            },
          },
        }),
        OPENCODE_DISABLE_AUTOUPDATE: '1',
        OPENCODE_DISABLE_MODELS_FETCH: '1',
        OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
      },
    }),
  },
  {
    name: 'gemini',
    package: '@google/gemini-cli',
    version: '0.61.0',
    program: 'gemini',
    prepare(home, workspace) {
      writeJson(join(home, '.gemini/trustedFolders.json'), { [workspace]: 'TRUST_FOLDER' });
      writeJson(join(home, '.gemini/settings.json'), {
        security: { auth: { selectedType: 'gemini-api-key' } },
      });
    },
    start: (model, prompt) => ({
      args: ['-p', prompt, '-m', 'gemini-2.5-pro'],
      env: { GOOGLE_GEMINI_BASE_URL: model, GEMINI_API_KEY: 'scripted', GEMINI_TELEMETRY_ENABLED: 'false' },
    }),
  },
];

function settings(values: Readonly<Record<string, string>>): string[] {
  return Object.entries(values).flatMap(([key, value]) => ['-c', `${key}=${JSON.stringify(value)}`]);
}

function writeJson(file: string, value: object): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify(value));
}
