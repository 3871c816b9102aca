/** Whether a process runs, or how it ended. */
import type { ReactNode } from 'react';
import type { OutputOf } from '../../../../src/client/index.ts';
import { Badge } from '../../parts/badge.tsx';

export type Process = OutputOf<'listProcesses'>['processes'][number];

const ENDS = {
  itself: 'ended',
  stopped: 'stopped',
  'owner-gone': 'ended with its session',
  'supervisor-gone': 'lost',
} as const;

export function ProcessBadge({ process: { ended } }: { readonly process: Process }): ReactNode {
  if (ended === undefined) return <Badge tone="busy">runs</Badge>;
  const code = ended.exitCode === undefined ? '' : ` (${ended.exitCode})`;
  const isBad = ended.by === 'itself' && ended.exitCode !== 0;
  return <Badge tone={isBad ? 'warn' : 'plain'}>{`${ENDS[ended.by]}${code}`}</Badge>;
}
