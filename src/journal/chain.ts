/**
 * The hash chain: every line carries the hash of the line before it, the first one a hash of the chain's name.
 * Whoever edits, drops, adds or moves a line breaks the next one; the store keeps the last hash as an anchor.
 */
import { hash } from 'node:crypto';
import type { AuditLine, AuditRecord } from './audit-record.ts';

export interface ChainHead {
  readonly lines: number;
  readonly head: string;
}

/** The head of a chain that has no line yet. */
export function emptyChain(id: string): ChainHead {
  return { lines: 0, head: hash('sha256', `handrail audit chain ${id}`) };
}

/** The text of the next line and the head after it. */
export function nextLine(chain: ChainHead, record: AuditRecord): { text: string; after: ChainHead } {
  // Put in front as text: a copy of the record would take as long to make as the text itself.
  const text = `{"seq":${chain.lines + 1},"prev":"${chain.head}",${JSON.stringify(record).slice(1)}`;
  return { text, after: { lines: chain.lines + 1, head: hash('sha256', text) } };
}

/** Checks a line against the head before it; the record and the new head, or what is wrong. */
export function checkLine(
  chain: ChainHead,
  text: string,
): { readonly line: AuditLine; readonly after: ChainHead } | { readonly broken: string } {
  const line = parseLine(text);
  if (line === undefined) return { broken: 'the line is not an audit record' };
  if (line.seq !== chain.lines + 1) return { broken: `line ${chain.lines + 1} is missing or out of order` };
  if (line.prev !== chain.head) return { broken: 'the line before it was changed' };
  return { line, after: { lines: line.seq, head: hash('sha256', text) } };
}

function parseLine(text: string): AuditLine | undefined {
  try {
    const value: unknown = JSON.parse(text);
    const isLine =
      typeof value === 'object' && value !== null && 'seq' in value && 'prev' in value && 'event' in value;
    return isLine ? (value as AuditLine) : undefined;
  } catch {
    return undefined;
  }
}
