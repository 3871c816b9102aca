/** Redirections: which files are opened how, and which hosts are called. */
import type { Redirect } from 'unbash';
import type { Directories } from './directories.ts';
import type { Findings } from './findings.ts';
import { isLiteral, readWord } from './words.ts';

/** Adds what a redirection opens. */
export function addRedirection(
  { operator, target }: Redirect,
  directories: Directories,
  findings: Findings,
): void {
  if (target === undefined) return;
  const word = readWord(target);
  const isCopy = operator === '>&' || operator === '<&';
  if (isCopy && /^(?:\d+-?|-)$/.test(word.value ?? '')) return;
  const [, host] = /^\/dev\/(?:tcp|udp)\/([^/]+)\/[^/]+$/.exec(word.value ?? '') ?? [];
  if (host !== undefined) return findings.addHost(host);
  const use = operator === '<' || operator === '<&' ? 'read' : 'write';
  // One shell opens the name as it is written, the other one what it fits.
  const knowledge = isLiteral(word)
    ? findings.addFile({ use, word, isTree: false }, directories)
    : 'some-file';
  if (knowledge === 'some-file')
    findings.note(`Only a shell could tell which file \`${operator} ${word.text}\` opens.`);
  if (knowledge === 'unsure') findings.note(`It can't be told where \`${operator} ${word.text}\` leads.`);
}
