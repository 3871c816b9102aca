/** The question to a human as text, the same wherever it is asked. */
import { shown } from '../shown.ts';
import type { ApprovalRequest } from './approvals.ts';

/** The whole question. */
export function describeRequest(request: ApprovalRequest): string {
  const { dialect, tool, reason, accesses, preview, args, alwaysRule, rule } = request;
  const touched = accesses.map(({ permission, resource, resolved }) =>
    resource === resolved
      ? `  ${permission}  ${shown(resolved)}`
      : `  ${permission}  ${shown(resource)} -> ${shown(resolved)}`,
  );
  const body = preview === undefined ? JSON.stringify(args, undefined, 2) : preview.text;
  return [
    `${dialect}:${shown(tool)} asks: ${shown(reason)} (${shown(rule)})`,
    ...touched,
    ...shownLines(body),
    ...(alwaysRule === undefined
      ? []
      : [`"always" would write the rule ${shown(JSON.stringify(alwaysRule))}`]),
  ].join('\n');
}

/** Every line, however many there are: nobody can approve what they were not shown. */
export function shownLines(body: string): string[] {
  const lines = body.replace(/\n$/, '').split('\n');
  return lines.map((line) => `  | ${shown(line)}`);
}
