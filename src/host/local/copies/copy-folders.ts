/** The copies of all workspaces in Handrail's state: how much they are, and which have to go. */
import { hash } from 'node:crypto';
import { existsSync, lstatSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { ProcessTable } from '../../ports.ts';
import type { CopyLimits } from './copy-limits.ts';
import { CONTENTS } from './copied-contents.ts';
import { RunRecords } from './run-records.ts';

const COPIES = 'copies';

/** Where the copies of one workspace are. */
export function copiesOf(state: string, workspace: string): string {
  return join(state, COPIES, hash('sha256', workspace).slice(0, 32));
}

/** Of how many workspaces there are copies, and how large they are. */
export function countCopies(state: string): { workspaces: number; bytes: number } {
  const folders = foldersIn(join(state, COPIES));
  const bytes = folders.reduce((sum, { folder }) => sum + bytesIn(join(folder, CONTENTS)), 0);
  return { workspaces: folders.length, bytes };
}

/** Removes all of them, but those that a running command may still need; says of how many workspaces they stayed. */
export function removeAllCopies(state: string, processes: ProcessTable): number {
  let stayed = 0;
  for (const { folder } of foldersIn(join(state, COPIES))) {
    if (new RunRecords(folder, processes).owned().length > 0) stayed++;
    else rmSync(folder, { recursive: true, force: true });
  }
  return stayed;
}

/** Removes what was not used for long, and what is of too many workspaces; the given one stays. */
export function removeUnusedCopies(
  state: string,
  own: string,
  processes: ProcessTable,
  limits: Pick<CopyLimits, 'workspaces' | 'unusedMs'>,
): void {
  const others = foldersIn(join(state, COPIES))
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

function bytesIn(folder: string): number {
  if (!existsSync(folder)) return 0;
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, { parentPath, name }) => sum + sizeOf(join(parentPath, name)), 0);
}

function sizeOf(file: string): number {
  return lstatSync(file, { throwIfNoEntry: false })?.size ?? 0;
}
