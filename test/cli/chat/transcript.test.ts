/** A turn on the screen: recorded events in, lines out. */
import { describe, expect, it } from 'vitest';
import type { AgentEvent } from '../../../src/agent/conversation.ts';
import { lineWidth, plain } from '../../../src/cli/chat/spans.ts';
import { Transcript } from '../../../src/cli/chat/transcript.ts';

type Event = AgentEvent extends infer Each ? (Each extends AgentEvent ? Omit<Each, 'depth'> : never) : never;

const EDIT = { callId: 'c1', tool: 'edit' };
const FIXING: Event[] = [
  { type: 'turn-started', turn: 'turn_1' },
  { type: 'step-started', step: 1 },
  { type: 'thought-added', text: 'The test ' },
  { type: 'thought-added', text: 'fails.\nWhy?' },
  { type: 'text-added', text: 'I look' },
  { type: 'text-added', text: ' at **it**.\n\nThen' },
  { type: 'text-added', text: ' I mend it.' },
  { type: 'tool-called', ...EDIT, args: { content: 'a\nb', path: 'src/a.ts' } },
  { type: 'tool-called', callId: 'c2', tool: 'bash', args: { command: 'npm test' } },
  {
    type: 'tool-ended',
    ...EDIT,
    outcome: 'ok',
    reply: {},
    effects: [{ path: 'src/a.ts', change: 'updated', reversible: true }],
    durationMs: 12,
  },
  { type: 'tool-output', callId: 'c2', text: 'one\ntwo\u001b[2J\n' },
];
const ENDING: Event[] = [
  {
    type: 'tool-ended',
    callId: 'c2',
    tool: 'bash',
    outcome: 'failed',
    reply: { ok: false, exit_code: 1, stderr: '1 failed\n' },
    effects: [],
    durationMs: 1_234,
  },
  { type: 'verify-started', command: 'npm test', attempt: 1 },
  { type: 'verify-ended', command: 'npm test', verdict: 'failed', output: 'not ok 1\n' },
  { type: 'retrying', attempt: 2, reason: 'The server is busy.', afterMs: 2_000 },
  { type: 'compacted', before: 100_000, after: 8_200 },
  { type: 'turn-ended', reason: 'cancelled', text: '', usage: { inputTokens: 1, outputTokens: 1 } },
];

function shown(events: readonly Event[], width = 60, depth = 0): { printed: string[]; live: string[] } {
  const transcript = new Transcript();
  const lines = events.flatMap((event) => transcript.take({ depth, ...event }, 0, width));
  expect(Math.max(0, ...lines.map(lineWidth))).toBeLessThanOrEqual(width);
  return { printed: lines.map(plain), live: transcript.live(3_000, width).map(plain) };
}

describe('Transcript', () => {
  it('prints what is finished, and shows what is under way below it', () => {
    expect(shown(FIXING)).toEqual({
      printed: [
        'The test fails.',
        'Why?',
        '',
        'I look at it.',
        '',
        'Then I mend it.',
        '',
        '✓ edit src/a.ts  updated · 12ms',
      ],
      live: ['  bash npm test  3s', '    one', String.raw`    two\u001b[2J`],
    });
  });

  it('shows growing text until its block is finished', () => {
    expect(shown(FIXING.slice(0, 7)).live).toEqual(['Then I mend it.']);
  });

  it('says how calls, checks and the turn ended', () => {
    expect(shown([...FIXING, ...ENDING]).printed.slice(8)).toEqual([
      '✗ bash npm test  failed · 1.2s',
      '  1 failed',
      '✗ check npm test failed',
      '  not ok 1',
      '↻ The server is busy. Trying again in 2.0s (2).',
      'Summarised what was said: 100k → 8.2k tokens.',
      '',
      'Cancelled; what was said and done so far stays. /undo takes',
      'the changes back.',
    ]);
  });

  it('shows what a sub-agent does, and not what it says', () => {
    const own: Event[] = [{ type: 'agent-started', agent: 'explore', objective: 'Find it.' }];
    expect(shown([...own, ...FIXING], 60, 1).printed).toEqual([
      '  ▸ explore: Find it.',
      '  ✓ edit src/a.ts  updated · 12ms',
    ]);
  });

  it.each([12, 39])('keeps within %i columns', (width) => {
    expect(shown([...FIXING, ...ENDING], width).printed.length).toBeGreaterThan(10);
  });
});
