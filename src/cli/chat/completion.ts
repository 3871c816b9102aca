/** What Tab makes of a command or a file's name that is half written. */

export interface Completion {
  readonly text: string;
  readonly cursor: number;
  /** What there is to choose from, where there is more than one. */
  readonly choices: readonly string[];
}

/** The word at the cursor that can be completed: a command at the very start, or a file after an `@`. */
export function wordAt(
  text: string,
  cursor: number,
): { kind: 'command' | 'file'; word: string; start: number } | undefined {
  const written = text.slice(0, cursor);
  const command = /^\/(\S*)$/.exec(written);
  if (command !== null) return { kind: 'command', word: command[1]!, start: 1 };
  const file = /(?:^|\s)@(\S*)$/.exec(written);
  return file === null ? undefined : { kind: 'file', word: file[1]!, start: cursor - file[1]!.length };
}

/** Completes as far as all names agree. */
export function complete(
  text: string,
  cursor: number,
  names: { readonly commands: readonly string[]; readonly files: readonly string[] },
): Completion {
  const found = wordAt(text, cursor);
  if (found === undefined) return { text, cursor, choices: [] };
  const { kind, word, start } = found;
  const choices = kind === 'command' ? startingWith(word, names.commands) : filesLike(word, names.files);
  const [only] = choices;
  if (only === undefined) return { text, cursor, choices };
  const isWhole = choices.length === 1;
  const shared = isWhole ? `${only}${only.endsWith('/') ? '' : ' '}` : sharedStart(choices);
  const written = shared.startsWith(word) ? shared : isWhole ? shared : word;
  return {
    text: `${text.slice(0, start)}${written}${text.slice(cursor).replace(/^ /, isWhole ? '' : ' ')}`,
    cursor: start + written.length,
    choices: isWhole ? [] : choices,
  };
}

function startingWith(word: string, names: readonly string[]): string[] {
  return names.filter((name) => name.startsWith(word));
}

/** Files whose path goes on from what is written; else those with it somewhere, as one looks for a file by its name. */
function filesLike(word: string, files: readonly string[]): string[] {
  const going = startingWith(word, files);
  if (going.length > 0) return oneLevel(word, going);
  const wanted = word.toLowerCase();
  return files.filter((file) => file.toLowerCase().includes(wanted));
}

/** Folders once, however many files are in them. */
function oneLevel(word: string, files: readonly string[]): string[] {
  const end = (file: string): number => file.indexOf('/', word.length) + 1 || file.length;
  return [...new Set(files.map((file) => file.slice(0, end(file))))];
}

function sharedStart(names: readonly string[]): string {
  const [first = '', ...others] = names;
  let length = first.length;
  for (const name of others) while (!name.startsWith(first.slice(0, length))) length--;
  return first.slice(0, length);
}
