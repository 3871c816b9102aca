/** What a person should know before anything else, said when a command starts. */
import { shown } from '../shown.ts';
import type { Runtime } from '../runtime-types.ts';
import { note } from './print.ts';

/** Says what became of work that was cut short, and where a workspace has settings of its own that do not count. */
export function noteStart({ projectSettings, recovery }: Runtime): void {
  for (const sentence of recovery.cutShort) note(`Note: ${shown(sentence)}`);
  if (projectSettings === 'not-trusted')
    note("Note: the workspace's own settings do not count; `handrail trust` shows them.");
  if (projectSettings === 'unfit')
    note("Note: the workspace's own settings do not count, and can't be trusted; `handrail trust` says why.");
}
