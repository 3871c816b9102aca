/** A range of commits as people write it. */

export interface Range {
  readonly from?: string;
  readonly to?: string;
  readonly isFromFork: boolean;
}

/** `a`, `a..b`, or `a...b` for what b has since it parted from a; a side that is left out is HEAD. */
export function readRange(written: string | undefined): Range {
  if (written === undefined || written === '') return { isFromFork: false };
  const [, from, dots, to] = /^(.*?)(\.{2,3})(.*)$/s.exec(written) ?? [];
  if (dots === undefined) return { from: written, isFromFork: false };
  return { from: from || 'HEAD', to: to || 'HEAD', isFromFork: dots === '...' };
}
