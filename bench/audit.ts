/** How fast the audit takes lines and verifies them, and how long a flush keeps the event loop from other work. */
import { hash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { localClock } from '../src/host/local/clock.ts';
import { localIds } from '../src/host/local/ids.ts';
import { localProcessTable } from '../src/host/local/process-table.ts';
import { localStateDirectory } from '../src/host/local/state-directory.ts';
import { AuditLog, type AuditParts } from '../src/journal/audit-log.ts';
import { verifyAudit } from '../src/journal/verify.ts';
import { openStore } from '../src/store/store.ts';
import { callLines } from './call-lines.ts';
import { compare, nextTurn, type Sample, sampleOf } from './measure.ts';
import { NaiveAudit } from './naive-audit.ts';
import type { Row } from './table.ts';

const CALLS_A_BATCH = 1_000;
const LINES_A_CALL = 2;
/** The naive audit is slow, and its time per line does not depend on how many there are. */
const NAIVE_CALLS = 50;
const MEGABYTE = 1e6;

/** All rows of the audit. */
export async function audit(): Promise<Row[]> {
  const base = mkdtempSync(join(tmpdir(), 'handrail-bench-'));
  try {
    mkdirSync(join(base, 'naive'));
    const state = localStateDirectory(join(base, 'state'));
    await using store = openStore(state.privateFile('handrail.sqlite'));
    const processes = localProcessTable();
    const parts: AuditParts = {
      state,
      database: store.database,
      processes,
      clock: localClock,
      ids: localIds(localClock),
    };
    const writer = new Writer();
    const rows: Row[] = [];
    {
      await using log = await AuditLog.open(parts);
      using naive = new NaiveAudit(join(base, 'naive', 'audit.jsonl'));
      rows.push(await writing(writer, log, naive), await blocking(writer, log));
    }
    return [...rows, await verifying(parts, join(base, 'state', 'audit'))];
  } finally {
    rmSync(base, { recursive: true, force: true });
  }
}

/** Writes the lines of ever new calls. */
class Writer {
  #calls = 0;

  write(to: Pick<AuditLog, 'write'>, calls: number): void {
    for (let count = 0; count < calls; count++) for (const line of callLines(++this.#calls)) to.write(line);
  }
}

async function writing(writer: Writer, log: AuditLog, naive: NaiveAudit): Promise<Row> {
  const samples = await compare(
    {
      batched: {
        async once() {
          writer.write(log, CALLS_A_BATCH);
          await log.flush();
        },
      },
      naive: { once: () => writer.write(naive, NAIVE_CALLS) },
    },
    { rounds: 30, stretchMs: 0 },
  );
  const line = perPart(samples.batched, CALLS_A_BATCH * LINES_A_CALL);
  return {
    what: 'audit line, synced and indexed in batches',
    sample: line,
    beside: {
      what: 'append and fdatasync a line',
      sample: perPart(samples.naive, NAIVE_CALLS * LINES_A_CALL),
    },
    note: `${Math.round(1e6 / line.p50).toLocaleString('en')} lines a second`,
  };
}

/** The longest stretch of a flush in which nothing else could run. */
async function blocking(writer: Writer, log: AuditLog): Promise<Row> {
  const longest: number[] = [];
  for (let round = 0; round < 30; round++) {
    writer.write(log, CALLS_A_BATCH);
    longest.push(await longestBlock(log.flush()));
  }
  return { what: `event loop blocked by a flush of ${CALLS_A_BATCH} calls`, sample: sampleOf(longest) };
}

async function longestBlock(work: Promise<void>): Promise<number> {
  const progress = { isDone: false };
  const ended = work.finally(() => (progress.isDone = true));
  let longest = 0;
  while (!progress.isDone) {
    const start = performance.now();
    await nextTurn();
    longest = Math.max(longest, performance.now() - start);
  }
  await ended;
  return longest * 1_000;
}

async function verifying(parts: AuditParts, folder: string): Promise<Row> {
  const files = readdirSync(folder).map((name) => join(folder, name));
  const megabytes = files.reduce((sum, file) => sum + statSync(file).size, 0) / MEGABYTE;
  const samples = await compare(
    {
      verify: {
        async once() {
          const broken = (await verifyAudit(parts)).find(({ problem }) => problem !== undefined);
          if (broken !== undefined) throw new Error(`The audit does not verify: ${broken.problem!.what}`);
        },
      },
      hashOnly: { once: () => files.map((file) => hash('sha256', readFileSync(file))) },
    },
    { rounds: 10, stretchMs: 0 },
  );
  return {
    what: `verifying ${megabytes.toFixed(0)} MB of audit`,
    sample: samples.verify,
    beside: { what: 'SHA-256 of the files', sample: samples.hashOnly },
    note: `${Math.round(megabytes / (samples.verify.p50 / 1e6))} MB a second`,
  };
}

function perPart({ min, p50, p99 }: Sample, parts: number): Sample {
  return { min: min / parts, p50: p50 / parts, p99: p99 / parts };
}
