/**
 * What a git command does. Reading verbs count as readers in a sandbox only: a repository's own config can make them run
 * programs (`core.fsmonitor`, `diff.external`, text conversion, a pager), which a read-only workspace without network contains.
 */
import type { UsedFile } from './findings.ts';
import { GIT_READING, isGitVerb, isGitWrite, type GitReadingVerb } from './git-verbs.ts';
import { optionList, readArguments, type Arguments, type OptionList } from './options.ts';
import type { Knowledge } from './program-knowledge.ts';
import type { Inner } from './wrappers.ts';
import { isLiteral, literalWord, type ShellWord } from './words.ts';

/** Options before the verb. Those that would bring settings or programs are known, so that the verb is found behind them. */
const GLOBAL_OPTIONS =
  '-C= -c= -p -P --no-pager --paginate --no-optional-locks --no-replace-objects --literal-pathspecs --glob-pathspecs --noglob-pathspecs --icase-pathspecs --bare --git-dir= --work-tree= --namespace= --exec-path? --config-env= --super-prefix= --attr-source= --version --help';
const HARMLESS_OPTIONS =
  /^(?:-C|-P|--no-pager|--no-optional-locks|--no-replace-objects|--(?:literal|glob|noglob|icase)-pathspecs|--version)$/;
const HARMLESS_SETTINGS =
  /^(?:color\.[\w.]+|core\.quotepath|core\.pager)=(?:auto|always|never|true|false|on|off|cat)?$/i;

let globalOptions: OptionList | undefined;
const lists = new Map<string, OptionList>();

/** What is known about a git command. */
export function knowGit(args: readonly ShellWord[]): Knowledge {
  globalOptions ??= optionList(GLOBAL_OPTIONS);
  const { options, operands, isUnderstood } = readArguments(args, globalOptions, { stopsAtOperand: true });
  const directories = options.filter(({ name }) => name === '-C').map(({ value }) => value!);
  const place = directoryOf(directories);
  const [verb, ...rest] = operands;
  if (!isUnderstood || (verb !== undefined && !isLiteral(verb)))
    return unclear("It can't be told what git is asked to do.", options);
  if (verb === undefined)
    return { onlyReads: options.some(({ name }) => name === '--version') ? 'always' : false, files: [] };
  const isPlain = options.every(
    ({ name, value }) =>
      HARMLESS_OPTIONS.test(name) || (name === '-c' && HARMLESS_SETTINGS.test(value?.value ?? '')),
  );
  const known: Knowledge = isGitVerb(verb.value)
    ? knowVerb(verb.value, rest)
    : unclear(`git has no verb ${verb.text}: it may be an alias that runs any program.`, options);
  const judged = isPlain
    ? known
    : { ...known, ...unclear('It brings its own settings to git, which may run any program.', options) };
  return { ...judged, ...(known.gitWrite !== undefined && { gitWrite: known.gitWrite }), ...place };
}

function unclear(why: string, options: Arguments['options']): Knowledge {
  return { onlyReads: false, files: [], unclear: why, inner: programsIn(options) };
}

const NAMES_A_PROGRAM =
  /^[^=]*(?:alias\.|pager|editor|command|fsmonitor|external|textconv|helper|cmd|filter\.)[^=]*=!?(.+)$/is;

/** What `-c alias.x='!command'` would run, so that what is forbidden is seen there. */
function programsIn(options: Arguments['options']): Inner[] {
  return options.flatMap(({ name, value }) => {
    const script = name === '-c' ? NAMES_A_PROGRAM.exec(value?.value ?? '')?.[1] : undefined;
    return script === undefined ? [] : [{ script, directory: 'unknown' as const }];
  });
}

/** Several `-C` follow one another. */
function directoryOf(words: readonly ShellWord[]): Pick<Knowledge, 'directory'> {
  const [first, ...others] = words;
  if (first === undefined) return {};
  const values = words.map(({ value }) => value);
  if (others.length === 0 || values.includes(undefined))
    return { directory: words.find((word) => !isLiteral(word)) ?? first };
  return {
    directory: literalWord(
      values.reduce((path, next) => (next!.startsWith('/') ? next! : `${path}/${next}`))!,
    ),
  };
}

function knowVerb(verb: string, args: readonly ShellWord[]): Knowledge {
  const reading = Object.hasOwn(GIT_READING, verb) ? GIT_READING[verb]! : undefined;
  const read = reading === undefined ? undefined : readVerb(verb, reading, args);
  if (read !== undefined) return { onlyReads: 'sandboxed', files: read };
  const inner = startedBy(verb, args);
  const gitWrite = isGitWrite(verb) ? [verb, ...qualifier(verb, args)].join(' ') : undefined;
  return { onlyReads: false, files: [], inner, ...(gitWrite !== undefined && { gitWrite }) };
}

/** The files it shows; undefined where it is not known to only read. */
function readVerb(verb: string, reading: GitReadingVerb, args: readonly ShellWord[]): UsedFile[] | undefined {
  const list = lists.get(verb) ?? optionList(reading.options);
  lists.set(verb, list);
  const separator = args.findIndex(({ value }) => value === '--');
  const before = separator === -1 ? args : args.slice(0, separator);
  const { options, operands, isUnderstood } = readArguments(before, list);
  if (!isUnderstood) return undefined;
  const { subverbs, listsWith } = reading;
  if (subverbs !== undefined && operands.length > 0 && !subverbs.includes(operands[0]!.value ?? ''))
    return undefined;
  // Without a verb of its own, `git stash` puts things away and `git worktree` is an error.
  if (verb === 'stash' && operands.length === 0) return undefined;
  if (listsWith !== undefined && operands.length > 0 && !options.some(({ name }) => listsWith.includes(name)))
    return undefined;
  const paths = separator === -1 ? [] : args.slice(separator + 1);
  return filesShown(reading, options, operands, paths);
}

function filesShown(
  { paths: role, showsContents }: GitReadingVerb,
  options: Arguments['options'],
  operands: readonly ShellWord[],
  separated: readonly ShellWord[],
): UsedFile[] {
  const named = role === 'anywhere' ? operands.filter((word) => !isRevision(word)) : [];
  const inRevisions = operands.flatMap(pathInRevision);
  const given = options.filter(({ role }) => role === 'read').map(({ value }) => value!);
  const paths = [...named, ...inRevisions, ...separated];
  const isPatch = options.some(({ name }) => ['-p', '-u', '--patch', '-L'].includes(name));
  const shown = paths.length > 0 || !(showsContents === true || isPatch) ? paths : [literalWord('.')];
  // Whatever it shows, it looks into the directory it is in.
  const looked = shown.length > 0 ? [] : [{ use: 'read' as const, word: literalWord('.'), isTree: false }];
  return [
    ...looked,
    ...shown.map((word) => ({ use: 'read' as const, word, isTree: true })),
    ...given.map((word) => ({ use: 'read' as const, word, isTree: false })),
  ];
}

/** A word that names commits by its look, and no file. */
function isRevision({ value }: ShellWord): boolean {
  return (
    value !== undefined &&
    (/^(?:@|[A-Z_]*HEAD|[0-9a-f]{7,64}|stash|main|master|origin\/[\w./-]+)(?:[~^@{}\d]*)$/.test(value) ||
      /[^/]\.\.|\.\.[^/]|:|[~^]|@\{/.test(value))
  );
}

/** `HEAD:path` shows a file. */
function pathInRevision({ value }: ShellWord): ShellWord[] {
  const [, path] = /^[^:]+:(?!\/\/)(.+)$/s.exec(value ?? '') ?? [];
  return path === undefined ? [] : [literalWord(path)];
}

const QUALIFIERS: Readonly<Record<string, RegExp>> = {
  branch: /^-[dDmMcCuft]$|^--(?:delete|move|copy|force|set-upstream-to|unset-upstream|edit-description)/,
  config: /^--(?:unset|unset-all|add|replace-all|global|system|local|edit|remove-section|rename-section)$/,
  push: /^(?:-f|--force|--force-with-lease|--delete|-d|--mirror|--tags)/,
  reset: /^--(?:hard|soft|mixed|keep|merge)$/,
  tag: /^(?:-d|--delete|-a|-s|-f|--force)$/,
};
const SUBVERBS = new Set([
  'bisect',
  'notes',
  'reflog',
  'remote',
  'stash',
  'submodule',
  'worktree',
  'sparse-checkout',
  'maintenance',
]);

/** The option or verb that says what is really changed: `branch -d`, `stash pop`. */
function qualifier(verb: string, args: readonly ShellWord[]): string[] {
  const isWord = SUBVERBS.has(verb);
  const pattern = isWord ? /^[a-z]/ : QUALIFIERS[verb];
  const found = pattern && args.find(({ value }) => pattern.test(value ?? ''))?.value;
  return found === undefined ? [] : [found.split('=', 1)[0]!];
}

/** Verbs that run a command of the caller's. */
function startedBy(verb: string, args: readonly ShellWord[]): Inner[] {
  const [subverb, ...rest] = args;
  if (verb === 'bisect' && subverb?.value === 'run') return [{ words: rest }];
  if (verb === 'submodule' && subverb?.value === 'foreach') {
    const command = rest.filter(({ value }) => value !== '--recursive' && value !== '--quiet');
    const [script] = command;
    return command.length === 1 && script !== undefined && isLiteral(script)
      ? [{ script: script.value, directory: 'unknown' }]
      : [{ words: command, directory: 'unknown' }];
  }
  if (verb !== 'rebase') return [];
  return args.flatMap((word, at) => {
    const attached = /^(?:-x|--exec=)(.+)$/s.exec(word.value ?? '')?.[1];
    const script = /^(?:-x|--exec)$/.test(word.value ?? '') ? args[at + 1]?.value : attached;
    return script === undefined ? [] : [{ script }];
  });
}
