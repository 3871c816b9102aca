/**
 * The language servers that are known: what they are called, which files they are for, how they are installed. Adding
 * one is a line here; users add theirs in the settings.
 */

export interface KnownServer {
  /** As people call it. */
  readonly name: string;
  /** A program by name, never a shell's line, and its arguments. */
  readonly command: readonly [program: string, ...args: string[]];
  /** The command that installs it, by platform; `any` where a platform has no way of its own. */
  readonly install: { readonly any: string; readonly debian?: string; readonly darwin?: string };
  /** What it is told when it asks for its settings. */
  readonly settings?: Readonly<Record<string, unknown>> | undefined;
  /** What it is told at the start. */
  readonly options?: unknown;
  /** How long it goes on reporting after its first report. */
  readonly settleMs?: number;
  /** It may run programs that the workspace chose, build scripts for one: without a sandbox it is not started. */
  readonly runsWorkspaceCode?: boolean;
  /** A program without which it finds less. */
  readonly companion?: Companion;
  /** A package.json beside the program must say at least this major version. */
  readonly minimumMajor?: number;
}

export interface Companion {
  readonly program: string;
  readonly install: KnownServer['install'];
  /** What it is for, behind "so". */
  readonly without: string;
}

export interface KnownLanguage {
  readonly name: string;
  /** The protocol's name for the language, by how a file's name ends. */
  readonly files: Readonly<Record<string, string>>;
  /** The first one that is installed is used; the first one is what a hint names. */
  readonly servers: readonly KnownServer[];
  /** Expected to be there; of all others nothing is said as long as they are not. */
  readonly isDefault?: boolean;
}

const SHELLCHECK: Companion = {
  program: 'shellcheck',
  install: { any: 'brew install shellcheck', debian: 'apt-get install shellcheck' },
  without: 'it finds errors of syntax only',
};

const npm = (packages: string): { any: string } => ({ any: `npm install --global ${packages}` });

export const KNOWN_LANGUAGES: readonly KnownLanguage[] = [
  {
    name: 'sh',
    files: { '.sh': 'shellscript', '.bash': 'shellscript', '.zsh': 'shellscript' },
    isDefault: true,
    servers: [
      {
        name: 'bash-language-server',
        command: ['bash-language-server', 'start'],
        install: npm('bash-language-server'),
        settings: { bashIde: { explainshellEndpoint: '', shellcheckExternalSources: false } },
        companion: SHELLCHECK,
      },
    ],
  },
  {
    name: 'py',
    files: { '.py': 'python', '.pyi': 'python' },
    isDefault: true,
    servers: [
      {
        name: 'pylsp',
        command: ['pylsp'],
        install: {
          any: "pipx install 'python-lsp-server[pyflakes]'",
          debian: 'apt-get install python3-pylsp python3-pyflakes',
        },
      },
      {
        name: 'pyright',
        command: ['pyright-langserver', '--stdio'],
        install: npm('pyright'),
        settings: { python: { analysis: { autoSearchPaths: true, useLibraryCodeForTypes: true } } },
      },
    ],
  },
  {
    name: 'ts',
    files: {
      '.ts': 'typescript',
      '.mts': 'typescript',
      '.cts': 'typescript',
      '.tsx': 'typescriptreact',
      '.js': 'javascript',
      '.mjs': 'javascript',
      '.cjs': 'javascript',
      '.jsx': 'javascriptreact',
    },
    servers: [
      {
        name: 'typescript',
        command: ['tsc', '--lsp', '--stdio'],
        install: npm('typescript@7'),
        minimumMajor: 7,
        settings: { typescript: { disableAutomaticTypeAcquisition: true } },
      },
    ],
  },
  {
    name: 'c',
    files: {
      '.c': 'c',
      '.h': 'c',
      '.cc': 'cpp',
      '.cpp': 'cpp',
      '.cxx': 'cpp',
      '.hpp': 'cpp',
      '.hh': 'cpp',
      '.hxx': 'cpp',
    },
    servers: [
      {
        name: 'clangd',
        command: ['clangd', '--background-index=false'],
        install: {
          any: 'dnf install clang-tools-extra',
          debian: 'apt-get install clangd',
          darwin: 'brew install llvm',
        },
      },
    ],
  },
  {
    name: 'go',
    files: { '.go': 'go', 'go.mod': 'go.mod' },
    servers: [
      {
        name: 'gopls',
        command: ['gopls'],
        install: { any: 'go install golang.org/x/tools/gopls@latest' },
        settleMs: 300,
        runsWorkspaceCode: true,
      },
    ],
  },
  {
    name: 'rust',
    files: { '.rs': 'rust' },
    servers: [
      {
        name: 'rust-analyzer',
        command: ['rust-analyzer'],
        install: { any: 'rustup component add rust-analyzer' },
        options: {
          checkOnSave: false,
          cargo: { buildScripts: { enable: false } },
          procMacro: { enable: false },
        },
        settleMs: 300,
        runsWorkspaceCode: true,
      },
    ],
  },
  {
    name: 'json',
    files: { '.json': 'json', '.jsonc': 'jsonc' },
    servers: [
      {
        name: 'vscode-json-language-server',
        command: ['vscode-json-language-server', '--stdio'],
        install: npm('vscode-langservers-extracted'),
      },
    ],
  },
  {
    name: 'yaml',
    files: { '.yaml': 'yaml', '.yml': 'yaml' },
    servers: [
      {
        name: 'yaml-language-server',
        command: ['yaml-language-server', '--stdio'],
        install: npm('yaml-language-server'),
        settings: { yaml: { schemaStore: { enable: false, url: '' } } },
      },
    ],
  },
  {
    name: 'html',
    files: { '.html': 'html', '.htm': 'html' },
    servers: [
      {
        name: 'vscode-html-language-server',
        command: ['vscode-html-language-server', '--stdio'],
        install: npm('vscode-langservers-extracted'),
      },
    ],
  },
  {
    name: 'css',
    files: { '.css': 'css', '.scss': 'scss', '.less': 'less' },
    servers: [
      {
        name: 'vscode-css-language-server',
        command: ['vscode-css-language-server', '--stdio'],
        install: npm('vscode-langservers-extracted'),
      },
    ],
  },
  {
    name: 'lua',
    files: { '.lua': 'lua' },
    servers: [
      {
        name: 'lua-language-server',
        command: ['lua-language-server'],
        install: { any: 'brew install lua-language-server' },
      },
    ],
  },
  {
    name: 'ruby',
    files: { '.rb': 'ruby' },
    servers: [
      {
        name: 'ruby-lsp',
        command: ['ruby-lsp'],
        install: { any: 'gem install ruby-lsp' },
        runsWorkspaceCode: true,
      },
    ],
  },
  {
    name: 'zig',
    files: { '.zig': 'zig' },
    servers: [
      { name: 'zls', command: ['zls'], install: { any: 'brew install zls' }, runsWorkspaceCode: true },
    ],
  },
];
