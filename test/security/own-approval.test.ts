/** An agent that would like to say yes in the person's place: whatever runs for it gets hold of nothing that it would need. */
import { spawnSync } from 'node:child_process';
import {
  accessSync,
  chmodSync,
  constants,
  cpSync,
  globSync,
  mkdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { environmentOf, LAUNCHER } from '../support/command-line.ts';
import { connectMcp } from '../support/mcp-client.ts';
import { questionsOf } from '../support/questions.ts';
import { serve } from '../support/serve.ts';
import { type TempWorkspace, tempWorkspace } from '../support/temp-workspace.ts';
import { type Ground, possibleThefts, stolen, thievingScript } from './thefts.ts';

const GUARDED = 'guarded.txt';
/** Everything is allowed that can be allowed, but for one file. */
const SETTINGS = {
  mode: 'auto',
  rules: [
    { action: 'allow', permission: '*' },
    { action: 'ask', permission: 'fs.write', path: GUARDED, floor: true },
  ],
  commands: { hosts: ['granted.example'] },
  git: { programs: true },
  languages: {
    servers: { thief: { command: ['/bin/sh', '-c', thieving('language')], files: { '.thief': 'thief' } } },
  },
};

/** Runs the script, and leaves what it says where only a sandbox has its own. */
function thieving(way: string): string {
  return `sh thefts.sh > /tmp/${way}`;
}

/** Everything that runs something for an agent. */
const WAYS: Readonly<Record<string, { readonly tool: string; readonly args: object }>> = {
  command: { tool: 'bash', args: { command: thieving('command') } },
  preview: { tool: 'preview_command', args: { command: thieving('preview') } },
  hook: { tool: 'git_commit', args: { message: 'changed', paths: ['changed.txt'] } },
  language: { tool: 'lsp_diagnostics', args: { path: 'a.thief' } },
  background: {
    tool: 'run_background',
    args: { command: `${thieving('background')}; echo "do"ne`, wait_text: 'done', timeout: 120 },
  },
};

describe("AP-10 an agent's own shell", () => {
  const stack = new AsyncDisposableStack();
  let workspace: TempWorkspace;
  let ground: Ground;
  let asked: Promise<unknown>;

  const call = async (tool: string, args: object): Promise<unknown> => {
    const { server } = ground;
    const answer = await fetch(new URL('/api/calls', server.url), {
      method: 'POST',
      headers: { authorization: `Bearer ${server.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ tool, args }),
    });
    return answer.json();
  };

  beforeAll(async () => {
    workspace = stack.use(tempWorkspace({ 'a.thief': '', [GUARDED]: 'old\n' }, visiblePlace()));
    layOut(workspace);
    const { XDG_STATE_HOME, XDG_CONFIG_HOME } = environmentOf(workspace);
    const environment = { HANDRAIL_TOKEN: 'token-of-the-agent-0123456789' };
    const server = stack.use(await serve(workspace, [], { environment }));
    const mcp = stack.use(await connectMcp(workspace));
    const questions = stack.use(questionsOf(workspace));
    ground = {
      state: join(XDG_STATE_HOME!, 'handrail'),
      config: join(XDG_CONFIG_HOME!, 'handrail'),
      server,
      mcp,
      questions,
      question: '',
    };
    stack.use(await questions.someoneWatches());
    // With it there is a supervisor.
    expect(await call('run_background', { command: 'sleep 1000' })).toMatchObject({ outcome: 'ok' });
    asked = call('write', { path: GUARDED, content: 'new\n' });
    asked.catch(() => undefined);
    const open = await vi.waitUntil(async () => (await questions.pending())[0], { timeout: 30_000 });
    ground = { ...ground, question: open.id };
    workspace.write('thefts.sh', thievingScript(ground));
    workspace.write('changed.txt', 'changed\n');
  }, 120_000);

  afterAll(async () => stack.disposeAsync());

  it.for(Object.keys(WAYS))('gets hold of nothing as a %s', { timeout: 180_000 }, async (way) => {
    const { tool, args } = WAYS[way]!;
    await call(tool, args);
    expect(await stolen(foundBy(way), ground)).toEqual([]);
  });

  it('gets hold of nothing as a command over MCP', { timeout: 180_000 }, async () => {
    await ground.mcp.client.callTool({ name: 'bash', arguments: { command: thieving('mcp') } });
    expect(await stolen(foundBy('mcp'), ground)).toEqual([]);
  });

  it('gets hold of all of it where nothing confines it', { timeout: 180_000 }, async () => {
    const { stdout } = spawnSync('sh', ['thefts.sh'], {
      cwd: workspace.root,
      env: environmentOf(workspace),
      encoding: 'utf8',
    });
    expect(await stolen(stdout, ground)).toEqual(possibleThefts(ground));
    expect(await asked).toMatchObject({ outcome: 'ok' });
    expect(readFileSync(join(workspace.root, GUARDED), 'utf8')).toBe('new\n');
  });

  /** What the script said in the sandbox of a way. */
  function foundBy(way: string): string {
    const [file] = globSync(join(ground.state, 'sandbox/tmp/*', way));
    return readFileSync(file!, 'utf8');
  }
});

/** Where commands would see the state, were it not hidden itself; for who may write there. */
function visiblePlace(): string {
  try {
    accessSync('/opt', constants.W_OK);
    return '/opt';
  } catch {
    return tmpdir();
  }
}

function layOut(workspace: TempWorkspace): void {
  const { root } = workspace;
  const project = join(dirname(LAUNCHER), '..');
  // As installed by npm, but for the maps.
  for (const part of ['bin', 'package.json', 'dist/cli'])
    cpSync(join(project, part), join(root, 'handrail', part), {
      recursive: true,
      filter: (file) => !file.endsWith('.map'),
    });
  for (const fixture of ['find-key.ts', 'reach-socket.ts'])
    cpSync(join(import.meta.dirname, 'fixtures', fixture), join(root, fixture));
  for (const args of [
    ['init', '--quiet'],
    ['config', 'user.name', 'Ada'],
    ['config', 'user.email', 'ada@example.org'],
  ])
    spawnSync('git', args, { cwd: root });
  const hook = join(root, '.git/hooks/pre-commit');
  writeFileSync(hook, `#!/bin/sh\n${thieving('hook')}\n`);
  chmodSync(hook, 0o755);
  const settings = join(environmentOf(workspace)['XDG_CONFIG_HOME']!, 'handrail/config.jsonc');
  mkdirSync(dirname(settings), { recursive: true });
  writeFileSync(settings, JSON.stringify(SETTINGS));
}
