/**
 * After a crash: chains whose process died are read again from their start, calls that never closed are closed
 * as interrupted, their temporary files are swept away, and the chain is free for the next process.
 */
import type { Files } from '../host/ports.ts';
import type { AuditChains } from '../store/tables.ts';
import { type AuditParts, chainFile, stateFor } from './audit-log.ts';
import { type Anchor, indexRecords, releaseChain, takeOver } from './audit-index.ts';
import type { AuditRecord, ClosedRecord, DecidedRecord, OpenedRecord } from './audit-record.ts';
import { type ChainHead, checkLine, emptyChain, nextLine } from './chain.ts';

/** Opens the files of a workspace that may be another one than ours, or gone. */
export type OpenWorkspaceFiles = (root: string) => Files | undefined;

/** What became of a call that was cut short. */
export interface Fate {
  readonly callId: string;
  readonly says: string;
}

export interface Recovery {
  /** Calls closed as interrupted. */
  readonly interrupted: number;
  /** Temporary files removed. */
  readonly swept: number;
  /** Chains that do not verify and were put aside. */
  readonly damaged: readonly string[];
  /** What became of commands and undos that were cut short in this workspace, a sentence each. */
  readonly cutShort: readonly string[];
}

/** Recovers every chain that a dead process left; run once at start. What is known of calls by then closes them. */
export async function recover(
  parts: AuditParts,
  openFiles: OpenWorkspaceFiles,
  fates: readonly Fate[] = [],
): Promise<Recovery> {
  await adoptUnknown(parts);
  const owned = await parts.database
    .selectFrom('audit_chains')
    .selectAll()
    .where('owner', 'is not', null)
    .execute();
  const dead = owned.filter((chain) => !parts.processes.isAlive(chain.owner!));
  let interrupted = 0;
  let swept = 0;
  const damaged: string[] = [];
  for (const chain of dead) {
    if (!(await takeOver(parts.database, chain, parts.processes.self))) continue;
    const scan = await scanChain(parts, chain.id);
    if (!reaches(scan, chain)) {
      damaged.push(chain.id);
      await releaseChain(parts.database, chain.id, chain, 'damaged');
      continue;
    }
    for (const orphan of scan.orphans) swept += await sweep(orphan, openFiles);
    interrupted += scan.orphans.length;
    await mend(parts, chain, scan, fates);
  }
  return { interrupted, swept, damaged, cutShort: fates.map(({ says }) => says) };
}

interface Orphan {
  readonly opened: OpenedRecord;
  readonly decided: DecidedRecord | undefined;
}

interface Scan {
  readonly records: readonly AuditRecord[];
  readonly orphans: readonly Orphan[];
  readonly end: Anchor;
  /** The hash after each line, to find the anchor among them. */
  readonly heads: readonly string[];
  /** Bytes of half a line at the end. */
  readonly tornBytes: number;
  readonly broken: boolean;
}

/** Reads a chain and finds the calls that never closed. */
async function scanChain(parts: AuditParts, id: string): Promise<Scan> {
  const records: AuditRecord[] = [];
  const heads: string[] = [];
  const open = new Map<string, Orphan>();
  let head: ChainHead = emptyChain(id);
  let bytes = 0;
  let tornBytes = 0;
  const lines = parts.state.exists(chainFile(id)) ? parts.state.lines(chainFile(id)) : [];
  for await (const { text, torn } of lines) {
    if (torn) {
      tornBytes = Buffer.byteLength(text);
      break;
    }
    const checked = checkLine(head, text);
    if ('broken' in checked)
      return { records, orphans: [], heads, end: { ...head, bytes }, tornBytes, broken: true };
    head = checked.after;
    heads.push(head.head);
    bytes += Buffer.byteLength(text) + 1;
    records.push(checked.line);
    track(open, checked.line);
  }
  return { records, orphans: [...open.values()], heads, end: { ...head, bytes }, tornBytes, broken: false };
}

function track(open: Map<string, Orphan>, record: AuditRecord): void {
  if (record.event === 'opened') open.set(record.call_id, { opened: record, decided: undefined });
  if (record.event === 'decided') {
    const orphan = open.get(record.call_id);
    if (orphan !== undefined) open.set(record.call_id, { ...orphan, decided: record });
  }
  if (record.event === 'closed') open.delete(record.call_id);
}

/** Whether what was read goes at least as far as the store knows, through the same hash. */
function reaches(scan: Scan, chain: AuditChains): boolean {
  if (scan.broken) return false;
  return chain.lines === 0 || scan.heads[chain.lines - 1] === chain.head;
}

async function mend(
  parts: AuditParts,
  chain: AuditChains,
  scan: Scan,
  fates: readonly Fate[],
): Promise<void> {
  const at = parts.clock.now();
  const added: AuditRecord[] = scan.orphans.map((orphan) => interruptedRecord(orphan, at, fates));
  const file = parts.state.openAppend(chainFile(chain.id));
  try {
    if (scan.tornBytes > 0) {
      file.truncate(scan.end.bytes);
      added.push({
        event: 'note',
        at,
        note: `A crash left half a line of ${scan.tornBytes} bytes here; it was cut off.`,
      });
    }
    let head: ChainHead = scan.end;
    for (const record of added) {
      const next = nextLine(head, record);
      file.append(Buffer.from(`${next.text}\n`));
      head = next.after;
    }
    await file.sync();
    const anchor = { lines: head.lines, head: head.head, bytes: file.size };
    await indexRecords(parts.database, chain.id, [...scan.records.slice(chain.lines), ...added], anchor);
    await releaseChain(parts.database, chain.id, anchor, stateFor(file.size));
  } finally {
    file.close();
  }
}

function interruptedRecord({ opened, decided }: Orphan, at: number, fates: readonly Fate[]): ClosedRecord {
  const {
    seq: _seq,
    prev: _prev,
    event: _event,
    at: openedAt,
    ...head
  } = opened as OpenedRecord & ChainPlace;
  const known = fates.filter(({ callId }) => callId === opened.call_id).map(({ says }) => says);
  return {
    ...head,
    event: 'closed',
    at,
    ok: false,
    outcome: 'interrupted',
    error: { code: 'E_INTERNAL', message: ['The process ended before the call did.', ...known].join(' ') },
    ...(decided === undefined
      ? {}
      : { decision: decided.decision, rule: decided.rule, accesses: decided.accesses }),
    duration_ms: Math.max(0, at - openedAt),
  };
}

interface ChainPlace {
  readonly seq: number;
  readonly prev: string;
}

async function sweep({ opened, decided }: Orphan, openFiles: OpenWorkspaceFiles): Promise<number> {
  if (decided === undefined) return 0;
  const files = openFiles(opened.workspace);
  if (files === undefined) return 0;
  let swept = 0;
  for (const { permission, resolved } of decided.accesses) {
    if (permission !== 'fs.write') continue;
    try {
      swept += await files.sweep(resolved, opened.call_id);
    } catch {
      // The place is gone or unreadable now: then there is nothing to sweep.
    }
  }
  return swept;
}

/** Files without a row, such as after the store was lost: they are taken in as if their process had died. */
async function adoptUnknown(parts: AuditParts): Promise<void> {
  const known = new Set(
    (await parts.database.selectFrom('audit_chains').select('id').execute()).map(({ id }) => id),
  );
  for (const name of parts.state.list('audit')) {
    const id = name.replace(/\.jsonl$/, '');
    if (known.has(id) || id === name) continue;
    const row: AuditChains = { id, owner: 'lost', state: 'open', bytes: 0, ...emptyChain(id) };
    await parts.database
      .insertInto('audit_chains')
      .values(row)
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
}
