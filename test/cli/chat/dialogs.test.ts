/** Questions at the terminal: key by key, one after the other. */
import { describe, expect, it } from 'vitest';
import { approvalDialog } from '../../../src/cli/chat/approval-dialog.ts';
import { Dialogs } from '../../../src/cli/chat/dialogs.ts';
import { decodeKeys } from '../../../src/cli/chat/keys.ts';
import { lineWidth, plain } from '../../../src/cli/chat/spans.ts';
import type { ApprovalRequest } from '../../../src/policy/approvals.ts';

const REQUEST: ApprovalRequest = {
  id: 'apr_1',
  hash: 'h',
  callId: 'call_1',
  session: 'ses_1',
  dialect: 'handrail',
  tool: 'write',
  version: '1.0.0',
  operation: 'fs.write',
  args: { path: 'a.txt' },
  accesses: [{ permission: 'fs.write', resource: 'a.txt', resolved: 'a.txt' }],
  reason: 'fs.write on "a.txt" needs an approval.',
  rule: 'r#1',
  scope: 'session',
  preview: { kind: 'diff', text: `-old\n+${'long '.repeat(20)}\u001b[2J\n` },
};
const { signal } = new AbortController();

/** Presses what a terminal would send, piece by piece. */
function keys(dialogs: Dialogs, ...pieces: string[]): void {
  for (const key of pieces.flatMap((bytes) => decodeKeys(bytes).keys)) dialogs.press(key);
}

describe('approvalDialog', () => {
  it.each([20, 80])('shows all of the change within %i columns, and obeys nothing in it', (width) => {
    const lines = approvalDialog(REQUEST, 'me').print(width);
    expect(Math.max(...lines.map(lineWidth))).toBeLessThanOrEqual(width);
    const body = lines.map(plain).filter((line) => line.startsWith('  | '));
    expect(body.map((line) => line.slice(4)).join('')).toBe(
      `-old+${'long '.repeat(20)}${String.raw`\u001b[2J`}`,
    );
  });

  it.each<[string[], object]>([
    [['y'], { answer: 'once', by: 'me' }],
    [['s'], { answer: 'session', by: 'me' }],
    [['n'], { answer: 'deny', by: 'me' }],
    [['r', 'not now\r'], { answer: 'deny', by: 'me', reason: 'not now' }],
    [
      ['e', '\u0015nonsense\r\u0015{"path":"b.txt"}\r'],
      { answer: 'edit', by: 'me', args: { path: 'b.txt' } },
    ],
    // Neither a rule that is not offered, nor what no key stands for, nor what was pasted.
    [['a', 'x', 'yes', '\r', '\u001b[200~y\u001b[201~', 'n'], { answer: 'deny', by: 'me' }],
  ])('takes %j for %j', async (pieces, answer) => {
    const dialogs = new Dialogs(() => undefined);
    const asked = dialogs.ask(approvalDialog(REQUEST, 'me'), signal);
    keys(dialogs, 'y');
    expect(dialogs.count).toBe(1);
    dialogs.show();
    keys(dialogs, ...pieces);
    expect(await asked).toEqual(answer);
  });
});

describe('Dialogs', () => {
  it('shows one question at a time, and forgets one that is no longer wanted', async () => {
    const dialogs = new Dialogs(() => undefined);
    const unwanted = new AbortController();
    const first = dialogs.ask(approvalDialog(REQUEST, 'first'), signal);
    const second = dialogs.ask(approvalDialog(REQUEST, 'second'), unwanted.signal);
    const third = dialogs.ask(approvalDialog(REQUEST, 'third'), signal);
    dialogs.show();
    unwanted.abort();
    keys(dialogs, 'y', 'n');
    expect(dialogs.count).toBe(1);
    dialogs.show();
    keys(dialogs, 'n');
    expect(await Promise.all([first, second, third])).toEqual([
      { answer: 'once', by: 'first' },
      undefined,
      { answer: 'deny', by: 'third' },
    ]);
  });
});
