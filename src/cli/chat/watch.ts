/** `handrail chat --live`: what every session of a workspace does, from whatever process, as the audit's index tells. */
import { realpathSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import type { AuditReader } from '../../journal/audit-reader.ts';
import type { AuditCalls } from '../../store/tables.ts';
import { FINE } from '../exit-code.ts';
import { openAudit } from '../open-audit.ts';
import { note, print } from '../print.ts';
import type { Surroundings } from '../surroundings.ts';
import { untilInterrupted } from '../until-interrupted.ts';
import { duration } from './amounts.ts';
import { cut, paint, safeLine, span, type Style } from './spans.ts';
import { subjectOf } from './tool-lines.ts';
import { hasColor } from './talk.ts';

const POLL_MS = 300;
/** What came before is shown too, so that the screen is not empty. */
const EARLIER = 10;
const MOST_AT_ONCE = 200;

/** Watches until Ctrl-C. */
export async function watch(
  { workspace }: { readonly workspace?: string },
  { locations, folder, environment }: Surroundings,
): Promise<number> {
  await using audit = openAudit(locations);
  const root = realpathSync(workspace ?? folder);
  const seen = new Set<string>();
  let limit = EARLIER;
  note(`Watching ${root}; Ctrl-C ends it, and nothing else.`);
  await untilInterrupted(async (signal) => {
    while (!signal.aborted) {
      const calls = (await audit.reader.list({ workspace: root, limit })).toReversed();
      for (const call of calls) {
        if (call.outcome === null || seen.has(call.call_id)) continue;
        seen.add(call.call_id);
        print(await callLine(call, audit.reader, hasColor(environment)));
      }
      limit = MOST_AT_ONCE;
      await setTimeout(POLL_MS, undefined, { signal }).catch(() => undefined);
    }
  });
  return FINE;
}

const STYLES: Readonly<Record<string, Style>> = { ok: 'green', failed: 'red', denied: 'yellow' };

async function callLine(call: AuditCalls, reader: AuditReader, isColored: boolean): Promise<string> {
  const opened = (await reader.show(call.call_id))?.find((line) => 'args' in line);
  const subject = opened !== undefined && 'args' in opened ? subjectOf(opened.args) : '';
  const outcome = call.outcome ?? '';
  const line = [
    span(`${new Date(call.at).toTimeString().slice(0, 8)} `, 'dim'),
    span(`${safeLine(call.session).slice(-6)} `, 'dim'),
    span(safeLine(call.name), 'bold'),
    span(subject === '' ? ' ' : ` ${subject} `),
    span(outcome, STYLES[outcome] ?? 'dim'),
    span(call.duration_ms === null ? '' : ` ${duration(call.duration_ms)}`, 'dim'),
  ];
  return paint(cut(line, process.stdout.columns || 200), isColored && process.stdout.isTTY);
}
