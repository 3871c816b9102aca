/** Everything that is known about a program, by its name and words. */
import { knowGit } from './git.ts';
import { findBuiltin } from './readers/builtins.ts';
import { readFind } from './readers/find.ts';
import { readSed } from './readers/sed.ts';
import { readListed } from './readers/listed.ts';
import { workingDirectory } from './working-directory.ts';
import { filesWritten } from './writers.ts';
import type { Knowledge } from './program-knowledge.ts';
import type { ShellWord } from './words.ts';

/** What is known about a command; nothing, for most. */
export function knowledgeOf(name: string, args: readonly ShellWord[]): Knowledge {
  return (
    (name === 'git' ? knowGit(args) : undefined) ??
    findBuiltin(name, args) ??
    (name === 'find' ? readFind(args) : undefined) ??
    (name === 'sed' ? readSed(args) : undefined) ??
    readListed(name, args) ??
    knowOther(name, args)
  );
}

/** Programs that may change anything; of some it is known which files, or where. */
function knowOther(name: string, args: readonly ShellWord[]): Knowledge {
  const directory = workingDirectory(name, args);
  const files = filesWritten(name, args);
  return { onlyReads: false, files, ...(directory !== undefined && { directory }) };
}
