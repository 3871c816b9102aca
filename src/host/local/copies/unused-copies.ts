/** Copies of workspaces where no command ran for long, or of too many workspaces: they go, the longest unused first. */
import { readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { ProcessTable } from '../../ports.ts';
import type { CopyLimits } from './copy-limits.ts';
import { RunRecords } from './run-records.ts';

/** Removes what the limits leave no place for; the given one stays. */
export function removeUnusedCopies(
  copies: string,
  own: string,
  processes: ProcessTable,
  limits: Pick<CopyLimits, 'workspaces' | 'unusedMs'>,
): void {
  const others = foldersIn(copies)
    .filter(({ folder }) => folder !== own)
    .sort((one, other) => other.usedMs - one.usedMs);
  const unused = others.filter(
    ({ usedMs }, at) => at >= limits.workspaces - 1 || usedMs < Date.now() - limits.unusedMs,
  );
  // Where a command runs, or left something behind, the copies are still needed.
  for (const { folder } of unused)
    if (new RunRecords(folder, processes).all().length === 0)
      rmSync(folder, { recursive: true, force: true });
}

/** Every use makes and removes files in the folder itself. */
function foldersIn(copies: string): { folder: string; usedMs: number }[] {
  try {
    return readdirSync(copies).map((name) => {
      const folder = join(copies, name);
      return { folder, usedMs: statSync(folder).mtimeMs };
    });
  } catch {
    // Nothing is there yet, or another process cleans up too.
    return [];
  }
}
