/** The arrows between the folders of `src`, and what every module keeps to: read from the sources themselves. */
import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, normalize } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';

const SOURCES = join(import.meta.dirname, '../src');

interface Import {
  readonly from: string;
  /** A path below `src`, or the name of a package. */
  readonly to: string;
  readonly isType: boolean;
}

interface Arrows {
  readonly values: readonly string[];
  /** What may be imported as types besides. */
  readonly types?: readonly string[];
}

const ENGINE = [
  'capabilities',
  'config',
  'dialects',
  'failure.ts',
  'host',
  'journal',
  'policy',
  'runtime',
  'store',
];

/** Who may import what; the longest name that fits a file counts. A folder may always import from itself. */
const ARROWS: Readonly<Record<string, Arrows>> = {
  'code-words.ts': { values: [] },
  'failure.ts': { values: [] },
  'shown.ts': { values: [] },
  'listed-tool.ts': { values: [] },
  'search-providers.ts': { values: [] },
  'stars.ts': { values: [] },
  'host/ports.ts': {
    values: [],
    types: [
      'host/code-index-ports.ts',
      'host/command-ports.ts',
      'host/document-ports.ts',
      'host/git-ports.ts',
      'host/language-ports.ts',
      'host/process-ports.ts',
      'host/web-ports.ts',
    ],
  },
  'host/code-index-ports.ts': { values: [], types: ['host/language-ports.ts'] },
  'host/language-ports.ts': { values: [], types: ['host/command-ports.ts'] },
  'host/process-ports.ts': { values: [], types: ['host/command-ports.ts'] },
  'host/command-ports.ts': { values: [], types: ['host/ports.ts', 'host/command-changes.ts'] },
  'host/command-changes.ts': { values: [], types: ['host/ports.ts', 'host/entry-state.ts'] },
  'host/git-ports.ts': { values: [], types: ['host/command-ports.ts'] },
  'host/document-ports.ts': { values: [] },
  'host/entry-state.ts': { values: [] },
  'host/host-name.ts': { values: [] },
  'host/git-index-meaning.ts': { values: [] },
  'host/own-network.ts': { values: ['host/host-name.ts'] },
  'host/temporary-name.ts': { values: [] },
  'host/web-ports.ts': { values: [] },
  'host/web-url.ts': { values: ['failure.ts', 'host/host-name.ts'] },
  'host/workspace-path.ts': { values: ['failure.ts'] },
  'host/local': {
    values: [
      'host/ports.ts',
      'host/code-index-ports.ts',
      'host/entry-state.ts',
      'host/host-name.ts',
      'host/git-index-meaning.ts',
      'host/own-network.ts',
      'host/temporary-name.ts',
      'host/web-ports.ts',
      'host/web-url.ts',
      'host/workspace-path.ts',
      'code-words.ts',
      'failure.ts',
      'stars.ts',
    ],
  },
  config: {
    values: ['policy', 'runtime/nearest.ts', 'failure.ts', 'search-providers.ts'],
    types: ['host/ports.ts', 'store'],
  },
  policy: {
    values: [
      'stars.ts',
      'failure.ts',
      'shown.ts',
      'stars.ts',
      'host/host-name.ts',
      'host/own-network.ts',
      'host/temporary-name.ts',
      'host/workspace-path.ts',
    ],
  },
  store: { values: ['failure.ts'], types: ['host/ports.ts'] },
  journal: {
    values: ['store', 'host/entry-state.ts', 'host/git-index-meaning.ts', 'failure.ts'],
    types: ['policy', 'host/ports.ts'],
  },
  runtime: {
    values: [
      'policy',
      'journal',
      'host/entry-state.ts',
      'host/web-url.ts',
      'host/workspace-path.ts',
      'failure.ts',
      'shown.ts',
    ],
    types: ['host/ports.ts', 'host/web-ports.ts', 'search-providers.ts'],
  },
  // What a command will touch is told from its text, which is the policy's knowledge.
  capabilities: {
    values: [
      'runtime/operation.ts',
      'host/web-url.ts',
      'host/workspace-path.ts',
      'policy/command',
      'policy/host-presets.ts',
      'code-words.ts',
      'failure.ts',
      'stars.ts',
    ],
    types: ['host/ports.ts', 'policy/access.ts', 'runtime/workspace.ts', 'search-providers.ts'],
  },
  dialects: { values: ['capabilities', 'runtime', 'failure.ts'], types: ['host/workspace-path.ts'] },
  'runtime-types.ts': {
    values: [],
    types: [...ENGINE, 'open-agent-ports.ts', 'project-registry.ts', 'workspace-settings.ts'],
  },
  'workspace-settings.ts': { values: ['config'], types: ENGINE },
  'open-agent-ports.ts': {
    values: ['config', 'failure.ts', 'host/local', 'journal', 'store'],
    types: ENGINE,
  },
  'agent-notes.ts': { values: ENGINE, types: ['runtime-types.ts'] },
  'own-program.ts': { values: [] },
  'open-background.ts': {
    values: ['host/local', 'own-program.ts', 'store'],
    types: [...ENGINE, 'open-state.ts'],
  },
  'open-processes.ts': {
    values: ['capabilities/process', 'failure.ts', 'host/local', 'open-background.ts', 'store'],
    types: [...ENGINE, 'open-state.ts'],
  },
  'open-code-index.ts': {
    values: ['host/local', 'journal', 'policy'],
    types: [...ENGINE, 'open-state.ts', 'runtime-types.ts'],
  },
  'open-state.ts': { values: ['host/local', 'store'], types: ENGINE },
  'open-shared.ts': { values: [...ENGINE, 'open-state.ts'] },
  'open-host.ts': { values: ['host/local', 'policy', 'failure.ts'] },
  'project-registry.ts': { values: [...ENGINE, 'open-host.ts'] },
  'open-skills.ts': { values: ENGINE },
  'make-spine.ts': { values: [...ENGINE, 'open-skills.ts'], types: ['open-state.ts', 'runtime-types.ts'] },
  'create-runtime.ts': {
    values: [...ENGINE, 'open-host.ts', 'open-runtime.ts', 'open-shared.ts', 'project-runtimes.ts'],
    types: ['runtime-types.ts'],
  },
  'open-runtime.ts': {
    values: [...ENGINE, 'assemble-runtime.ts', 'make-spine.ts', 'open-background.ts', 'open-code-index.ts'],
    types: ['open-host.ts', 'open-shared.ts', 'project-runtimes.ts', 'runtime-types.ts'],
  },
  'assemble-runtime.ts': {
    values: [
      ...ENGINE,
      'agent-notes.ts',
      'make-spine.ts',
      'open-agent-ports.ts',
      'open-background.ts',
      'runtime-pool.ts',
      'visit.ts',
      'workspace-settings.ts',
    ],
    types: ['project-runtimes.ts', 'runtime-types.ts'],
  },
  'project-runtimes.ts': {
    values: ['host/local/clock.ts', 'open-runtime.ts', 'project-registry.ts', 'runtime-pool.ts'],
    types: ['assemble-runtime.ts', 'open-shared.ts', 'runtime-types.ts', 'store'],
  },
  'replay-calls.ts': {
    values: ['capabilities', 'config', 'journal'],
    types: [...ENGINE, 'runtime-types.ts'],
  },
  'visit.ts': { values: ENGINE },
  'runtime-pool.ts': { values: [], types: ['host/ports.ts', 'runtime-types.ts'] },
  'open-projects.ts': {
    values: [...ENGINE, 'open-shared.ts', 'project-runtimes.ts', 'runtime-pool.ts'],
    types: ['assemble-runtime.ts', 'project-registry.ts', 'runtime-types.ts'],
  },
  'index.ts': {
    values: [
      'create-runtime.ts',
      'open-projects.ts',
      'config',
      'dialects/dialect.ts',
      'runtime/operation.ts',
      'failure.ts',
    ],
    types: [...ENGINE, 'project-registry.ts', 'runtime-types.ts'],
  },
  // Every place that asks shows the same question.
  transports: {
    values: [
      'create-runtime.ts',
      'project-registry.ts',
      'replay-calls.ts',
      'runtime-pool.ts',
      'failure.ts',
      'listed-tool.ts',
      'shown.ts',
      'policy/decision.ts',
      'policy/describe-request.ts',
      'policy/rule-schema.ts',
      'runtime/any-question.ts',
      'runtime/describe-message.ts',
      'runtime/envelope.ts',
      'runtime/explain-issue.ts',
      'runtime/fitting-answer.ts',
      'store/section.ts',
      'runtime/question-desk.ts',
    ],
    types: [...ENGINE, 'agent/conversation.ts', 'open-processes.ts', 'runtime-types.ts'],
  },
  // A client loads nothing of the server; it only knows its types.
  client: { values: [], types: ['failure.ts', 'transports/http/api'] },
  agent: {
    values: ['create-runtime.ts', 'failure.ts', 'listed-tool.ts'],
    types: [...ENGINE, 'open-agent-ports.ts', 'runtime-types.ts'],
  },
  // The modes are a fact that is written once, so the command line takes them from the policy.
  cli: {
    values: [
      'create-runtime.ts',
      'open-background.ts',
      'open-code-index.ts',
      'open-processes.ts',
      'open-state.ts',
      'project-registry.ts',
      'replay-calls.ts',
      'transports',
      'agent',
      'config',
      'failure.ts',
      'shown.ts',
      'policy/decide.ts',
      'policy/describe-request.ts',
      'runtime/any-question.ts',
      'runtime/describe-message.ts',
      'runtime/fitting-answer.ts',
    ],
    types: [...ENGINE, 'runtime-types.ts'],
  },
};

/** Files that may import more. Commands for people look at the state, and at the machine, without a runtime. */
const MORE: Readonly<Record<string, readonly string[]>> = {
  'cli/approvals.ts': ['host/local/clock.ts', 'store/approvals.ts', 'store/approvers.ts'],
  'cli/chat/one-prompt.ts': ['journal/redact.ts'],
  'cli/chat/slash-commands.ts': ['runtime/nearest.ts'],
  'cli/chat/watch.ts': ['host/local/clock.ts', 'journal/audit-reader.ts', 'store/messages.ts'],
  'cli/clean.ts': ['host/local/copies/copy-folders.ts', 'journal/clean.ts'],
  'cli/doctor.ts': ['host/local'],
  'cli/open-audit.ts': ['journal/audit-reader.ts'],
  'cli/read-settings.ts': ['host/local'],
  'cli/serve.ts': [
    'host/local/clock.ts',
    'journal/audit-reader.ts',
    'store/approvals.ts',
    'store/approvers.ts',
    'store/messages.ts',
    'store/sections.ts',
    'store/sessions.ts',
    'store/store-version.ts',
  ],
  'cli/settings.ts': ['host/local'],
  'cli/setup.ts': ['capabilities/fs/unified-diff.ts', 'host/local/host.ts'],
  'cli/processes.ts': ['host/local/supervisor/process-log.ts'],
  'cli/supervise.ts': ['host/local', 'store/processes.ts'],
  'cli/setup/client-file.ts': ['host/local/root.ts', 'host/local/user-file.ts'],
  // Decides old calls anew, by today's policy.
  'journal/replay.ts': ['policy/decide.ts'],
  // Its rows hold whole questions.
  'store/approvals.ts': ['runtime/any-question.ts'],
  // Ids say which scope a memory is of.
  'store/memories.ts': ['runtime/memories.ts'],
  // Its rows hold whole lists.
  'store/todos.ts': ['runtime/todos.ts'],
  'store/projects.ts': ['policy/decision.ts'],
  'store/messages.ts': ['runtime/people.ts'],
  'transports/conversations.ts': ['journal/redact.ts'],
};

/** Folders whose parts don't know each other, with the pairs that may: who extends whom. */
const SEPARATE: Readonly<Record<string, readonly string[]>> = {
  capabilities: [
    'docs → fs',
    'exec → fs',
    'git → fs',
    'interact → patch',
    'lsp → fs',
    'patch → fs',
    'patch → git',
    'process → exec',
    'process → fs',
    'search → fs',
  ],
  dialects: ['handrail → coder'],
};

/** Modules of Node that do not touch the machine. */
const HARMLESS = new Set([
  'node:async_hooks',
  'node:crypto',
  'node:path',
  'node:stream',
  'node:util',
  'node:timers',
  'node:timers/promises',
]);
const ON_THE_MACHINE = ['host/local', 'transports', 'cli'];

const BANNED_WORDS = new Set(
  'utils helpers common manager service base impl v2 new legacy enhanced'.split(' '),
);

/** What is wrong with an import; undefined where nothing is. */
function objection({ from, to, isType }: Import): string | undefined {
  if (to.startsWith('node:')) return objectionToNode(from, to);
  if (!to.endsWith('.ts')) return undefined;
  const layer = layerOf(from);
  if (layer === undefined) return `${from} belongs to no folder that is known here`;
  const { values, types = [] } = ARROWS[layer]!;
  const allowed = [layer, ...values, ...(isType ? types : []), ...(MORE[from] ?? [])];
  if (!allowed.some((place) => isIn(to, place))) return `${from} imports ${isType ? 'types of ' : ''}${to}`;
  return objectionToNeighbour(from, to);
}

function objectionToNode(from: string, to: string): string | undefined {
  const isAllowed =
    HARMLESS.has(to) ||
    ON_THE_MACHINE.some((place) => isIn(from, place)) ||
    (isIn(from, 'store') && to === 'node:sqlite');
  return isAllowed ? undefined : `${from} imports ${to}`;
}

function objectionToNeighbour(from: string, to: string): string | undefined {
  const [folder = '', part, ...rest] = from.split('/');
  const [otherFolder, otherPart, ...otherRest] = to.split('/');
  const pairs = SEPARATE[folder];
  // Files right in the folder, such as its index, stand above the parts.
  if (pairs === undefined || folder !== otherFolder || rest.length === 0 || otherRest.length === 0)
    return undefined;
  return part === otherPart || pairs.includes(`${part} → ${otherPart}`) ? undefined : `${from} imports ${to}`;
}

function layerOf(file: string): string | undefined {
  const fitting = Object.keys(ARROWS).filter((place) => isIn(file, place));
  return fitting.sort((one, other) => other.length - one.length)[0];
}

function isIn(file: string, place: string): boolean {
  return file === place || file.startsWith(`${place}/`);
}

/** The source without its comments, which here always stand at the start of a line or behind a blank. */
function withoutComments(source: string): string {
  return source.replace(/^\s*\/\*[^]*?\*\//gm, '').replace(/(^|\s)\/\/ .*$/gm, '$1');
}

function importsOf(from: string, source: string): Import[] {
  const code = withoutComments(source);
  const statements = code.matchAll(/^(?:import|export)\s+(type\s)?([^'";]*?)\s*from\s*'([^']+)'/gm);
  const found = [...statements].map(([, type, names = '', to = '']) => ({
    to,
    isType:
      type !== undefined || (/^\{[^]*\}$/.test(names) && names.slice(1, -1).split(',').every(isTypeName)),
  }));
  const others = [...code.matchAll(/(?:^import\s+|\b(?:import|require)\(\s*)'([^']+)'/gm)];
  return [...found, ...others.map(([, to = '']) => ({ to, isType: false }))].map(({ to, isType }) => ({
    from,
    to: to.startsWith('.') ? normalize(join(dirname(from), to)) : to,
    isType,
  }));
}

function isTypeName(name: string): boolean {
  return name.trim() === '' || name.trim().startsWith('type ');
}

const files = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .sort();
const sources = files.map((file) => ({ file, source: readFileSync(join(SOURCES, file), 'utf8') }));

/** Files whose code, comments aside, has such a thing. */
function filesWith(pattern: RegExp): string[] {
  return sources.filter(({ source }) => pattern.test(withoutComments(source))).map(({ file }) => file);
}

describe('the arrows', () => {
  it('hold for every import', () => {
    const imports = sources.flatMap(({ file, source }) => importsOf(file, source));
    expect(imports.length).toBeGreaterThan(files.length);
    expect(imports.map(objection).filter((found) => found !== undefined)).toEqual([]);
  });

  it('need every exception that is written here', () => {
    const used = new Set(
      sources.flatMap(({ file, source }) => importsOf(file, source)).map(({ from, to }) => `${from} → ${to}`),
    );
    const unused = Object.entries(MORE).flatMap(([from, places]) =>
      places
        .filter((place) => ![...used].some((arrow) => arrow.startsWith(`${from} → ${place}`)))
        .map((place) => `${from} → ${place}`),
    );
    expect(unused).toEqual([]);
  });

  it('lead to files that exist', () => {
    const known = new Set(files);
    const own = sources
      .flatMap(({ file, source }) => importsOf(file, source))
      .filter(({ to }) => to.endsWith('.ts'));
    expect(own.filter(({ to }) => !known.has(to))).toEqual([]);
  });

  it.each<[from: string, to: string, isType: boolean]>([
    ['runtime/call.ts', 'dialects/index.ts', true],
    ['runtime/call.ts', 'capabilities/fs/read.ts', false],
    ['runtime/call.ts', 'store/store.ts', true],
    ['runtime/call.ts', 'host/local/host.ts', false],
    ['runtime/call.ts', 'create-runtime.ts', true],
    ['runtime/call.ts', 'node:fs', false],
    ['policy/decide.ts', 'runtime/tool.ts', true],
    ['policy/decide.ts', 'node:process', false],
    ['capabilities/fs/read.ts', 'capabilities/git/diff.ts', false],
    ['capabilities/fs/read.ts', 'runtime/call.ts', true],
    ['capabilities/fs/read.ts', 'host/local/files.ts', true],
    ['dialects/codelab/fs.ts', 'dialects/coder/fs.ts', true],
    ['dialects/coder/fs.ts', 'dialects/handrail/fs.ts', false],
    ['dialects/coder/fs.ts', 'policy/access.ts', true],
    ['journal/audit-log.ts', 'runtime/tool.ts', true],
    ['journal/audit-log.ts', 'policy/decide.ts', false],
    ['journal/audit-log.ts', 'node:fs', false],
    ['store/store.ts', 'journal/chain.ts', true],
    ['store/store.ts', 'node:fs', false],
    ['journal/recover.ts', 'node:sqlite', false],
    ['host/ports.ts', 'host/local/files.ts', true],
    ['host/local/files.ts', 'policy/places.ts', true],
    ['failure.ts', 'runtime/tool.ts', true],
    ['transports/http/server.ts', 'cli/main.ts', true],
    ['transports/http/server.ts', 'runtime/call.ts', false],
    ['cli/call.ts', 'host/local/host.ts', false],
    ['create-runtime.ts', 'transports/http/server.ts', true],
    ['create-runtime.ts', 'node:os', false],
    ['somewhere/else.ts', 'failure.ts', false],
  ])('refuse %s → %s (types only: %s)', (from, to, isType) => {
    expect(objection({ from, to, isType })).toContain(from);
  });

  it('are read from every form of an import', () => {
    const source = [
      '/** import { x } from "./no.ts" and',
      " * import { y } from './no.ts' */",
      "import { a, type B } from './a.ts';",
      "import type { C } from '../c.ts';",
      'import {',
      '  type D,',
      '  type E,',
      "} from './d.ts';",
      "import * as fs from 'node:fs'; // import './no.ts'",
      "import './effect.ts';",
      "export { f } from './f.ts';",
      "export type { G } from './g.ts';",
      "const glob = '/**'; const late = await import('./late.ts');",
    ].join('\n');
    expect(importsOf('x/y.ts', source)).toEqual([
      { from: 'x/y.ts', to: 'x/a.ts', isType: false },
      { from: 'x/y.ts', to: 'c.ts', isType: true },
      { from: 'x/y.ts', to: 'x/d.ts', isType: true },
      { from: 'x/y.ts', to: 'node:fs', isType: false },
      { from: 'x/y.ts', to: 'x/f.ts', isType: false },
      { from: 'x/y.ts', to: 'x/g.ts', isType: true },
      { from: 'x/y.ts', to: 'x/effect.ts', isType: false },
      { from: 'x/y.ts', to: 'x/late.ts', isType: false },
    ]);
  });
});

describe('every module', () => {
  it('leaves the environment, the arguments and the home to the command line', () => {
    const found = filesWith(/\bprocess\s*(?:\.|\[\s*['"])\s*(?:env|argv)\b|\bhomedir\b|\buserInfo\b/);
    expect(found.length).toBeGreaterThan(0);
    expect(found.filter((file) => !isIn(file, 'cli'))).toEqual([]);
  });

  it('names what it exports', () => {
    expect(filesWith(/^export\s+(?:default\b|\*)|\bas default\b/m)).toEqual([]);
  });

  it('has a name that says what it is', () => {
    const named = files.filter((file) => file.split(/[/.-]/).some((word) => BANNED_WORDS.has(word)));
    expect(named).toEqual([]);
  });
});

const run = promisify(execFile);
const IMPORT = 'for (const url of process.argv.slice(1)) await import(url);';
/** Folders by themselves, and what lies beside them together: each takes a process. */
const partOf = (file: string): string => (file.includes('/') ? file.split('/')[0]! : 'no folder');
const PARTS = [...new Set(files.map(partOf))];

describe('importing', () => {
  it.each(PARTS)('what is in %s does nothing', async (part) => {
    const folder = mkdtempSync(join(tmpdir(), 'importing-'));
    try {
      const urls = files
        .filter((file) => partOf(file) === part && file !== 'cli/main.ts')
        .map((file) => pathToFileURL(join(SOURCES, file)).href);
      // A process that does not end by itself is killed then, which is a failure.
      const options = { cwd: folder, env: { HOME: folder }, timeout: 50_000 };
      const { stdout, stderr } = await run(
        process.execPath,
        ['--input-type=module', '--eval', IMPORT, ...urls],
        options,
      );
      expect({ stdout, stderr, made: readdirSync(folder) }).toEqual({ stdout: '', stderr: '', made: [] });
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
