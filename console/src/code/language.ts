/** Which language code is in, by the name of its file or of the language. */

/** The highlighter's word for each, and the endings and names of its files. */
const LANGUAGES: Readonly<Record<string, string>> = {
  bash: 'bash sh zsh .bashrc .zshrc',
  c: 'c h',
  cpp: 'cc cpp cxx hpp',
  csharp: 'cs',
  css: 'css',
  go: 'go',
  graphql: 'graphql gql',
  ini: 'ini toml cfg conf properties',
  java: 'java',
  javascript: 'js cjs mjs jsx',
  json: 'json jsonc json5',
  kotlin: 'kt kts',
  less: 'less',
  lua: 'lua',
  makefile: 'mk Makefile GNUmakefile',
  markdown: 'md markdown',
  objectivec: 'm',
  perl: 'pl pm',
  php: 'php',
  python: 'py pyi',
  r: 'r R',
  ruby: 'rb Gemfile Rakefile',
  rust: 'rs',
  scss: 'scss',
  sql: 'sql',
  swift: 'swift',
  typescript: 'ts cts mts tsx',
  vbnet: 'vb',
  wasm: 'wat',
  xml: 'html htm svg vue xml',
  yaml: 'yaml yml',
};

const KNOWN = new Map(
  Object.entries(LANGUAGES).flatMap(([language, names]) => names.split(' ').map((name) => [name, language])),
);

/** The highlighter's word for it; empty where there is none. */
export function languageOf(path: string): string {
  const name = path.split('/').at(-1)!;
  return KNOWN.get(name) ?? KNOWN.get(/\.(\w+)$/.exec(name)?.[1] ?? '') ?? '';
}

/** The same for a language as people write it: `ts`, `python`. */
export function languageCalled(name: string): string {
  return KNOWN.get(name) ?? (Object.hasOwn(LANGUAGES, name) ? name : '');
}
