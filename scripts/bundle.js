// Bundles the command line into dist/cli/: a chunk a command, loaded when it is called, with the packages it needs.
// CommonJS: the loader of ES modules reads every member of every built-in module that is imported, which costs more than the rest.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { rolldown } from 'rolldown';

const FOLDER = 'dist/cli';
/** Packages with programs of the platform; they stay where npm put them. */
const EXTERNAL = ['@vscode/ripgrep', '@lydell/node-pty'];
/** What most starts never need: a chunk each, that is loaded by its first use. */
const LATE = [
  {
    name: 'command-analysis',
    test: /\/node_modules\/unbash\/|\/src\/policy\/command\/(?!command-pattern|variables)/,
  },
  {
    name: 'config-file',
    test: /\/node_modules\/jsonc-parser\/|\/src\/config\/(?:parse|schema)|\/src\/policy\/rule-schema/,
  },
  { name: 'charset', test: /\/node_modules\/chardet\// },
  { name: 'diff', test: /\/node_modules\/diff\// },
  { name: 'envelope', test: /\/src\/runtime\/envelope/ },
  { name: 'known-languages', test: /\/src\/host\/local\/language\/(?:installed|known)-servers/ },
  {
    name: 'language-servers',
    test: /\/node_modules\/vscode-jsonrpc\/|\/src\/host\/local\/language\/(?!installed|known)/,
  },
  { name: 'other-dialects', test: /\/src\/dialects\/(?:clude|codelab|tenas)\// },
  {
    name: 'skills',
    test: /\/node_modules\/yaml\/|\/src\/capabilities\/skills\/(?!use|skill-name)/,
  },
  { name: 'supervisor', test: /\/src\/host\/local\/supervisor\/(?!background|settle)/ },
  {
    name: 'sandboxes',
    test: /\/src\/host\/local\/(?:view|copies)\/|\/src\/host\/local\/sandbox\/(?!commands|control-groups|environment|private-folders)/,
  },
  { name: 'web', test: /\/node_modules\/undici\/|\/src\/host\/local\/web\/(?:ask|readable)\.ts/ },
];
/** Threads of their own, each a file beside the others that it does not share anything with. */
const THREADS = {
  'readable-worker': 'src/host/local/web/readable-worker.ts',
  'code-index-worker': 'src/host/local/code-index/code-index-worker.ts',
};
/** The program that parses documents, in a process of its own; the library starts it too. */
const PARSER = 'dist/host/local/documents/parser';
const NOTICES = 'dist/THIRD-PARTY.md';

/** Writes the command line and the parser of documents; returns the files that went into them. */
export async function bundleCommandLine() {
  return [
    ...(await bundle({ main: 'src/cli/main.ts' }, FOLDER, 'cjs', LATE)),
    ...(await bundleThreads()),
    ...(await bundle({ main: 'src/host/local/documents/parser/main.ts' }, PARSER, 'js')),
  ];
}

/** Writes the licences of the packages that these files are from. */
export function writeNotices(modules) {
  writeFileSync(NOTICES, notices(modules));
}

/** One by one: they would share chunks otherwise. */
async function bundleThreads() {
  const modules = [];
  for (const [name, file] of Object.entries(THREADS))
    modules.push(...(await bundle({ [name]: file }, FOLDER, 'cjs')));
  return modules;
}

/** Returns the files that went into it. */
async function bundle(input, folder, extension, groups = []) {
  const build = await rolldown({
    input,
    platform: 'node',
    external: EXTERNAL,
    // A package has one that only a style sheet with a mistake in it would come to.
    checks: { eval: input['readable-worker'] === undefined },
    preserveEntrySignatures: 'allow-extension',
    transform: { target: 'node24' },
    // A package's modules for bundlers: the others may load their parts by names that are put together.
    resolve: { mainFields: ['module', 'main'] },
  });
  const { output } = await build.write({
    dir: folder,
    format: extension === 'cjs' ? 'cjs' : 'esm',
    entryFileNames: `[name].${extension}`,
    chunkFileNames: `[name].${extension}`,
    sourcemap: extension === 'cjs',
    ...(groups.length > 0 ? { codeSplitting: { groups, includeDependenciesRecursively: false } } : {}),
    // Half of what would have to be read at every start.
    comments: false,
  });
  if (extension === 'cjs')
    for (const { fileName, code } of output.filter(({ type }) => type === 'chunk'))
      writeFileSync(join(folder, fileName), loadLate(code));
  return output.flatMap(({ moduleIds = [] }) => moduleIds);
}

/**
 * Built-in modules, and chunks that most starts never need, are loaded by their first use: some of them take as long
 * as Node itself. Lines stay.
 */
function loadLate(code) {
  const chunks = LATE.map(({ name }) => name).join('|');
  const late = new RegExp(
    `^(?:let|const) (\\w+) = require\\("(?:node:[\\w/]+|\\./(?:${chunks})\\.cjs)"\\);$`,
    'gm',
  );
  const names = [...code.matchAll(late)]
    .map(([, name]) => name)
    // One that is wrapped for its default export is assigned again.
    .filter((name) => code.split(`${name} = `).length === 2);
  return names.reduce(
    (text, name) =>
      text
        .replaceAll(new RegExp(`\\b${name}\\.`, 'g'), `${name}.module.`)
        .replace(
          new RegExp(`^(?:let|const) ${name} = (require\\(.*\\));$`, 'm'),
          `let ${name} = { get module() { const value = $1; Object.defineProperty(this, "module", { value }); return value; } };`,
        ),
    code,
  );
}

function notices(modules) {
  const packages = new Set(
    modules.flatMap((id) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(id)?.[0] ?? []),
  );
  const parts = [...packages].toSorted(byName).map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
    const text = file === undefined ? '' : `\n\n${readFileSync(join(folder, file), 'utf8').trim()}`;
    return `## ${name} ${version} (${license})${text}\n`;
  });
  return `# What the command line and the console are built with\n\n${parts.join('\n')}`;
}

function byName(one, other) {
  return one < other ? -1 : 1;
}
