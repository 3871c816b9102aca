/** Small drawings, all of one kind: 16 by 16, by line. */
import type { ReactNode } from 'react';

const PATHS = {
  live: 'M1.5 8h3l2-5 3 10 2-5h3',
  approvals: 'M8 1.8 13.5 4v4c0 3.2-2.3 5.4-5.5 6.4C4.8 13.4 2.5 11.2 2.5 8V4zM5.6 8l1.8 1.8 3.2-3.4',
  review: 'M2.5 2.5h11v11h-11zM8 2.5v11M4.3 6h1.9M4.3 8.5h1.9M9.8 6h1.9M9.8 8.5h1.9',
  changes: 'M3 2.5h6.5L13 6v7.5H3zM8 6v4M6 8h4M6 11.8h4',
  processes: 'M2 3h12v10H2zM4.5 6l2 2-2 2M8 10.2h3.5',
  tools: 'M9.6 2.3a3.6 3.6 0 0 1 3.6 4.9L14 8l-1.7 1.7-1-.9-4.7 4.8a1.5 1.5 0 0 1-2.2-2.2l4.8-4.7-.9-1z',
  policy: 'M3 2.5h10v11H3zM5.5 5.5h5M5.5 8h5M5.5 10.5h3',
  audit: 'M2 13.5h12M3.5 11V7.5M6.5 11V3.5M9.5 11V6M12.5 11V2.5',
  chat: 'M2 3h12v8H7.5L4.5 13.5V11H2z',
  projects: 'M1.8 4V12.8h12.4V5.2H7.8L6.4 3.4H1.8z',
  more: 'M2.5 4.5h11M2.5 8h11M2.5 11.5h11',
  theme: 'M8 2a6 6 0 1 0 0 12zM8 2a6 6 0 0 1 0 12',
} as const;

export type IconName = keyof typeof PATHS;

/** Says nothing to who can't see it: a word stands beside it. */
export function Icon({ name }: { readonly name: IconName }): ReactNode {
  return (
    <svg className="icon" viewBox="0 0 16 16" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  );
}
