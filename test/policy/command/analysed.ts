/** Short questions to an analysis, for tables. */
import { analyseCommand } from '../../../src/policy/command/analyse.ts';
import type { CommandAnalysis } from '../../../src/policy/command/command-analysis.ts';

/** The analysis of a command at the root of `/ws`, or in a directory of it. */
export function analysed(command: string, directory = '.'): CommandAnalysis {
  return analyseCommand(command, { root: '/ws', directory });
}

/** How sure it is that all of it only reads: what a policy would make of it without any rule. */
export function reads(command: string): 'always' | 'sandboxed' | 'no' {
  const { parts, unclear, files, hosts } = analysed(command);
  const isUnclear = unclear.length > 0 || parts.some((part) => part.unclear !== undefined);
  if (isUnclear || hosts.length > 0 || files.some(({ use }) => use === 'write')) return 'no';
  if (parts.some(({ onlyReads }) => onlyReads === false)) return 'no';
  return parts.every(({ onlyReads }) => onlyReads === 'always') ? 'always' : 'sandboxed';
}

/** The words of every part, unknown ones as `?`. */
export function words(command: string): string[] {
  return analysed(command).parts.map((part) => part.words.map((word) => word ?? '?').join(' '));
}

/** Whether anything in it can't be told. */
export function isUnclear(command: string): boolean {
  const { parts, unclear } = analysed(command);
  return unclear.length > 0 || parts.some((part) => part.unclear !== undefined);
}

/** The files it uses, as `read path`, `write path`, with a star for a tree. */
export function files(command: string, directory = '.'): string[] {
  return analysed(command, directory).files.map(
    ({ use, path, isTree }) => `${use} ${path}${isTree ? '/*' : ''}`,
  );
}

/** The commands of a table, one a line; a here-document or a group goes on to its end. */
export function rows(table: string): string[] {
  const commands: string[] = [];
  let isOpen = false;
  for (const line of table.trim().split('\n')) {
    if (isOpen) commands[commands.length - 1] += `\n${line}`;
    else commands.push(line);
    if (/<<'?E|\{w CAN$/.test(line)) isOpen = true;
    if (/^E$|^\}/.test(line)) isOpen = false;
  }
  return commands;
}
