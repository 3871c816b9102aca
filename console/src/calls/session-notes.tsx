import type { ReactNode } from 'react';
export function SessionNotes(_: { session: string }): ReactNode {
  return null;
}
