/** Programs that are told by an option where to work. */
import { isLiteral, literalWord, unknownWord, type ShellWord } from './words.ts';

const OPTIONS: Readonly<Record<string, readonly string[]>> = {
  gmake: ['-C', '--directory'],
  make: ['-C', '--directory'],
  ninja: ['-C'],
  npm: ['-C', '--prefix'],
  pnpm: ['-C', '--dir'],
  tar: ['-C', '--directory'],
  yarn: ['--cwd'],
};

/** The directory a program is told to work in; an unknown word where it may be any. */
export function workingDirectory(name: string, args: readonly ShellWord[]): ShellWord | undefined {
  const options = Object.hasOwn(OPTIONS, name) ? OPTIONS[name]! : [];
  const given = options.flatMap((option) => valuesOf(option, args));
  return given.length > 1 ? unknownWord('') : given[0];
}

function valuesOf(option: string, args: readonly ShellWord[]): ShellWord[] {
  const attached = option.startsWith('--') ? `${option}=` : option;
  return args.flatMap((word, at) => {
    if (word.value === option) return [args[at + 1] ?? unknownWord('')];
    if (!word.prefix.startsWith(attached)) return [];
    return [isLiteral(word) ? literalWord(word.value.slice(attached.length)) : unknownWord(word.text)];
  });
}
