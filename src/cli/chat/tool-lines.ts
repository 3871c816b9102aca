/** A tool call in one line: which tool, on what, how it went, how long it took. Reads shapes, never names of tools. */
import type { AgentEvent } from '../../agent/conversation.ts';
import { counted, duration } from './amounts.ts';
import { cut, type Line, safeLine, safeLines, type Span, span, type Style } from './spans.ts';

type Ended = Extract<AgentEvent, { type: 'tool-ended' }>;

const MAX_SUBJECT = 200;
const MAX_OUTPUT_LINES = 6;

/** What a call is about: the first argument that is one line of text. */
export function subjectOf(args: unknown): string {
  if (typeof args !== 'object' || args === null) return '';
  const texts = Object.values(args).flatMap((value) =>
    typeof value === 'string'
      ? [value]
      : Array.isArray(value) && typeof value[0] === 'string'
        ? [value[0]]
        : [],
  );
  const best = texts.find((text) => text !== '' && !text.trim().includes('\n')) ?? texts[0] ?? '';
  return safeLine(best.slice(0, MAX_SUBJECT));
}

const MARKS: Readonly<Record<Ended['outcome'], { readonly mark: string; readonly style: Style }>> = {
  ok: { mark: '✓', style: 'green' },
  failed: { mark: '✗', style: 'red' },
  denied: { mark: '⊘', style: 'yellow' },
  cancelled: { mark: '–', style: 'dim' },
};

/** The call that ended, and below it what went wrong where something did. */
export function endedLines(event: Ended, subject: string, width: number): Line[] {
  const { mark, style } = MARKS[event.outcome];
  const margin = span('  '.repeat(event.depth));
  const [headline = '', ...rest] = trouble(event);
  const facts = [...effectWords(event), duration(event.durationMs)].join(' · ');
  const summary: Span[] = [
    margin,
    span(`${mark} `, style),
    span(safeLine(event.tool), 'bold'),
    span(subject === '' ? '' : ` ${subject}`),
  ];
  const room = width - facts.length - 2;
  const line: Line = [...cut(summary, Math.max(room, 12)), span(`  ${facts}`, 'dim')];
  if (headline === '') return [cut(line, width)];
  const below = [headline, ...rest].map((text) => cut([margin, span('  '), span(text, style)], width));
  return [cut(line, width), ...below];
}

/** A call that is under way. */
export function runningLine(tool: string, subject: string, depth: number): Span[] {
  return [span('  '.repeat(depth)), span(safeLine(tool), 'bold'), span(subject === '' ? '' : ` ${subject}`)];
}

function effectWords({ effects, outcome }: Ended): string[] {
  const words = outcome === 'ok' ? [] : [outcome];
  const [first] = effects;
  if (first === undefined) return words;
  const lost = effects.filter(({ reversible }) => !reversible).length;
  const what = effects.length === 1 ? first.change : `${counted(effects.length, 'file')} changed`;
  return [...words, what, ...(lost === 0 ? [] : ["can't be undone"])];
}

/** What the model was told about what went wrong; the last of it for long output. */
function trouble({ outcome, reply }: Ended): string[] {
  if (outcome === 'ok' || outcome === 'cancelled') return [];
  const lines = safeLines(words(reply)).filter((line) => line.trim() !== '');
  return lines.length <= MAX_OUTPUT_LINES
    ? lines
    : [
        `… ${lines.length - MAX_OUTPUT_LINES} lines before: /output shows all`,
        ...lines.slice(-MAX_OUTPUT_LINES),
      ];
}

/** Fields that hold what a person wants to know first, in the dialects there are. */
const TELLING = ['error', 'reason', 'message', 'stderr', 'stdout', 'output', 'content'] as const;

function words(reply: unknown): string {
  if (typeof reply === 'string') return reply;
  if (typeof reply !== 'object' || reply === null) return '';
  const fields = reply as Readonly<Record<string, unknown>>;
  for (const name of TELLING) {
    const found = words(fields[name]);
    if (found.trim() !== '') return found;
  }
  return '';
}

/** All that a tool said, for who asks for it. */
export function outputOf(reply: unknown): string {
  if (typeof reply === 'string') return reply;
  const { stdout, stderr } = (reply ?? {}) as { readonly stdout?: unknown; readonly stderr?: unknown };
  const streams = [stdout, stderr].filter((text) => typeof text === 'string' && text !== '');
  return streams.length > 0 ? streams.join('\n') : JSON.stringify(reply, undefined, 2);
}
