/** A command as a person sees it before it runs. */
import type { SandboxReport } from '../../host/ports.ts';
import type { RunInput } from './run.ts';

export function describeCommand(input: RunInput, sandbox: SandboxReport): string {
  const { command, directory, hosts, isOutside, timeoutMs, stdin, terminal } = input;
  return [
    ...command.split('\n').map((line, index) => `${index === 0 ? '$' : '>'} ${line}`),
    ...(stdin === undefined ? [] : stdin.split('\n').map((line) => `< ${line}`)),
    ...(directory === '.' ? [] : [`in ${directory}`]),
    ...(terminal === undefined ? [] : ['in a terminal of its own']),
    isOutside ? 'OUTSIDE the sandbox: it can do whatever you can.' : sandbox.says,
    hosts.length === 0 ? 'It reaches no network.' : `It may reach ${hosts.join(', ')}.`,
    `It may take ${Math.ceil(timeoutMs / 1000)} s.`,
    isOutside ? 'What it changes, undo can not take back.' : sandbox.undoSays,
  ].join('\n');
}
