/** Shells and builtins that run a text: `sh -c`, `eval`, `trap`, `alias`. */
import { joined, type Unwrapped } from './wrappers.ts';
import { isLiteral, type ShellWord } from './words.ts';

const SHELLS = new Set(['sh', 'bash', 'dash', 'ash']);
/** Shells with a grammar of their own. */
const OTHER_SHELLS = new Set([
  'zsh',
  'ksh',
  'mksh',
  'fish',
  'csh',
  'tcsh',
  'rbash',
  'yash',
  'posh',
  'nu',
  'pwsh',
]);
const NOT_A_TEXT = 'It runs a text that only a shell could tell.';

/** What a shell runs; undefined where the program is none. */
export function unwrapShell(name: string, words: readonly ShellWord[]): Unwrapped | undefined {
  if (name === 'eval') return unwrapEval(words);
  if (name === 'trap') return unwrapTrap(words);
  if (name === 'alias') return unwrapAlias(words);
  if (OTHER_SHELLS.has(name)) {
    const script = words.findLast(isLiteral)?.value;
    const unclear = `The grammar of ${name} is not known here.`;
    return { inner: script === undefined ? [] : [{ script }], isTransparent: false, unclear };
  }
  return SHELLS.has(name) ? unwrapScript(words) : undefined;
}

function unwrapEval(words: readonly ShellWord[]): Unwrapped {
  const given = words[0]?.value === '--' ? words.slice(1) : words;
  const { inner, unclear } = joined(given);
  const here = inner.map((one) => ({ ...one, runsInShell: true }));
  return { inner: here, isTransparent: true, ...(unclear !== undefined && { unclear: NOT_A_TEXT }) };
}

/** The text of a trap runs whenever a signal comes, with whatever is the case then. */
function unwrapTrap(words: readonly ShellWord[]): Unwrapped {
  const script = (words[0]?.value === '--' ? words[1] : words[0])?.value;
  const unclear = 'It sets a trap, which runs at another time.';
  return {
    inner: script === undefined ? [] : [{ script, directory: 'unknown' }],
    isTransparent: false,
    unclear,
  };
}

function unwrapAlias(words: readonly ShellWord[]): Unwrapped {
  const scripts = words.flatMap(({ value }) => {
    const equals = value?.indexOf('=') ?? -1;
    return equals === -1 ? [] : [value!.slice(equals + 1)];
  });
  const inner = scripts.map((script) => ({ script, directory: 'unknown' as const }));
  return { inner, isTransparent: false, unclear: 'It sets an alias, so that names mean something else.' };
}

/** Options of a shell that change nothing about what a text runs. */
const PLAIN_OPTION = /^[-+][celuxvf]*$/;
const PLAIN_LONG = new Set(['--login', '--noprofile', '--norc', '--posix']);

function unwrapScript(words: readonly ShellWord[]): Unwrapped | undefined {
  const unclear: Unwrapped = { inner: [], isTransparent: false, unclear: NOT_A_TEXT };
  let isText = false;
  for (let at = 0; at < words.length; at++) {
    const word = words[at]!;
    if (!isLiteral(word)) return unclear;
    const { value } = word;
    if (
      /^[-+][celuxvf]*o$/.test(value) &&
      /^(?:pipefail|errexit|nounset|posix)$/.test(words[at + 1]?.value ?? '')
    ) {
      isText ||= value.includes('c');
      at++;
    } else if (value === '--') {
      return isText ? textAt(words, at + 1) : undefined;
    } else if (PLAIN_OPTION.test(value) && value.length > 1) isText ||= value.includes('c');
    else if (!PLAIN_LONG.has(value)) {
      if (value.startsWith('-') || value.startsWith('+'))
        return { ...unclear, ...guess(words.slice(at + 1)) };
      // Without `-c` it is a file, which is a program like any other.
      return isText ? textAt(words, at) : undefined;
    }
  }
  return unclear;
}

function textAt(words: readonly ShellWord[], at: number): Unwrapped {
  const word = words[at];
  if (word === undefined || !isLiteral(word)) return { inner: [], isTransparent: false, unclear: NOT_A_TEXT };
  return { inner: [{ script: word.value }], isTransparent: true };
}

/** So that what is forbidden is seen behind options that are not known. */
function guess(words: readonly ShellWord[]): Pick<Unwrapped, 'inner'> {
  return {
    inner: words.flatMap((word) =>
      isLiteral(word) && !word.value.startsWith('-') ? [{ script: word.value }] : [],
    ),
  };
}
