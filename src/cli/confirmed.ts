/** Asks for a plain yes in the terminal; where there is none, the answer is no. */
import { openTerminal } from './terminal.ts';

export async function confirmed(question: string): Promise<boolean> {
  if (!process.stdin.isTTY) return false;
  const terminal = await openTerminal('');
  try {
    return /^y(es)?$/i.test((await terminal.question(`${question} [y/N] `)).trim());
  } finally {
    terminal.close();
  }
}
