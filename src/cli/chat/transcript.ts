/**
 * A turn as it is shown: events in, lines out. What is printed is never changed again; what still grows is `live`,
 * and is shown below it until it is finished.
 */
import type { AgentEvent } from '../../agent/conversation.ts';
import { duration, elapsed, tokens } from './amounts.ts';
import { BlockStream } from './block-stream.ts';
import { cut, type Line, safeLine, safeLines, span, type Style, wrap } from './spans.ts';
import { endedLines, runningLine, subjectOf } from './tool-lines.ts';

interface Running {
  readonly tool: string;
  readonly subject: string;
  readonly depth: number;
  readonly since: number;
  readonly output: string;
}

/** What stands together without a blank line. */
type Section = 'text' | 'thought' | 'tool' | 'note';

const OUTPUT_LINES = 5;
const MAX_OUTPUT = 4_000;
const MAX_CHECK_LINES = 12;

export class Transcript {
  readonly #running = new Map<string, Running>();
  readonly #text = new BlockStream();
  #thought = '';
  #section: Section | undefined;
  #check: { readonly command: string; readonly since: number } | undefined;

  /** Takes what happened at a time; gives the lines that are finished by it. */
  take(event: AgentEvent, now: number, width: number): Line[] {
    // A sub-agent talks to its agent; people see what it does.
    if (event.depth > 0 && (event.type === 'text-added' || event.type === 'thought-added')) return [];
    if (event.type === 'text-added')
      return [...this.#endThought(width), ...this.#in('text', this.#text.add(event.text, width))];
    if (event.type === 'thought-added') return [...this.#endText(width), ...this.#think(event.text, width)];
    if (event.type === 'tool-output') return this.#output(event.callId, event.text);
    if (event.type === 'turn-started' || event.type === 'step-started') return [];
    return [...this.#endThought(width), ...this.#endText(width), ...this.#happened(event, now, width)];
  }

  /** What is under way, newest last. */
  live(now: number, width: number): Line[] {
    const calls = [...this.#running.values()].flatMap(({ tool, subject, depth, since, output }) => [
      cut(
        [span('  '), ...runningLine(tool, subject, depth), span(`  ${elapsed(now - since)}`, 'dim')],
        width,
      ),
      ...lastLines(output, OUTPUT_LINES).map((line) => cut([span(`    ${line}`, 'dim')], width)),
    ]);
    const check =
      this.#check === undefined
        ? []
        : [cut([span(`  checking ${this.#check.command}  ${elapsed(now - this.#check.since)}`)], width)];
    return [...thoughtLines(this.#thought, width), ...this.#text.pending(width), ...calls, ...check];
  }

  #happened(event: AgentEvent, now: number, width: number): Line[] {
    switch (event.type) {
      case 'tool-called': {
        const { tool, args, depth, callId } = event;
        this.#running.set(callId, { tool, subject: subjectOf(args), depth, since: now, output: '' });
        return [];
      }
      case 'tool-ended': {
        const subject = this.#running.get(event.callId)?.subject ?? '';
        this.#running.delete(event.callId);
        return this.#in('tool', endedLines(event, subject, width));
      }
      case 'verify-started':
        this.#check = { command: safeLine(event.command), since: now };
        return [];
      case 'verify-ended':
        this.#check = undefined;
        return this.#in('tool', checkLines(event, width));
      case 'turn-ended':
        this.#running.clear();
        this.#check = undefined;
        return this.#in('note', endOfTurn(event, width));
      default:
        return this.#in('tool', noteLines(event, width));
    }
  }

  #think(text: string, width: number): Line[] {
    this.#thought += text;
    const end = this.#thought.lastIndexOf('\n');
    if (end === -1) return [];
    const finished = this.#thought.slice(0, end);
    this.#thought = this.#thought.slice(end + 1);
    return this.#in('thought', thoughtLines(finished, width));
  }

  #output(callId: string, text: string): Line[] {
    const running = this.#running.get(callId);
    if (running !== undefined)
      this.#running.set(callId, { ...running, output: `${running.output}${text}`.slice(-MAX_OUTPUT) });
    return [];
  }

  #endText(width: number): Line[] {
    return this.#in('text', this.#text.end(width));
  }

  #endThought(width: number): Line[] {
    const lines = thoughtLines(this.#thought, width);
    this.#thought = '';
    return this.#in('thought', lines);
  }

  /** The lines of a section, with a blank one before them where it is another than the last. */
  #in(section: Section, lines: readonly Line[]): Line[] {
    if (lines.length === 0) return [];
    const gap: Line[] = this.#section === undefined || this.#section === section ? [] : [[]];
    this.#section = section;
    return [...gap, ...lines];
  }
}

function thoughtLines(thought: string, width: number): Line[] {
  if (thought.trim() === '') return [];
  return safeLines(thought).flatMap((line) => wrap([span(line, 'dim', 'italic')], width));
}

function lastLines(output: string, most: number): string[] {
  return safeLines(output.trimEnd())
    .slice(-most)
    .filter((line) => line !== '');
}

type Check = Extract<AgentEvent, { type: 'verify-ended' }>;

const VERDICTS: Readonly<Record<Check['verdict'], readonly [mark: string, says: string, style: Style]>> = {
  passed: ['✓', 'passed', 'green'],
  failed: ['✗', 'failed', 'red'],
  environment: ['!', 'could not run', 'yellow'],
  denied: ['⊘', 'was not allowed', 'yellow'],
};

function checkLines({ command, verdict, output }: Check, width: number): Line[] {
  const [mark, says, style] = VERDICTS[verdict];
  const head: Line = [span(`${mark} `, style), span('check', 'bold'), span(` ${safeLine(command)} ${says}`)];
  const told = verdict === 'passed' ? [] : lastLines(output, MAX_CHECK_LINES);
  return [cut(head, width), ...told.map((line) => cut([span(`  ${line}`, 'dim')], width))];
}

/** What else happens in a turn, a line or two each. */
function noteLines(event: AgentEvent, width: number): Line[] {
  const margin = span('  '.repeat(event.depth));
  const one = (text: string, ...styles: Style[]): Line[] =>
    wrap([margin, span(text, ...styles)], width, [margin, span('  ')]);
  switch (event.type) {
    case 'agent-started':
      return one(`▸ ${safeLine(event.agent)}: ${safeLine(event.objective)}`, 'cyan');
    case 'agent-ended':
      return one(`◂ ${safeLine(event.agent)}: ${safeLine(event.summary)}`, 'cyan');
    case 'noticed':
      return one(safeLine(event.text), 'yellow');
    case 'skill-loaded':
      return one(`✦ skill ${safeLine(event.name)}`, 'cyan');
    case 'retrying':
      return one(
        `↻ ${safeLine(event.reason)} Trying again in ${duration(event.afterMs)} (${event.attempt}).`,
        'yellow',
      );
    case 'compacted':
      return one(`Summarised what was said: ${tokens(event.before)} → ${tokens(event.after)} tokens.`, 'dim');
    default:
      return [];
  }
}

type End = Extract<AgentEvent, { type: 'turn-ended' }>;

const REASONS: Readonly<Record<Exclude<End['reason'], 'done' | 'failed'>, string>> = {
  cancelled: 'Cancelled; what was said and done so far stays. /undo takes the changes back.',
  'step-limit': 'Stopped: the agent took as many steps as it may in a turn. Say "go on" to let it.',
  'going-in-circles': 'Stopped: the agent kept doing the same. Say what it should do differently.',
};

function endOfTurn({ reason, trouble }: End, width: number): Line[] {
  const style = reason === 'failed' ? 'red' : 'yellow';
  const said = reason === 'done' || reason === 'failed' ? [] : [REASONS[reason]];
  const told =
    trouble === undefined ? [] : [trouble.message, ...(trouble.hint === undefined ? [] : [trouble.hint])];
  const sentences = reason === 'failed' && told.length === 0 ? ['The turn failed.'] : [...said, ...told];
  return sentences
    .flatMap((sentence) => safeLines(sentence))
    .flatMap((line) => wrap([span(line, style)], width));
}
