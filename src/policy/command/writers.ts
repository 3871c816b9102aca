/** Well-known commands that change files: which of their words are files, so that rules on paths count for them. */
import type { UsedFile } from './findings.ts';
import { isLiteral, type ShellWord } from './words.ts';

interface Writer {
  /** Options with a value in the next word, which is no file. */
  readonly valued?: string;
  /** Operands before the files, such as the mode of `chmod`. */
  readonly skips?: number;
  /** `last`: only the last operand, or the value of `-t`, is written; the others are read. */
  readonly writes: 'all' | 'last';
  /** The options that make it work on whole trees, or that it always does. */
  readonly trees?: RegExp | true;
}

const RECURSIVE = /^-[a-zA-Z]*[rR]|^--recursive$|^-[a-zA-Z]*a|^--archive$/;

const WRITERS: Readonly<Record<string, Writer>> = {
  chgrp: { writes: 'all', skips: 1, trees: RECURSIVE },
  chmod: { writes: 'all', skips: 1, trees: RECURSIVE },
  chown: { writes: 'all', skips: 1, trees: RECURSIVE },
  cp: { writes: 'last', valued: '-S --suffix', trees: RECURSIVE },
  gunzip: { writes: 'all' },
  gzip: { writes: 'all', valued: '-S --suffix' },
  install: { writes: 'last', valued: '-g -m -o -S --group --mode --owner --suffix' },
  link: { writes: 'last' },
  ln: { writes: 'last', valued: '-S --suffix' },
  mkdir: { writes: 'all', valued: '-m --mode' },
  mkfifo: { writes: 'all', valued: '-m --mode' },
  mv: { writes: 'all', valued: '-S --suffix', trees: true },
  rm: { writes: 'all', trees: RECURSIVE },
  rmdir: { writes: 'all' },
  shred: { writes: 'all', valued: '-n -s --iterations --size' },
  tee: { writes: 'all' },
  touch: { writes: 'all', valued: '-d -r -t --date --reference --time' },
  truncate: { writes: 'all', valued: '-s -r --size --reference' },
  unlink: { writes: 'all' },
};

/** The files a command is sure to read or write. */
export function filesWritten(name: string, args: readonly ShellWord[]): UsedFile[] {
  if (name === 'dd') return filesOfDd(args);
  if (name === 'sort' || name === 'tree') return outputOf(args);
  if (name === 'uniq' || name === 'xxd') return secondOperand(args);
  const writer = Object.hasOwn(WRITERS, name) ? WRITERS[name]! : undefined;
  return writer === undefined ? [] : filesOf(writer, args);
}

function filesOf(writer: Writer, args: readonly ShellWord[]): UsedFile[] {
  const { operands, target, options } = plainOperands(args, new Set(writer.valued?.split(' ')));
  const isTree =
    writer.trees === true ||
    (writer.trees !== undefined && options.some((option) => (writer.trees as RegExp).test(option)));
  const files = operands.slice(writer.skips ?? 0);
  if (writer.writes === 'all') return [...files, ...target].map((word) => ({ use: 'write', word, isTree }));
  const written = target.length > 0 ? target : files.slice(-1);
  const read = target.length > 0 ? files : files.slice(0, -1);
  return [
    ...read.map((word) => ({ use: 'read' as const, word, isTree })),
    ...written.map((word) => ({ use: 'write' as const, word, isTree })),
  ];
}

interface Operands {
  readonly operands: readonly ShellWord[];
  readonly options: readonly string[];
  /** The value of `-t`, where everything goes. */
  readonly target: readonly ShellWord[];
}

function plainOperands(args: readonly ShellWord[], valued: ReadonlySet<string>): Operands {
  const operands: ShellWord[] = [];
  const options: string[] = [];
  const target: ShellWord[] = [];
  let isOver = false;
  for (let at = 0; at < args.length; at++) {
    const word = args[at]!;
    if (isOver || !word.prefix.startsWith('-') || word.value === '-') operands.push(word);
    else if (word.value === '--') isOver = true;
    else {
      options.push(word.prefix);
      if (valued.has(word.prefix)) at++;
      else if (/^(?:-[a-zA-Z]*t|--target-directory)$/.test(word.prefix) && !valued.has('-t'))
        target.push(...args.slice(++at, at + 1));
    }
  }
  return { operands: operands.filter((word) => word.value !== '-'), options, target };
}

function filesOfDd(args: readonly ShellWord[]): UsedFile[] {
  return args.flatMap((word) => {
    if (!isLiteral(word) || !/^[io]f=/.test(word.value)) return [];
    const value = word.value.slice(3);
    const use = word.value.startsWith('of') ? 'write' : 'read';
    return [{ use, word: { ...word, value, prefix: value, text: value }, isTree: false } as const];
  });
}

/** The value of `-o`, attached or not. */
function outputOf(args: readonly ShellWord[]): UsedFile[] {
  return args.flatMap((word, at) => {
    const [, attached] = /^(?:-[a-zA-Z]*?o|--o[a-z]*=)(.+)$/s.exec(word.value ?? '') ?? [];
    const value = /^(?:-[a-zA-Z]*o|--o[a-z]*)$/.test(word.value ?? '') ? args[at + 1]?.value : attached;
    return value === undefined
      ? []
      : [{ use: 'write', word: { ...word, value, prefix: value, text: value }, isTree: false } as const];
  });
}

function secondOperand(args: readonly ShellWord[]): UsedFile[] {
  const [, second] = plainOperands(args, new Set(['-f', '-s', '-w', '-c', '-g', '-l', '-o'])).operands;
  return second === undefined ? [] : [{ use: 'write', word: second, isTree: false }];
}
