/** `handrail audit`: the record, for people and programs. */
import { realpathSync } from 'node:fs';
import { openAudit } from './open-audit.ts';
import type { AuditCalls } from '../store/tables.ts';
import { FAILED, FINE, UsageError } from './exit-code.ts';
import { shown } from '../shown.ts';
import { note, print, printJson, table } from './print.ts';
import type { Surroundings } from './surroundings.ts';

export interface AuditListArguments {
  readonly workspace?: string;
  readonly all?: boolean;
  readonly limit: string;
  readonly json?: boolean;
}

/** The newest calls. */
export async function auditList(
  options: AuditListArguments,
  { locations, folder, isTerminal }: Surroundings,
): Promise<void> {
  const limit = Number(options.limit);
  if (!Number.isInteger(limit) || limit < 1)
    throw new UsageError(`--limit ${options.limit} is not a positive whole number.`);
  await using audit = openAudit(locations);
  const workspace = options.all === true ? undefined : realpathSync(options.workspace ?? folder);
  const calls = await audit.reader.list({ workspace, limit });
  if (options.json === true) printJson(calls, isTerminal);
  else if (calls.length === 0)
    note(`No calls yet${workspace === undefined ? '' : ` in ${workspace}; --all shows every workspace`}.`);
  else print(table(['TIME', 'CALL', 'TOOL', 'OUTCOME', 'DECISION', 'MS'], calls.map(row)));
}

function row(call: AuditCalls): string[] {
  return [
    new Date(call.at).toISOString().slice(0, 19).replace('T', ' '),
    call.call_id,
    `${call.dialect}:${call.name}`,
    call.error_code ?? call.outcome ?? 'running',
    call.decision === null ? '' : `${call.decision} (${call.rule})`,
    call.duration_ms === null ? '' : call.duration_ms.toFixed(1),
  ];
}

/** All lines of one call. */
export async function auditShow(id: string, { locations }: Surroundings): Promise<number> {
  await using audit = openAudit(locations);
  const lines = await audit.reader.show(id);
  if (lines === undefined) {
    note(
      `handrail: there is no call ${JSON.stringify(id)} in the audit. \`handrail audit list --all\` shows the newest.`,
    );
    return FAILED;
  }
  for (const line of lines) print(JSON.stringify(line, undefined, 2).split('\n').map(shown).join('\n'));
  return FINE;
}

/** Checks every chain; the exit code says whether all hold. */
export async function auditVerify(
  { json }: { readonly json?: boolean },
  { locations, isTerminal }: Surroundings,
): Promise<number> {
  await using audit = openAudit(locations);
  const reports = await audit.reader.verify();
  const broken = reports.filter(({ problem }) => problem !== undefined);
  if (json === true) printJson(reports, isTerminal);
  else {
    for (const { chain, problem } of broken) print(`${chain}: line ${problem!.line}: ${problem!.what}`);
    const lines = reports.reduce((sum, report) => sum + report.lines, 0);
    const what = `${lines} ${lines === 1 ? 'line' : 'lines'} in ${reports.length} ${reports.length === 1 ? 'chain' : 'chains'}`;
    print(
      broken.length === 0
        ? `The audit holds: ${what}.`
        : `The audit was changed: ${broken.length} of ${reports.length} chains do not hold.`,
    );
  }
  return broken.length === 0 ? FINE : FAILED;
}
