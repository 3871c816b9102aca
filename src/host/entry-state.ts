/** What stands under a path at one moment, as it is compared and restored. */

export type EntryState =
  | { readonly kind: 'missing' }
  | {
      readonly kind: 'file';
      readonly hash: string;
      readonly mode?: number;
      /** What counts of a content whose bytes differ without a reason: that of git's index. */
      readonly meaning?: string;
    }
  | { readonly kind: 'directory'; readonly mode?: number }
  | { readonly kind: 'link'; readonly target: string }
  /** A pipe, a device, a file that may not be read: nothing that could be kept or compared. */
  | { readonly kind: 'other' };

type FileState = Extract<EntryState, { kind: 'file' }>;

/** Whether two states are the same, as far as both are known. */
export function sameState(one: EntryState, other: EntryState): boolean {
  if (one.kind === 'link' && other.kind === 'link') return one.target === other.target;
  if (one.kind === 'file' && other.kind === 'file')
    return sameContent(one, other) && sameMode(one.mode, other.mode);
  if (one.kind === 'directory' && other.kind === 'directory') return sameMode(one.mode, other.mode);
  return one.kind === other.kind && one.kind !== 'other';
}

function sameContent(one: FileState, other: FileState): boolean {
  return one.hash === other.hash || (one.meaning !== undefined && one.meaning === other.meaning);
}

function sameMode(one: number | undefined, other: number | undefined): boolean {
  return one === undefined || other === undefined || one === other;
}
