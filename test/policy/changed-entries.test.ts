/** What of a command's changes may become part of the workspace. */
import { describe, expect, it } from 'vitest';
import { type ChangedPath, refusedEntry } from '../../src/policy/changed-entries.ts';
import { isHarmlessConfig } from '../../src/policy/harmless-config.ts';
import { protectPlaces } from '../../src/policy/places.ts';
import { Policies } from '../../src/policy/policies.ts';
import type { Rule } from '../../src/policy/rule.ts';

const LOCATIONS = { home: '/home/a', state: '/ws/.state', config: '/home/a/.config/handrail' };
const CALL = { tool: 'bash', effect: 'exec', accesses: [], requestedPermissions: ['proc.exec'] } as const;

type Kind = 'missing' | 'file' | 'directory';

const change = (path: string, before: Kind, after: Kind): ChangedPath => ({
  path,
  before: { kind: before },
  after: { kind: after },
});
const made = (path: string, kind: Kind = 'file'): ChangedPath => change(path, 'missing', kind);

/** The path that is refused; undefined where none is. */
async function refused(
  entries: readonly ChangedPath[],
  contents: Readonly<Record<string, string>> = {},
  rules: readonly Rule[] = [],
): Promise<string | undefined> {
  const policy = new Policies(rules, protectPlaces(['/ws'], LOCATIONS)).for('handrail', 'ask', []);
  const read = async (path: string): Promise<string | undefined> => contents[path];
  const readBefore = (path: string): Promise<string | undefined> => read(`${path} before`);
  return (await refusedEntry(entries, { call: CALL, policy, opensGitConfig: false, read, readBefore }))?.path;
}

const SAMPLES = ['applypatch-msg', 'pre-commit'].map((name) => made(`sub/.git/hooks/${name}.sample`));
const NEW_REPOSITORY = [
  made('sub/.git', 'directory'),
  made('sub/.git/HEAD'),
  made('sub/.git/config'),
  made('sub/.git/hooks', 'directory'),
  ...SAMPLES,
];
const PLAIN_CONFIG = '[core]\n\trepositoryformatversion = 0\n\tfilemode = true\n\tbare = false\n';

describe('refusedEntry', () => {
  it('finds nothing wrong with what anybody may change, whatever the call limited itself to', async () => {
    expect(
      await refused([made('a.txt'), change('.git/index', 'file', 'file'), made('d', 'directory')]),
    ).toBeUndefined();
  });

  it.each([
    ['.handrail/config.jsonc', 'file'],
    ['.state/handrail.sqlite', 'file'],
    ['a/.ssh/key', 'file'],
    ['.git/hooks/pre-commit', 'file'],
    ['.GIT/hooks/pre-commit', 'file'],
    ['.git/hooks/pre-commit.sample', 'file'],
    ['.git/config.worktree', 'file'],
    ['.git/worktrees/w/config.worktree', 'file'],
    ['sub/.git', 'file'],
  ] as const)('refuses %s', async (path, kind) => {
    const harmless = made('a.txt');
    expect(await refused([harmless, made(path, kind)])).toBe(path);
    expect(await refused([change(path, kind, 'missing')])).toBe(path.endsWith('.git') ? undefined : path);
  });

  it('refuses what a written rule denies, to be written and to be deleted', async () => {
    const deny: Rule = { action: 'deny', permission: ['fs.write', 'fs.delete'], path: 'secret/**' };
    expect(await refused([made('a'), made('secret/x')], {}, [deny])).toBe('secret/x');
    expect(await refused([change('secret/x', 'file', 'missing')], {}, [deny])).toBe('secret/x');
  });

  it('lets a repository come to be that has nothing in it to obey', async () => {
    expect(await refused(NEW_REPOSITORY, { 'sub/.git/config': PLAIN_CONFIG })).toBeUndefined();
  });

  it.each([
    [
      'a hook',
      [...NEW_REPOSITORY, made('sub/.git/hooks/pre-commit')],
      PLAIN_CONFIG,
      'sub/.git/hooks/pre-commit',
    ],
    ['a setting to obey', NEW_REPOSITORY, `${PLAIN_CONFIG}\tfsmonitor = ./run\n`, 'sub/.git/config'],
    ['a config that can not be read', NEW_REPOSITORY, undefined, 'sub/.git/config'],
  ] as const)('refuses a new repository with %s', async (_what, entries, config, path) => {
    const contents = config === undefined ? {} : { 'sub/.git/config': config };
    expect(await refused(entries, contents)).toBe(path);
  });

  it('knows branches, tags and logs by their place, whatever they are called', async () => {
    const names = [
      'refs/heads/config',
      'refs/heads/hooks/x',
      'logs/refs/heads/config',
      'worktrees/w/logs/config',
    ];
    expect(await refused(names.map((name) => made(`.git/${name}`)))).toBeUndefined();
    expect(await refused([made('.git/modules/refs/config')])).toBe('.git/modules/refs/config');
  });

  it('lets a worktree and a submodule come to be, whose repositories lie in this one', async () => {
    const worktree = [
      made('w/.git'),
      made('.git/worktrees/w', 'directory'),
      made('.git/worktrees/w/commondir'),
    ];
    const contents = { 'w/.git': 'gitdir: /ws/.git/worktrees/w\n', '.git/worktrees/w/commondir': '../..\n' };
    expect(await refused(worktree, contents)).toBeUndefined();
    expect(await refused(worktree, { ...contents, 'w/.git': 'gitdir: /elsewhere\n' })).toBe('w/.git');
    expect(await refused(worktree, { ...contents, '.git/worktrees/w/commondir': '/elsewhere\n' })).toBe(
      '.git/worktrees/w/commondir',
    );
    const module = [
      made('m/.git'),
      made('.git/modules/m', 'directory'),
      made('.git/modules/m/config'),
      made('.git/modules/m/hooks', 'directory'),
      made('.git/modules/m/hooks/update.sample'),
    ];
    const config = `${PLAIN_CONFIG}\tworktree = ../../../m\n[remote "origin"]\n\turl = https://example.org/m\n`;
    const inside = { 'm/.git': 'gitdir: ../.git/modules/m\n', '.git/modules/m/config': config };
    expect(await refused(module, inside)).toBeUndefined();
  });

  it('lets harmless settings be added to those that are there', async () => {
    const old = '[alias]\n\tst = !run\n';
    const path = 'sub/.git/config';
    const changed = [change(path, 'file', 'file')];
    const contents = { [`${path} before`]: old, [path]: `${old}[branch "x"]\n\tremote = origin\n` };
    expect(await refused(changed, contents)).toBeUndefined();
    expect(await refused(changed, { ...contents, [path]: '[alias]\n\tst = !other\n' })).toBe(path);
  });

  it('lets a whole repository go', async () => {
    const gone = ['sub/.git', 'sub/.git/config', 'sub/.git/hooks', 'sub/.git/hooks/update'];
    expect(await refused(gone.map((path) => change(path, 'file', 'missing')))).toBeUndefined();
  });
});

describe('isHarmlessConfig', () => {
  const section = '[remote "origin"]\n\tfetch = +refs/heads/*:refs/remotes/origin/*\n';
  it.each([
    '',
    PLAIN_CONFIG,
    `${section}\turl = git@example.org:a/b.git\n`,
    `# a comment\n${section}\turl = ../other\n[branch "main"]\n\tremote = origin\n\tmerge = refs/heads/main\n`,
    '[user]\n\tname = A\n\temail = a@b\n',
  ])('is %j', (text) => expect(isHarmlessConfig(text)).toBe(true));

  it.each([
    '[core]\n\thooksPath = x\n',
    '[core] fsmonitor = x\n',
    '[core]\n\tsshCommand = x\n',
    '[include]\n\tpath = ../x\n',
    '[alias]\n\tst = !x\n',
    '[filter "x"]\n\tclean = x\n',
    `${section}\turl = ext::sh -c x\n`,
    `${section}\turl = --upload-pack=x\n`,
    `${section}\tuploadpack = x\n`,
    '[core]\n\tfilemode = true\\\n\thookspath = x\n',
    '[core]\n\tworktree = /etc\n',
    'nothing that makes sense',
  ])('is not %j', (text) => expect(isHarmlessConfig(text)).toBe(false));
});
