/** The lines around the prompt: what goes on, and what the conversation is held with. */
import { elapsed, tokens } from './amounts.ts';
import { cut, type Line, safeLine, span } from './spans.ts';

export interface Standing {
  readonly agent: string;
  readonly model: string;
  readonly mode: string;
  readonly context: { readonly tokens: number; readonly window: number };
}

const FRAMES = '⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏'.split('');
/** How long each frame stays. */
export const FRAME_MS = 100;

/** While a turn runs. */
export function workingLine(what: string, since: number, now: number, waiting: number, width: number): Line {
  const frame = FRAMES[Math.floor(now / FRAME_MS) % FRAMES.length]!;
  const later = waiting === 0 ? '' : ` · ${waiting} more to say`;
  return cut(
    [span(`${frame} `, 'cyan'), span(what), span(` ${elapsed(now - since)} · Esc cancels${later}`, 'dim')],
    width,
  );
}

/** Below the prompt. */
export function standingLine({ agent, model, mode, context }: Standing, width: number): Line {
  const used = `${tokens(context.tokens)} of ${tokens(context.window)} tokens`;
  return cut([span(`  ${safeLine(model)} · ${agent} · ${mode} · ${used} · /help`, 'dim')], width);
}
