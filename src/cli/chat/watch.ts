/** `handrail chat --live`: what every session of a workspace does, from whatever process, as the audit's index tells. */
import { realpathSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { localClock } from '../../host/local/clock.ts';
import { type AuditReader, auditReader } from '../../journal/audit-reader.ts';
import { openState } from '../../open-state.ts';
import { describeMessage } from '../../runtime/describe-message.ts';
import { messageRows } from '../../store/messages.ts';
import type { AuditCalls } from '../../store/tables.ts';
import { FINE } from '../exit-code.ts';
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
  const root = realpathSync(workspace ?? folder);
  await using state = openState(locations);
  const { database } = state.store;
  const reader = auditReader({ state: state.directory, database, processes: state.processes });
  const messages = messageRows(database, localClock);
  const seen = new Set<string | number>();
  const isFresh = (id: string | number): boolean => !seen.has(id) && seen.add(id).size > 0;
  note(`Watching ${root}; Ctrl-C ends it, and nothing else.`);
  await untilInterrupted(async (signal) => {
    for (let limit = EARLIER; !signal.aborted; limit = MOST_AT_ONCE) {
      const calls = await reader.list({ workspace: root, limit });
      for (const call of calls.toReversed())
        if (call.outcome !== null && isFresh(call.call_id))
          print(await callLine(call, reader, hasColor(environment)));
      const shown = await messages.list(root, limit);
      for (const { id, message } of shown.toReversed()) if (isFresh(id)) print(describeMessage(message));
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
