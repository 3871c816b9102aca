/** What a command will touch, as far as its text tells: every program in it, the files it names, the hosts it wants. */
import { Failure } from '../../failure.ts';
import { relativeToRoot } from '../../host/workspace-path.ts';
import type { Access } from '../../policy/access.ts';
import { analyseCommand } from '../../policy/command/analyse.ts';
import type { CommandAnalysis, CommandPart, FileUse } from '../../policy/command/command-analysis.ts';
import { expandHosts } from '../../policy/host-presets.ts';
import type { Workspace } from '../../runtime/workspace.ts';
import type { RunInput } from './run.ts';

/** What of a command's input says what it will touch. */
type CommandText = Pick<RunInput, 'command' | 'directory' | 'hosts' | 'isOutside' | 'stdin'>;

/** The accesses of a command. What can't be told is one, too: somebody has to look. */
export function commandAccesses(input: CommandText, { root, roots }: Workspace): Access[] {
  const { command, directory, hosts, isOutside } = input;
  refuseUnusable(command);
  const analysis = analyseCommand(command, { root, directory });
  const inside: Access[] = [];
  const outside: FileUse[] = [];
  for (const file of analysis.files) {
    const path = relativeToRoot(file.path, roots);
    if (path === undefined) outside.push(file);
    else inside.push(toAccess(file, path));
  }
  if (!isOutside) refuseWritingOutside(outside);
  const mark = isOutside ? ({ isOutside: true } as const) : {};
  const parts = [...analysis.parts, ...unclearPart(command, analysis)]
    .map((part) => leaving(part, outside))
    .map((part) => (input.stdin === undefined ? part : fed(part)));
  return distinct([
    ...inside,
    ...[...analysis.hosts, ...expandHosts(hosts)].map((host): Access => ({
      permission: 'net.connect',
      resource: host,
    })),
    ...parts.flatMap((part): Access[] => {
      const command = { command: part, ...(isPlain(part) ? {} : { whole: inPlace(input) }) };
      return [
        { permission: 'proc.exec', resource: part.text, ...command, ...mark },
        ...(part.gitWrite === undefined
          ? []
          : [{ permission: 'git.write', resource: part.gitWrite, ...command } as const]),
      ];
    }),
  ]);
}

/** Whether its words are all there is to know: it would do the same by itself, at the root. */
function isPlain({ unclear, assignments, directory }: CommandPart): boolean {
  return unclear === undefined && assignments.length === 0 && directory === '.';
}

function inPlace({ command, directory, stdin }: CommandText): string {
  const line = directory === '.' ? command : `cd ${directory} && ${command}`;
  return stdin === undefined ? line : `${line}\n< ${stdin}`;
}

/** What a program gets as input may be anything, also what it does: a rule about its words says too little. */
function fed(part: CommandPart): CommandPart {
  if (part.onlyReads !== false || part.unclear !== undefined) return part;
  return { ...part, unclear: 'It is given input, which the program may obey.' };
}

function toAccess({ use, isTree }: FileUse, path: string): Access {
  const permission = use === 'read' ? 'fs.read' : 'fs.write';
  return { permission, resource: path, ...(isTree ? { isTree: true } : {}) };
}

function refuseUnusable(command: string): void {
  if (command.trim() === '') throw new Failure('E_INVALID_ARGS', 'The command is empty.');
  if (command.includes('\0')) throw new Failure('E_INVALID_ARGS', 'The command contains a NUL character.');
  if (!command.isWellFormed())
    throw new Failure('E_INVALID_ARGS', 'The command contains half a Unicode character.');
}

/** A command that could not be understood whole is also one that could be anything; one that runs nothing still runs. */
function unclearPart(command: string, { parts, unclear }: CommandAnalysis): CommandPart[] {
  if (unclear.length === 0 && parts.length > 0) return [];
  const reason = unclear.join(' ');
  return [
    {
      words: unclear.length === 0 ? [] : [undefined],
      text: command,
      assignments: [],
      directory: undefined,
      onlyReads: unclear.length === 0 ? 'always' : false,
      ...(reason === '' ? {} : { unclear: reason }),
    },
  ];
}

/** In a sandbox, `/tmp` is the session's own. */
const OWN = /^\/tmp(\/|$)/;

function refuseWritingOutside(outside: readonly FileUse[]): void {
  const written = outside.find(({ use, path }) => use === 'write' && !OWN.test(path));
  if (written === undefined) return;
  throw new Failure(
    'E_OUTSIDE_WORKSPACE',
    `The command would write ${JSON.stringify(written.path)}, which is outside the workspace.`,
    { hint: 'Commands write in the workspace and in /tmp.' },
  );
}

/** What reads elsewhere is looked at by somebody first; without a sandbox, `/tmp` is elsewhere, too. */
function leaving(part: CommandPart, outside: readonly FileUse[]): CommandPart {
  if (outside.length === 0 || part.unclear !== undefined) return part;
  const read = outside.find(({ path }) => !OWN.test(path));
  if (read === undefined) return part.onlyReads === 'always' ? { ...part, onlyReads: 'sandboxed' } : part;
  return { ...part, unclear: `The command reads ${JSON.stringify(read.path)}, outside the workspace.` };
}

/** Each thing once; as a whole tree where it is one for any part of the command. */
function distinct(accesses: readonly Access[]): Access[] {
  const seen = new Map<string, Access>();
  for (const access of accesses) {
    const { permission, resource, command } = access;
    const key = JSON.stringify([permission, resource, command]);
    seen.set(key, seen.get(key)?.isTree === true ? { ...access, isTree: true } : access);
  }
  return [...seen.values()];
}
