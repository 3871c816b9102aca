/**
 * Asks in the terminal. The whole request is shown, with control characters neutralised, before an answer is taken;
 * only the keys that are offered count, and the end of input is a no.
 */
import type { Interface } from 'node:readline/promises';
import type { ApprovalAnswer, ApprovalRequest, Approver } from '../policy/approvals.ts';
import { describeQuestion } from '../runtime/any-question.ts';
import { answerOf, offersFor } from './approval-offers.ts';
import { openTerminal } from './terminal.ts';

/** More than a terminal can be trusted to scroll back. */
const MAX_LINES = 2_000;

/** An approver in this terminal; the end of input is a no. */
export function terminalApprover(by: string): Approver {
  return async (request, signal) =>
    (await askInTerminal(request, signal, by)) ?? {
      answer: 'deny',
      by,
      reason: 'Nobody answered in the terminal.',
    };
}

/** Asks in this terminal; undefined where the input ended, or the answer is no longer wanted. */
export async function askInTerminal(
  request: ApprovalRequest,
  signal: AbortSignal,
  by: string,
): Promise<ApprovalAnswer | undefined> {
  const terminal = await openTerminal(`${wholeQuestion(request)}\n`);
  try {
    for (;;) {
      const answer = toAnswer(await terminal.question(prompt(request), { signal }), request, by);
      if (answer === 'reason')
        return { answer: 'deny', by, reason: await terminal.question('Reason: ', { signal }) };
      if (answer === 'edit') return await edited(terminal, signal, by);
      if (answer !== undefined) return answer;
    }
  } catch {
    return undefined;
  } finally {
    terminal.close();
  }
}

function wholeQuestion(request: ApprovalRequest): string {
  const text = `\n${describeQuestion(request)}`;
  const lines = text.split('\n').length;
  if (lines <= MAX_LINES) return text;
  return `${text}\n(These are ${lines} lines; in another terminal, \`handrail approvals show ${request.id} | less\` shows them from the first.)`;
}

function prompt(request: ApprovalRequest): string {
  return `${offersFor(request)
    .map(({ says }) => says)
    .join(', ')}? `;
}

/** Whole words that people write for a letter; nothing is a no. */
const WORDS: Readonly<Record<string, string>> = { yes: 'y', no: 'n', '': 'n' };

function toAnswer(
  written: string,
  request: ApprovalRequest,
  by: string,
): ApprovalAnswer | 'edit' | 'reason' | undefined {
  const word = written.trim().toLowerCase();
  const means = offersFor(request).find(({ letter }) => letter === (WORDS[word] ?? word))?.means;
  return means === undefined || means === 'edit' || means === 'reason' ? means : answerOf(means, by);
}

async function edited(terminal: Interface, signal: AbortSignal, by: string): Promise<ApprovalAnswer> {
  for (;;) {
    const written = await terminal.question('The arguments as JSON: ', { signal });
    try {
      return { answer: 'edit', by, args: JSON.parse(written) as unknown };
    } catch {
      process.stderr.write('That is not JSON.\n');
    }
  }
}
