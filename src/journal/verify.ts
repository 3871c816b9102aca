/** Checks every audit chain from its first line to the anchor in the store, and says where one was changed. */
import type { AuditChains } from '../store/tables.ts';
import { type AuditParts, chainFile } from './audit-log.ts';
import { type ChainHead, checkLine, emptyChain } from './chain.ts';

export interface ChainReport {
  readonly chain: string;
  readonly lines: number;
  /** Absent where the chain holds. */
  readonly problem?: ChainProblem;
}

export interface ChainProblem {
  readonly line: number;
  readonly what: string;
  /** A crash can tear a last line; nothing but a hand changes one. */
  readonly kind: 'torn' | 'changed';
}

type VerifyParts = Pick<AuditParts, 'state' | 'database' | 'processes'>;

/** Verifies all chains, also files that the store does not know. */
export async function verifyAudit(parts: VerifyParts): Promise<ChainReport[]> {
  const chains = await parts.database.selectFrom('audit_chains').selectAll().orderBy('id').execute();
  const known = new Set(chains.map(({ id }) => `${id}.jsonl`));
  const reports: ChainReport[] = [];
  for (const chain of chains) reports.push(await verifyChain(parts, chain));
  for (const name of parts.state.list('audit')) {
    if (known.has(name)) continue;
    reports.push({
      chain: name.replace(/\.jsonl$/, ''),
      lines: 0,
      problem: { line: 1, what: 'the store does not know this file', kind: 'changed' },
    });
  }
  return reports;
}

async function verifyChain(parts: VerifyParts, chain: AuditChains): Promise<ChainReport> {
  const report = (lines: number, what?: string, kind: ChainProblem['kind'] = 'changed'): ChainReport => ({
    chain: chain.id,
    lines,
    ...(what === undefined ? {} : { problem: { line: lines + 1, what, kind } }),
  });
  if (!parts.state.exists(chainFile(chain.id)))
    return chain.lines === 0 ? report(0) : report(0, 'the file is missing');
  let head: ChainHead = emptyChain(chain.id);
  let anchored = chain.lines === 0;
  for await (const { text, torn } of parts.state.lines(chainFile(chain.id))) {
    if (torn) {
      // A living writer may be in the middle of this line.
      const isBeingWritten = chain.owner !== null && parts.processes.isAlive(chain.owner);
      return isBeingWritten && anchored
        ? report(head.lines)
        : report(head.lines, 'the line is cut off', 'torn');
    }
    const checked = checkLine(head, text);
    if ('broken' in checked) return report(head.lines, checked.broken);
    head = checked.after;
    if (head.lines === chain.lines) {
      if (head.head !== chain.head) return report(head.lines - 1, 'the line was changed');
      anchored = true;
    }
  }
  if (!anchored) return report(head.lines, `the end is missing: ${chain.lines} lines were written`);
  return report(head.lines);
}
