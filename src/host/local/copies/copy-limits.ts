/** How much of a workspace is copied before a command changes it. */

export interface CopyLimits {
  /** The largest file of which a copy is kept. */
  readonly fileBytes: number;
  /** All copies of one workspace together. */
  readonly totalBytes: number;
  /** How many files, folders and links are looked at. */
  readonly entries: number;
  /** Of how many workspaces copies are kept. */
  readonly workspaces: number;
  /** Copies of a workspace where no command ran for so long go, and so does what a dead process left behind. */
  readonly unusedMs: number;
}

export const COPY_LIMITS: CopyLimits = {
  fileBytes: 64 * 1024 * 1024,
  totalBytes: 1024 * 1024 * 1024,
  entries: 200_000,
  workspaces: 5,
  unusedMs: 30 * 86_400_000,
};
