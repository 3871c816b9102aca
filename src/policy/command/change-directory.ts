/** Builtins that change the directory of the shell, or end it. */
import { either, enter, staying, type Directories, type Flow } from './directories.ts';
import { isLiteral, type ShellWord } from './words.ts';

/** The directories after a builtin; any other program leaves them as they are. */
export function changeDirectory(name: string, args: readonly ShellWord[], directories: Directories): Flow {
  switch (name) {
    case 'cd':
    case 'chdir':
      return { succeeded: entered(args, directories), failed: directories };
    case 'pushd': {
      // Some shells have no `pushd`, and stay.
      const succeeded = args.length === 1 ? entered(args, directories) : undefined;
      return { succeeded, failed: either(succeeded, directories) };
    }
    case 'popd':
    case '.':
    case 'source':
      return staying(undefined);
    case 'exit':
      return staying([]);
    default:
      return staying(directories);
  }
}

/** The one operand of `cd`, where it is a plain path. */
export function directoryOperand(args: readonly ShellWord[]): ShellWord | undefined {
  const rest = args[0]?.value === '--' || args[0]?.value === '-L' ? args.slice(1) : args;
  const [operand, ...others] = rest;
  const isPlain = operand !== undefined && others.length === 0 && isLiteral(operand);
  return isPlain && operand.value !== '' && !operand.value.startsWith('-') ? operand : undefined;
}

function entered(args: readonly ShellWord[], directories: Directories): Directories {
  const operand = directoryOperand(args)?.value;
  return operand === undefined ? undefined : enter(directories, operand);
}
