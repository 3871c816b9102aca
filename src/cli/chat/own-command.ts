/** `!command`: run by the person, through the session's command tool with all its rules. */
import type { Conversation } from '../../agent/conversation.ts';
import type { Runtime } from '../../runtime-types.ts';
import { counted } from './amounts.ts';
import { callOperation } from './session-tools.ts';
import { cut, type Line, safeLine, safeLines, span, type Style } from './spans.ts';

const MOST_LINES = 20;

interface Ran {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
  readonly durationMs: number;
}

/** Runs it; gives what to show. */
export async function runCommand(
  command: string,
  runtime: Runtime,
  conversation: Conversation,
  { width, signal }: { readonly width: number; readonly signal: AbortSignal },
): Promise<Line[]> {
  const called = await callOperation(runtime, conversation, 'exec.run', command, signal);
  if (called === undefined) return [[span('This agent has no tool for commands.', 'yellow')]];
  const { payload, error } = called.result;
  if (payload === null)
    return [
      [span(safeLine(error?.message ?? 'It did not run.'), called.outcome === 'denied' ? 'yellow' : 'red')],
    ];
  const ran = payload as Ran;
  return [
    ...streamLines(ran.stdout, width),
    ...streamLines(ran.stderr, width, 'red'),
    [span(`exit=${ran.exitCode} duration=${Math.round(ran.durationMs)}ms`, 'dim')],
  ];
}

function streamLines(text: string, width: number, ...styles: Style[]): Line[] {
  if (text === '') return [];
  const lines = safeLines(text.replace(/\n$/, ''));
  const shown = lines.slice(-MOST_LINES).map((line) => cut([span(line, ...styles)], width));
  const left = lines.length - shown.length;
  return left === 0 ? shown : [[span(`… ${counted(left, 'line')} before`, 'dim')], ...shown];
}
