/** What an agent would need to say yes in the person's place, and the commands that take it where nothing stops them. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { McpClient } from '../support/mcp-client.ts';
import type { Questions } from '../support/questions.ts';
import type { Serving } from '../support/serve.ts';

/** Everything that there is to be reached. */
export interface Ground {
  readonly state: string;
  readonly config: string;
  readonly server: Serving;
  readonly mcp: McpClient;
  readonly questions: Questions;
  /** The one that is open. */
  readonly question: string;
}

interface Theft {
  /** What is to be had. */
  readonly title: string;
  /** Where things are is in variables: an agent could find it out. */
  readonly command: string;
  /** Whether what it wrote, or did, is what only the person may. */
  readonly succeeds: (said: string, ground: Ground) => boolean | Promise<boolean>;
  /** Whether the machine itself keeps it from the user's other processes. */
  readonly isKept?: (ground: Ground) => boolean;
}

/** What a command writes that reached somebody; none of them has it in its own words. */
const REACHED = 'answer: reached';
const IS_WELL = '"status":"ok"';

const WEBSOCKET = ['Upgrade: websocket', 'Connection: Upgrade', 'Sec-WebSocket-Version: 13'];

const THEFTS: readonly Theft[] = [
  {
    title: 'the questions, by the command line',
    command: '"$NODE" handrail/bin/handrail.js approvals list --json',
    succeeds: (said, { question }) => said.includes(question),
  },
  {
    title: 'the questions, out of the store',
    command: `grep -aoh 'apr_[0-9A-Za-z_-]*' "$STATE"/handrail.sqlite* | sort -u`,
    succeeds: (said, { question }) => said.includes(question),
  },
  {
    title: 'the settings',
    command: 'cat "$CONFIG"/config.jsonc',
    succeeds: (said) => said.includes('guarded.txt'),
  },
  {
    title: 'settings of its own',
    command: 'echo planted > "$CONFIG"/planted',
    succeeds: (_, { config }) => existsSync(join(config, 'planted')),
  },
  {
    title: 'state of its own',
    command: 'echo planted > "$STATE"/planted',
    succeeds: (_, { state }) => existsSync(join(state, 'planted')),
  },
  {
    title: 'the token, in the environment of processes',
    command: String.raw`cat /proc/[0-9]*/environ | tr '\0' '\n' | grep TOKEN`,
    succeeds: (said, { server }) => said.includes(server.token),
  },
  {
    title: 'the command lines of the server and the supervisor',
    command: String.raw`cat /proc/[0-9]*/cmdline | tr '\0' ' '`,
    succeeds: (said) => said.includes('handrail.js serve') || said.includes('supervise'),
  },
  {
    title: "the approval key, in the server's memory",
    command: '"$NODE" find-key.ts "$SERVER"',
    succeeds: (said, { server }) => said.includes(server.approvalKey),
    isKept: ({ server }) => spawnSync('sh', ['-c', `: < /proc/${server.child.pid}/mem`]).status !== 0,
  },
  {
    title: 'an end of the server',
    // By its number alone it could be another process inside.
    command:
      'for pid in "$SERVER" "$MCP"; do grep -aq handrail.js "/proc/$pid/cmdline" && kill -0 "$pid" && echo answer: "reached"; done',
    succeeds: (said) => said.includes(REACHED),
  },
  {
    title: "the supervisor's socket",
    command: 'for socket in "$STATE"/supervisor/*.sock; do "$NODE" reach-socket.ts "$socket"; done',
    succeeds: (said) => said.includes(REACHED),
  },
  {
    title: 'the server on loopback, over HTTP',
    command: overLoopback('/healthz', ['Connection: close']),
    succeeds: (said) => said.includes(IS_WELL),
  },
  {
    title: 'the server on loopback, over WebSocket',
    command: overLoopback('/ws/ses_own', WEBSOCKET),
    succeeds: (said) => said.includes('A token is needed'),
  },
  {
    title: 'the server on loopback, by the way to granted hosts',
    command: `NO_PROXY= no_proxy= "$NODE" -e 'fetch(process.argv[1]).then(async (answer) => console.log(await answer.text()))' "http://127.0.0.1:$PORT/healthz"`,
    succeeds: (said) => said.includes(IS_WELL),
  },
  {
    title: 'a yes, by the command line',
    command: '"$NODE" handrail/bin/handrail.js approvals answer "$QUESTION" once',
    succeeds: async (_, { questions, question }) => (await questions.find(question))?.state !== 'pending',
  },
];

/** A request as it is written, by nothing but a shell. */
function overLoopback(path: string, headers: readonly string[]): string {
  const lines = [`GET ${path} HTTP/1.1`, 'Host: 127.0.0.1:%s', ...headers, '', ''];
  return `bash -c 'exec 3<>"/dev/tcp/127.0.0.1/$1" && printf "${lines.join(String.raw`\r\n`)}" "$1" >&3 && timeout 10 cat <&3' - "$PORT"`;
}

/** All of them as one script. */
export function thievingScript({ server, mcp, state, config, question }: Ground): string {
  const places = {
    STATE: state,
    CONFIG: config,
    XDG_STATE_HOME: join(state, '..'),
    XDG_CONFIG_HOME: join(config, '..'),
    SERVER: server.child.pid,
    MCP: mcp.pid,
    PORT: server.url.port,
    QUESTION: question,
  };
  return [
    ...Object.entries(places).map(([name, place]) => `export ${name}='${place}'`),
    // Shown to commands that may reach a host.
    `NODE=/run/handrail/node; [ -x "$NODE" ] || NODE='${process.execPath}'`,
    ...THEFTS.flatMap(({ command }, index) => [`echo '${mark(index)}'`, `( ${command} ) 2>&1`]),
    'true',
  ].join('\n');
}

/** What there is to get hold of on this machine. */
export function possibleThefts(ground: Ground): string[] {
  return THEFTS.filter(({ isKept }) => isKept?.(ground) !== true).map(({ title }) => title);
}

/** What it got hold of, by what it wrote. */
export async function stolen(said: string, ground: Ground): Promise<string[]> {
  const titles: string[] = [];
  for (const [index, { title, succeeds }] of THEFTS.entries()) {
    const [, own] = said.split(`${mark(index)}\n`);
    if (own === undefined) throw new Error(`The script did not come to ${title}: ${said}`);
    if (await succeeds(own.split(mark(index + 1))[0]!, ground)) titles.push(title);
  }
  return titles;
}

function mark(index: number): string {
  return `=== ${index} ===`;
}
