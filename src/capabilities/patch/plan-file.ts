/** What a patch makes of one file, worked out without changing anything. */
import { Failure } from '../../failure.ts';
import type { FileChange, ScopedFiles } from '../../runtime/operation.ts';
import { applyHunks, type ApplyOptions, type LineChanges, type PlacedHunk } from './apply-hunks.ts';
import type { FilePatch } from './file-patch.ts';
import { newSide, oldSide } from './hunk.ts';
import { readText, readTextIfThere, type TextFile, toBytes } from './read-text.ts';
import { toText } from './text-lines.ts';

export interface PlanOptions extends ApplyOptions {
  readonly maxBytes: number;
}

/** A file before and after. */
export interface FilePlan {
  readonly operation: FilePatch['operation'];
  readonly path: string;
  readonly from?: string;
  readonly before: TextFile | undefined;
  /** Undefined where the file goes. */
  readonly text: string | undefined;
  /** Set where it changes. */
  readonly executable?: boolean;
  readonly hunks: readonly PlacedHunk[];
  /** What came for which lines, where lines were changed. */
  readonly changes?: LineChanges;
  /** Undefined where everything is in place already. */
  readonly change: FileChange | undefined;
}

/** Plans one file of a patch. */
export async function planFile(
  patch: FilePatch,
  files: ScopedFiles,
  options: PlanOptions,
): Promise<FilePlan> {
  const { operation, path, from, hunks } = patch;
  // A header without /dev/null, for a file that is not there and lines that only come: it is meant to be made.
  const mayBeMissing =
    operation === 'create' ||
    (operation === 'update' && hunks.length > 0 && hunks.every(({ lines }) => oldSide(lines).length === 0));
  const before = await (mayBeMissing ? readTextIfThere : readText)(files, from ?? path, options.maxBytes);
  if (operation === 'create' || before === undefined) return planCreation(patch, before, options);
  if (operation === 'delete') return planDeletion(patch, before);
  const applied = applyHunks(from ?? path, before.text, hunks, options);
  if (from !== undefined) await refuseExisting(files, path, options);
  const isModeNew = patch.executable !== undefined && patch.executable !== before.isExecutable;
  const mode = isModeNew ? { executable: patch.executable! } : {};
  const isChanged = isModeNew || from !== undefined || applied.text !== before.text;
  const after = toBytes(applied.text, path, options.maxBytes);
  return {
    operation,
    path,
    before,
    ...applied,
    ...mode,
    ...(from === undefined ? {} : { from }),
    change: isChanged
      ? { path, before: before.bytes, after, ...mode, ...(from === undefined ? {} : { from }) }
      : undefined,
  };
}

function planCreation(patch: FilePatch, before: TextFile | undefined, options: PlanOptions): FilePlan {
  const { path, hunks, executable } = patch;
  const text = toText(hunks.flatMap(({ lines }) => newSide(lines)));
  const strange = hunks.find(({ lines }) => lines.some(({ mark }) => mark !== '+'));
  if (strange !== undefined) {
    throw new Failure(
      'E_PATCH',
      `The patch makes ${JSON.stringify(path)}, but has lines that are not marked with "+" (line ${strange.source} of the patch).`,
      { hint: 'Nothing was changed.' },
    );
  }
  const placed = hunks.slice(0, 1).map(() => ({ line: 1, differences: [], already: before !== undefined }));
  const mode = executable === undefined ? {} : { executable };
  if (before !== undefined) {
    if (options.alreadyApplied === 'failure' || before.text !== text) throw existing(path);
    return { operation: 'create', path, before, text, hunks: placed, change: undefined };
  }
  const after = toBytes(text, path, options.maxBytes);
  return {
    operation: 'create',
    path,
    before,
    text,
    ...mode,
    hunks: placed,
    change: { path, before: undefined, after, ...mode },
  };
}

/** A deletion takes only lines that the patch shows, unless it is of the kind that shows none. */
function planDeletion({ path, hunks, isWhole }: FilePatch, before: TextFile): FilePlan {
  const applied = applyHunks(path, before.text, hunks, { alreadyApplied: 'failure' });
  if (isWhole && applied.text !== '') {
    throw new Failure(
      'E_PATCH',
      `The patch deletes ${JSON.stringify(path)}, but does not show all of its lines.`,
      {
        hint: 'Nothing was changed. Show every line with "-", or delete the file by another tool.',
      },
    );
  }
  const change = { path, before: before.bytes, after: undefined };
  return { operation: 'delete', path, before, text: undefined, hunks: applied.hunks, change };
}

async function refuseExisting(files: ScopedFiles, path: string, { maxBytes }: PlanOptions): Promise<void> {
  if ((await readTextIfThere(files, path, maxBytes)) !== undefined) throw existing(path);
}

function existing(path: string): Failure {
  return new Failure('E_PATCH', `The patch makes ${JSON.stringify(path)}, which is there already.`, {
    hint: 'Nothing was changed. Change the file instead, or choose another name.',
  });
}
