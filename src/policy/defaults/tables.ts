/**
 * What each dialect asks when no rule speaks: one layer of data a dialect. A floor is an ask that no mode and
 * no rule lowers, only a human's grant for that tool and place in the session.
 */
import type { Rule } from '../rule.ts';

const reading: Rule[] = [{ action: 'allow', permission: ['fs.read', 'state.write', 'user.ask'] }];

/** Every other workspace of the user would be told it too. */
const userMemory: Rule = {
  action: 'ask',
  permission: 'state.write',
  state: 'memory:user',
  reason: 'The memory would be told to agents in every workspace of yours.',
};

const coder: Rule[] = [
  ...reading,
  {
    action: 'ask',
    permission: [
      'fs.write',
      'fs.delete',
      'proc.exec',
      'git.write',
      'net.connect',
      'agent.spawn',
      'skill.load',
    ],
  },
  { action: 'allow', permission: 'proc.exec', onlyReads: true },
  userMemory,
];

/** What tests a project and changes nothing else in it that anyone would miss. */
const TESTING = ['npm', 'pnpm', 'yarn', 'bun']
  .flatMap((manager) => ['test', 'run test', 'run lint', 'run check'].map((script) => `${manager} ${script}`))
  .concat(['cargo test', 'go test ./...', 'pytest', 'python -m pytest', 'make test', 'make check']);

/** What no project needs from an agent. */
const DESTROYING = ['rm -rf /', 'rm -fr /', 'rm -r -f /', 'mkfs*', 'mkfs* *', 'shutdown *', 'reboot', 'halt'];
const DOWNLOADING = ['powershell *', 'pwsh *', 'Invoke-WebRequest *', 'iwr *', 'curl *', 'wget *'];

const tables: Readonly<Record<string, readonly Rule[]>> = {
  coder,
  handrail: coder,
  tenas: [
    ...reading,
    { action: 'ask', permission: ['fs.write', 'fs.delete', 'proc.exec'], floor: true },
    { action: 'allow', permission: 'net.connect' },
  ],
  clude: [
    ...reading,
    { action: 'allow', permission: 'fs.write' },
    {
      action: 'ask',
      permission: 'fs.write',
      over: { files: 20, lines: 500 },
      reason: 'The change is large: over 20 files or 500 lines.',
    },
    { action: 'ask', permission: 'fs.delete', floor: true },
    { action: 'ask', permission: ['proc.exec', 'git.write'] },
    { action: 'allow', permission: 'proc.exec', command: TESTING, trusted: true },
    {
      action: 'deny',
      permission: 'proc.exec',
      command: DESTROYING,
      reason: 'The command destroys more than a project.',
    },
    {
      action: 'deny',
      permission: 'proc.exec',
      command: DOWNLOADING,
      reason: 'This dialect reaches no network unless a rule opens it.',
    },
    {
      action: 'deny',
      permission: 'net.connect',
      reason: 'This dialect reaches no network unless a rule opens it.',
    },
    userMemory,
  ],
  codelab: [
    ...reading,
    { action: 'ask', permission: ['fs.write', 'fs.delete', 'git.write'] },
    { action: 'ask', permission: 'proc.exec', floor: true },
    { action: 'ask', permission: ['fs.write', 'fs.delete'], tool: ['apply_patch'], floor: true },
  ],
};

/** The table of a dialect; one without a table asks about everything. */
export function defaultTable(dialect: string): readonly Rule[] {
  return Object.hasOwn(tables, dialect) ? tables[dialect]! : [];
}
