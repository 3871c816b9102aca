/** How a project checks itself, told from the files in its root. */
import type { AgentPorts } from '../open-agent-ports.ts';

interface Kind {
  readonly files: readonly string[];
  /** The command; undefined where the file does not say that there is one. */
  readonly command: (text: string, ports: AgentPorts) => Promise<string | undefined>;
}

const always = (command: string): Kind['command'] => {
  return async () => command;
};

const KINDS: readonly Kind[] = [
  { files: ['go.mod'], command: always('go test ./...') },
  { files: ['Cargo.toml'], command: always('cargo test') },
  { files: ['pyproject.toml', 'pytest.ini', 'requirements.txt'], command: always('pytest') },
  { files: ['package.json'], command: npmTest },
  {
    files: ['Makefile', 'makefile'],
    command: async (text) => (/^test[ \t]*:(?!=)/m.test(text) ? 'make test' : undefined),
  },
];

/** The commands that check the project: those of the settings, or the first that the files tell of. */
export async function findChecks(ports: AgentPorts): Promise<readonly string[]> {
  const { isOff, commands } = ports.settings.verify;
  if (isOff) return [];
  if (commands !== undefined) return commands;
  for (const { files, command } of KINDS) {
    for (const file of files) {
      const text = await ports.readText(file);
      const found = text === undefined ? undefined : await command(text, ports);
      if (found !== undefined) return [found];
    }
  }
  return [];
}

async function npmTest(text: string, ports: AgentPorts): Promise<string | undefined> {
  const script = testScript(text);
  // What `npm init` writes where there are no tests.
  if (script === undefined || script.includes('no test specified')) return undefined;
  for (const [lock, manager] of LOCKS)
    if ((await ports.readText(lock)) !== undefined) return `${manager} test`;
  return 'npm test';
}

const LOCKS = [
  ['pnpm-lock.yaml', 'pnpm'],
  ['yarn.lock', 'yarn'],
] as const;

function testScript(text: string): string | undefined {
  try {
    const { scripts } = JSON.parse(text) as { readonly scripts?: { readonly test?: unknown } };
    return typeof scripts?.test === 'string' && scripts.test.trim() !== '' ? scripts.test : undefined;
  } catch {
    return undefined;
  }
}
