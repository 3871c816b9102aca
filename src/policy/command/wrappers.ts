/** Programs that start other programs: what they start is taken out of their words. */
import type { UsedFile } from './findings.ts';
import { optionList, readArguments, type Arguments, type OptionList } from './options.ts';
import { isHarmlessVariable } from './variables.ts';
import { isLiteral, isOneWord, literalWord, unknownWord, type ShellWord } from './words.ts';

/** A command or a script that a wrapper starts. */
export interface Inner {
  readonly words?: readonly ShellWord[];
  readonly script?: string;
  readonly assignments?: readonly string[];
  /** Where it runs; `unknown` where only the run will tell. */
  readonly directory?: ShellWord | 'unknown';
  /** It runs in this very shell, so that a `cd` in it counts. */
  readonly runsInShell?: boolean;
}

export interface Unwrapped {
  readonly inner: readonly Inner[];
  /** It does nothing but start what is inside. */
  readonly isTransparent: boolean;
  readonly unclear?: string;
  readonly files?: readonly UsedFile[];
}

interface Wrapper {
  readonly options: string;
  /** How many operands stand before the command, such as the duration of `timeout`. */
  readonly operands?: number;
  readonly isTransparent?: boolean;
  readonly runsInShell?: boolean;
  /** The command sees other directories, or is run by another user. */
  readonly isElsewhere?: boolean;
  /** Variables may be set before the command. */
  readonly takesAssignments?: boolean;
}

const WRAPPERS: Readonly<Record<string, Wrapper>> = {
  builtin: { options: '', isTransparent: true, runsInShell: true },
  busybox: { options: '', isTransparent: true },
  chroot: { options: '--userspec= --groups= --skip-chdir', operands: 1, isElsewhere: true },
  chrt: { options: '-b -f -i -o -r --batch --fifo --idle --other --rr', operands: 1 },
  command: { options: '-p', isTransparent: true, runsInShell: true },
  doas: { options: '-n -s -u= -C=' },
  env: {
    options:
      '-i -0 -v -u= -C= -S= --split-string= --ignore-environment --null --debug --unset= --chdir= --default-signal? --ignore-signal?',
    isTransparent: true,
    takesAssignments: true,
  },
  exec: { options: '-a= -c -l', isTransparent: true },
  ionice: { options: '-c= -n= -t --class= --classdata= --ignore', isTransparent: true },
  nice: { options: '-n= -# --adjustment=', isTransparent: true },
  nohup: { options: '' },
  setsid: { options: '-c -f -w --ctty --fork --wait' },
  stdbuf: { options: '-i= -o= -e= --input= --output= --error=', isTransparent: true },
  strace: {
    options:
      '-c -C -d -f -F -h -i -k -n -q -r -t -T -v -V -w -x -y -ff -tt -ttt -yy -a= -b= -e= -E= -o=> -O= -p= -P= -s= -S= -u= -U=',
  },
  sudo: {
    options:
      '-A -b -B -E -e -H -i -K -k -l -n -P -S -s -v -C= -D= -g= -h= -p= -R= -r= -T= -t= -U= -u= --user= --group= --preserve-env? --login --non-interactive --set-home --stdin --chdir=',
    takesAssignments: true,
  },
  taskset: { options: '-a -c --all-tasks --cpu-list', operands: 1, isTransparent: true },
  time: { options: '-p -v -q -a -f= -o=> --verbose --portability --format= --output=>' },
  timeout: {
    options: '-s= -k= -v -f -p --signal= --kill-after= --foreground --preserve-status --verbose',
    operands: 1,
    isTransparent: true,
  },
  toybox: { options: '', isTransparent: true },
  unshare: {
    options:
      '-m -u -i -n -p -U -C -T -f -r -c --mount? --uts? --ipc? --net? --pid? --user? --cgroup? --time? --fork --map-root-user --map-current-user --map-auto --mount-proc? --keep-caps --kill-child? -R= -w= -S= -G= --root= --wd= --setuid= --setgid= --propagation=',
    isElsewhere: true,
  },
};

/** Programs that start others by rules that are not known here. */
const LAUNCHERS = new Set(
  'bwrap caffeinate catchsegv cgexec choom coreutils dbus-run-session eatmydata fakechroot fakeroot firejail gdb ltrace nsenter numactl parallel perf pkexec prlimit proot rlwrap run-parts runuser script setarch setpriv ssh-agent start-stop-daemon su systemd-run torsocks unbuffer valgrind x86_64 xvfb-run'.split(
    ' ',
  ),
);

const CANT_TELL = "It can't be told which command this starts.";
const lists = new Map<string, OptionList>();

/** What a wrapper starts; undefined where the program is none, or starts nothing with these words. */
export function unwrap(name: string, words: readonly ShellWord[]): Unwrapped | undefined {
  if (name === 'command' && /^-\w*[vV]/.test(words[0]?.value ?? '')) return undefined;
  if (name === 'exec' && words.length === 0) return undefined;
  if (name === 'xargs') return unwrapXargs(words);
  if (name === 'watch') return unwrapWatch(words);
  if (name === 'flock') return unwrapFlock(words);
  if (LAUNCHERS.has(name)) return cantTell(words);
  const wrapper = Object.hasOwn(WRAPPERS, name) ? WRAPPERS[name]! : undefined;
  return wrapper === undefined ? undefined : unwrapListed(name, wrapper, words);
}

function unwrapListed(name: string, wrapper: Wrapper, words: readonly ShellWord[]): Unwrapped | undefined {
  const found = argumentsOf(name, wrapper.options, words);
  if (!found.isUnderstood) return cantTell(words);
  const { options, operands } = found;
  if (name === 'env' && options.some(({ name }) => SPLITTING.has(name))) return splitWords(found);
  const rest = operands.slice(wrapper.operands ?? 0);
  const [assignments, command] = wrapper.takesAssignments === true ? takeAssignments(rest) : [[], rest];
  // A word before the command that becomes several would bring another one.
  if (!operands.slice(0, operands.length - command.length).every(isOneWord)) return cantTell(words);
  if (command.length === 0) return undefined;
  const directory = options.find(({ name }) => ['-C', '--chdir', '-D', '-w', '--wd'].includes(name))?.value;
  const removed = options.flatMap(({ name, value }) =>
    /^(?:-u|--unset)$/.test(name) ? [value?.value ?? '?'] : [],
  );
  const inner: Inner = {
    words: command,
    assignments:
      name === 'env' ? [...assignments, ...removed.filter((name) => !isHarmlessVariable(name))] : assignments,
    runsInShell: wrapper.runsInShell === true,
    ...(wrapper.isElsewhere === true ? { directory: 'unknown' } : directory !== undefined && { directory }),
  };
  const written = options.filter(({ role }) => role === 'written').map(({ value }) => asWritten(value!));
  return {
    inner: [inner],
    isTransparent: wrapper.isTransparent === true || isPlainTime(name, found),
    files: written,
  };
}

const SPLITTING = new Set(['-S', '--split-string']);

/** `env -S` makes words of a text, by rules much like those of a shell. */
function splitWords({ options, operands }: Arguments): Unwrapped {
  const texts = options.flatMap(({ name, value }) => (SPLITTING.has(name) ? [value ?? unknownWord('')] : []));
  const { inner } = joined([...texts, ...operands]);
  const anywhere = inner.map((one) => ({ ...one, directory: 'unknown' as const }));
  return { inner: anywhere, isTransparent: false, unclear: CANT_TELL };
}

function argumentsOf(name: string, options: string, words: readonly ShellWord[]): Arguments {
  const list = lists.get(name) ?? optionList(options);
  lists.set(name, list);
  return readArguments(words, list, { stopsAtOperand: true });
}

function asWritten(word: ShellWord): UsedFile {
  return { use: 'write', word, isTree: false };
}

/** `time` writes nothing unless told where. */
function isPlainTime(name: string, { options }: Arguments): boolean {
  return name === 'time' && options.every(({ role }) => role !== 'written');
}

function takeAssignments(words: readonly ShellWord[]): [string[], readonly ShellWord[]] {
  const names: string[] = [];
  for (const [at, { prefix }] of words.entries()) {
    const [, name] = /^([^=]+)=/.exec(prefix) ?? [];
    if (name === undefined) return [names, words.slice(at)];
    names.push(name);
  }
  return [names, []];
}

/** Where the command can't be told: a guess, so that what is forbidden is seen behind options that are not known. */
function cantTell(words: readonly ShellWord[]): Unwrapped {
  const at = words.findIndex((word) => !mayBeOptionWord(word));
  const inner: Inner[] = at === -1 ? [] : [{ words: words.slice(at), directory: 'unknown' }];
  return { inner, isTransparent: false, unclear: CANT_TELL };
}

function mayBeOptionWord({ prefix }: ShellWord): boolean {
  return prefix.startsWith('-') || /^\w*=/.test(prefix);
}

const XARGS =
  '-0 -r -t -x -p -o -a=< -d= -E= -e? -I= -i? -J= -L= -l? -n= -P= -R= -s= --null --no-run-if-empty --verbose --exit --arg-file=< --delimiter= --replace? --max-lines? --max-args= --max-procs= --max-chars= --open-tty';

/** `xargs` puts what it reads behind the words, or in place of a mark in them. */
function unwrapXargs(words: readonly ShellWord[]): Unwrapped {
  const { options, operands, isUnderstood } = argumentsOf('xargs', XARGS, words);
  if (!isUnderstood) return cantTell(words);
  const given = operands.length === 0 ? [literalWord('echo')] : operands;
  const replacing = options.find(({ name }) => ['-I', '-i', '-J', '--replace'].includes(name));
  const mark =
    replacing === undefined ? undefined : replacing.value === undefined ? '{}' : replacing.value.value;
  const filled =
    replacing === undefined || replacing.name === '-J'
      ? [...given, unknownWord('…', true)]
      : given.map((word) => (mark === undefined ? unknownWord(word.text) : fill(word, mark)));
  const files = options
    .filter(({ role }) => role === 'read')
    .map(({ value }) => ({ use: 'read' as const, word: value!, isTree: false }));
  return { inner: [{ words: filled }], isTransparent: true, files };
}

/** A word in which a program puts something for a mark such as `{}`. */
export function fill(word: ShellWord, mark: string): ShellWord {
  if (word.value !== undefined && !word.value.includes(mark)) return word;
  const known = word.prefix.split(mark, 1)[0]!;
  return { ...unknownWord(word.text), prefix: known };
}

/** `watch` gives its words to a shell as one text. */
function unwrapWatch(words: readonly ShellWord[]): Unwrapped | undefined {
  const options =
    '-b -c -d? -e -g -n= -p -q= -r -t -w -x -C --beep --color --differences? --errexit --chgexit --interval= --precise --no-title --no-wrap --exec';
  const found = argumentsOf('watch', options, words);
  if (!found.isUnderstood) return cantTell(words);
  const isDirect = found.options.some(({ name }) => name === '-x' || name === '--exec');
  if (isDirect) return { inner: [{ words: found.operands }], isTransparent: false };
  return { ...joined(found.operands), isTransparent: false };
}

function unwrapFlock(words: readonly ShellWord[]): Unwrapped {
  const options =
    '-s -x -e -u -n -o -F -v -w= -E= --shared --exclusive --unlock --nonblock --close --no-fork --verbose --timeout= --wait= --conflict-exit-code=';
  const { operands, isUnderstood } = argumentsOf('flock', options, words);
  const [lock, first, script] = operands;
  if (!isUnderstood || lock === undefined || !isOneWord(lock)) return cantTell(words);
  const files = [asWritten(lock)];
  if (first?.value === '-c' || first?.value === '--command')
    return { ...joined([script ?? unknownWord('')]), isTransparent: false, files };
  return { inner: first === undefined ? [] : [{ words: operands.slice(1) }], isTransparent: false, files };
}

/** Words that become a script once they are joined. */
export function joined(words: readonly ShellWord[]): Pick<Unwrapped, 'inner' | 'unclear'> {
  if (!words.every(isLiteral)) return { inner: [], unclear: CANT_TELL };
  return { inner: [{ script: words.map(({ value }) => value).join(' ') }] };
}
