/** Finds where things are defined, line by line and by what their language usually looks like: cheap, and right mostly. */

export interface Definition {
  readonly name: string;
  /** Counted from 0. */
  readonly line: number;
  /** How far the line is indented. */
  readonly depth: number;
}

/** What is defined in the lines of a file. */
export function definitionsIn(lines: readonly string[], path: string): Definition[] {
  const patterns = PATTERNS.get(path.slice(path.lastIndexOf('.') + 1).toLowerCase());
  if (patterns === undefined) return [];
  const found: Definition[] = [];
  for (const [line, text] of lines.entries()) {
    if (text.length > MAX_CHARACTERS || text.length < 4) continue;
    const name = nameIn(text, patterns);
    if (name !== undefined) found.push({ name, line, depth: text.length - text.trimStart().length });
  }
  return found;
}

/** Longer lines are data. */
const MAX_CHARACTERS = 400;

function nameIn(text: string, patterns: readonly RegExp[]): string | undefined {
  for (const pattern of patterns) {
    const name = pattern.exec(text)?.[1];
    if (name !== undefined && !NO_NAMES.has(name)) return name;
  }
  return undefined;
}

/** What looks like the head of a function, and is something else. */
const NO_NAMES = new Set(
  'if else for while switch catch return do try with function constructor typeof sizeof defined new throw await yield case elif except'.split(
    ' ',
  ),
);

const SCRIPT = [
  /^\s*(?:export\s+)?(?:default\s+)?(?:declare\s+)?(?:abstract\s+)?(?:async\s+)?(?:function\b\s*\*?|class|interface|type|enum|namespace)\s+([\w$]+)/,
  /^\s*(?:export\s+)?(?:const|let|var)\s+([\w$]+)\s*(?::[^=]+)?=\s*(?:async\s*)?(?:\(|function\b|\w+\s*=>)/,
  /^(?:export\s+)?(?:const|let|var)\s+([\w$]+)/,
  /^\s+(?:(?:public|private|protected|static|async|readonly|override|get|set)\s+)*[*#]?([\w$]+)\s*(?:<[^>]*>)?\([^;]*\)?\s*(?::[^;={]+)?\{$/,
];

const FUNCTION_AT_START = /^(?:[A-Za-z_][\w:<>,*&~ \t]*[\s*&])?([A-Za-z_~][\w:~]*)\s*\([^;{}]*\)?[^;]*$/;

const C = [
  /^\s*(?:typedef\s+)?(?:struct|class|enum(?:\s+class)?|union|namespace)\s+(\w+)[^;()]*$/,
  /^\s*#\s*define\s+(\w+)/,
  /^(?:SYSCALL_DEFINE\d|DEFINE_\w+|EXPORT_\w+|module_\w+)\(\s*(\w+)/,
  FUNCTION_AT_START,
];

const WITH_MODIFIERS = [
  /^\s*(?:@\w+\s+)*(?:(?:public|private|protected|internal|static|final|abstract|sealed|partial|open|data|inline|case)\s+)*(?:class|interface|enum|struct|record|object|trait|protocol|extension|module|namespace)\s+([\w.]+)/,
  /^\s*(?:(?:public|private|protected|internal|static|final|open|override|suspend|inline|mutating)\s+)*(?:fun|func|def|function|sub)\s+(?:\w+\.)?([\w?!]+)/,
  /^\s*(?:(?:public|private|protected|internal|static|final|abstract|override|virtual|async|synchronized|native)\s+)+[\w<>[\],.? ]+\s+(\w+)\s*\(/,
];

const FAMILIES: readonly (readonly [endings: string, patterns: readonly RegExp[]])[] = [
  ['ts tsx mts cts js jsx mjs cjs vue svelte', SCRIPT],
  ['py pyi', [/^\s*(?:async\s+)?(?:def|class)\s+(\w+)/, /^([A-Z][A-Z0-9_]{2,})\s*[:=]/]],
  ['go', [/^func\s+(?:\([^)]*\)\s*)?(\w+)/, /^\s*type\s+(\w+)/, /^(?:var|const)\s+(\w+)/]],
  [
    'rs',
    [
      /^\s*(?:pub(?:\([^)]*\))?\s+)?(?:default\s+)?(?:(?:async|unsafe|const|extern(?:\s+"[^"]*")?)\s+)*(?:fn|struct|enum|trait|mod|type|union|static)\s+(?:mut\s+)?(\w+)/,
      /^\s*macro_rules!\s*(\w+)/,
      /^\s*(?:pub(?:\([^)]*\))?\s+)?const\s+(\w+)/,
      /^\s*impl(?:<[^>]*>)?\s+(?:[\w:<>]+\s+for\s+)?(\w+)/,
    ],
  ],
  ['c h cc cpp cxx hpp hh hxx m mm', C],
  ['java kt kts cs swift scala php groovy dart', WITH_MODIFIERS],
  [
    'rb ex exs lua',
    [/^\s*(?:local\s+)?(?:class|module|def|defp|defmodule|function)\s+(?:self\.)?([\w.:?!]+)/],
  ],
  ['sh bash zsh', [/^\s*(?:function\s+)?([\w-]+)\s*\(\)/, /^\s*function\s+([\w-]+)/]],
  ['md mdx markdown', [/^#{1,6}\s+(\S.*)$/]],
  [
    'sql',
    [
      /^\s*create\s+(?:or\s+replace\s+)?(?:\w+\s+)?(?:table|view|function|procedure|trigger|index)\s+(?:if\s+not\s+exists\s+)?["`[]?([\w.]+)/i,
    ],
  ],
  ['proto graphql gql thrift', [/^\s*(?:message|service|rpc|enum|type|interface|input|struct)\s+(\w+)/]],
];

const PATTERNS = new Map(
  FAMILIES.flatMap(([endings, patterns]) => endings.split(' ').map((ending) => [ending, patterns] as const)),
);
