/** Git on this machine: which program, whose settings, and a repository made ready for runs that obey nothing in it. */
import { accessSync, constants, lstatSync, realpathSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Failure } from '../../../failure.ts';
import type {
  Commands,
  Git,
  GitCommand,
  GitProgress,
  GitPrograms,
  GitStep,
  Repository,
} from '../../ports.ts';
import type { Root } from '../root.ts';
import type { CommandSurroundings } from '../sandbox/commands.ts';
import { cleanPath } from '../sandbox/environment.ts';
import { findRepository, type RepositoryPlace } from './find-repository.ts';
import { filtersIn, type GitSetting, harmlessSettings, listSettings } from './git-settings.ts';
import { readSmallFile } from './read-small-file.ts';
import { changeScript, environmentOf, inputName, wordsOf } from './run-words.ts';
import { type StandIn, standInFor } from './stand-in.ts';
import { readUserSettings, type UserSettings } from './user-settings.ts';

/** Where a confined run sees what stands in for the repository's shared folder. */
const PLACE = '/run/handrail/git';
/** Where it sees that folder itself, where it is not in the workspace. */
const ELSEWHERE = '/run/handrail/repository';

/** The repositories of one workspace. */
export function localGit(root: Root, surroundings: CommandSurroundings, commands: Commands): Git {
  const { state, environment } = surroundings;
  let found: Promise<UserSettings & { readonly program: string }> | undefined;
  const user = (): NonNullable<typeof found> =>
    (found ??= (async () => {
      const program = findGit(environment['PATH'], root);
      return { program, ...(await readUserSettings(program, surroundings, root.roots)) };
    })());
  const known = new Map<string, { readonly text: string; readonly settings: readonly GitSetting[] }>();
  const settingsOf = async (program: string, file: string): Promise<readonly GitSetting[]> => {
    const text = readSmallFile(file) ?? '';
    const before = known.get(file);
    if (before?.text === text) return before.settings;
    const settings = await listSettings(program, { PATH: '/usr/bin:/bin' }, text);
    known.set(file, { text, settings });
    return settings;
  };
  return {
    async open(path) {
      const place = findRepository(root, path);
      const { program, ...theirs } = await user();
      const shared = await settingsOf(program, `${place.shared}/config`);
      const hasMore = lastOf(shared).get('extensions.worktreeconfig') === 'true';
      const own = hasMore ? await settingsOf(program, `${place.own}/config.worktree`) : [];
      const settings = [...shared, ...own];
      refuseUnfit(root, place, lastOf(settings));
      return openRepository({ root, place, program, theirs, settings, state, commands });
    },
    branchAt(path) {
      try {
        const head = readSmallFile(`${findRepository(root, path).own}/HEAD`);
        return /^ref: refs\/heads\/(?!\.invalid\n)([^\n]+)\n$/.exec(head ?? '')?.[1];
      } catch (error) {
        if (error instanceof Failure) return undefined;
        throw error;
      }
    },
  };
}

interface OpenParts {
  readonly root: Root;
  readonly place: RepositoryPlace;
  readonly program: string;
  readonly theirs: UserSettings;
  readonly settings: readonly GitSetting[];
  readonly state: string;
  readonly commands: Commands;
}

function openRepository(parts: OpenParts): Repository {
  const { root, place, program, theirs, settings, state, commands } = parts;
  const tree = place.workTree === '.' ? root.roots[0] : `${root.roots[0]}/${place.workTree}`;
  const all = [...theirs.settings, ...settings];
  const made = new DisposableStack();
  const prepare = async (
    steps: readonly GitStep[],
    isWriting: boolean,
    programs: GitPrograms = NO_PROGRAMS,
  ): Promise<GitCommand> => {
    const isConfined = ['A', 'A-'].includes((await commands.sandbox()).tier);
    const seenAs = isConfined && !place.isInside ? ELSEWHERE : place.shared;
    const standIn = made.use(makeStandIn(isConfined, seenAs, programs));
    const folder = isConfined ? PLACE : standIn.folder;
    return {
      ...(isWriting ? changing(steps, standIn) : reading(steps[0]!)),
      directory: place.workTree,
      env: environmentOf({ folder, own: place.own.replace(place.shared, () => seenAs), tree, isWriting }),
      given: [
        { source: standIn.folder, place: PLACE, isWritable: isWriting },
        ...(place.isInside ? [] : [{ source: place.shared, place: ELSEWHERE, isWritable: false }]),
      ],
    };
  };
  const reading = (step: GitStep) => ({ program, args: wordsOf(step), stdin: step.stdin });
  const changing = (steps: readonly GitStep[], standIn: StandIn) => {
    for (const [index, { stdin }] of steps.entries())
      if (stdin !== undefined) writeFileSync(join(standIn.folder, inputName(index)), stdin);
    return { program: '/bin/sh', args: ['-c', changeScript(program, steps, place.shared)] };
  };
  const makeStandIn = (isConfined: boolean, seenAs: string, programs: GitPrograms): StandIn =>
    standInFor(place, {
      ...programs,
      roots: root.roots,
      own: join(state, 'git'),
      seenAs,
      filesIn(folder) {
        const seen = isConfined ? PLACE : folder;
        const files = { excludes: `${seen}/excludes`, attributes: `${seen}/attributes` };
        return { config: harmlessSettings(all, files, programs), ...theirs.files };
      },
    });
  return {
    path: place.workTree,
    isLinked: place.own !== place.shared,
    isInside: place.isInside,
    underWay: progressOf(place.own),
    hasSubmodules: lstatSync(`${tree}/.gitmodules`, { throwIfNoEntry: false })?.isFile() === true,
    settings: lastOf(settings),
    prepare: (step) => prepare([step], false),
    filters: filtersIn(all),
    prepareChange: (steps, programs) => prepare(steps, true, programs),
    [Symbol.dispose]: () => made[Symbol.dispose](),
  };
}

const NO_PROGRAMS: GitPrograms = { runsPrograms: false };

const MARKS: readonly (readonly [name: string, progress: GitProgress])[] = [
  ['MERGE_HEAD', 'merge'],
  ['rebase-merge', 'rebase'],
  ['rebase-apply/applying', 'apply'],
  ['rebase-apply', 'rebase'],
  ['CHERRY_PICK_HEAD', 'cherry-pick'],
  ['REVERT_HEAD', 'revert'],
  ['BISECT_LOG', 'bisect'],
];

function progressOf(own: string): GitProgress | undefined {
  return MARKS.find(([name]) => lstatSync(`${own}/${name}`, { throwIfNoEntry: false }) !== undefined)?.[1];
}

function lastOf(settings: readonly GitSetting[]): Map<string, string> {
  return new Map(settings.map(([name, value]) => [name, value ?? 'true']));
}

/** A repository whose files are none, or lie elsewhere, is not the one that its folder seems to be. */
function refuseUnfit(
  { roots }: Root,
  { own, shared, workTree }: RepositoryPlace,
  settings: ReadonlyMap<string, string>,
): void {
  if (own !== shared) return;
  const shown = JSON.stringify(workTree);
  if (settings.get('core.bare') === 'true')
    throw new Failure('E_GIT', `The repository at ${shown} is bare: it has no files to work on.`);
  const elsewhere = settings.get('core.worktree');
  const tree = workTree === '.' ? roots[0] : `${roots[0]}/${workTree}`;
  if (elsewhere !== undefined && realPath(resolve(own, elsewhere)) !== tree)
    throw new Failure(
      'E_UNSUPPORTED',
      `The repository at ${shown} keeps its files elsewhere (core.worktree).`,
    );
}

function realPath(path: string): string | undefined {
  try {
    return realpathSync.native(path);
  } catch {
    return undefined;
  }
}

/** By its place: a program of that name in the workspace is not it. */
function findGit(path: string | undefined, { roots }: Root): string {
  const isProgram = (file: string): boolean => {
    try {
      accessSync(file, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  };
  const found = cleanPath(path, roots)
    .split(':')
    .map((folder) => `${folder}/git`)
    .find(isProgram);
  if (found !== undefined) return found;
  throw new Failure('E_UNSUPPORTED', 'git is not installed.', { hint: 'apt-get install git' });
}
