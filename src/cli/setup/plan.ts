/** What a setup, or its removal, makes of one file. Pure but for reading; nothing is written here. */
import { existsSync } from 'node:fs';
import { dirname, extname } from 'node:path';
import { Failure } from '../../failure.ts';
import { type Change, type Format, Unusable } from './change.ts';
import type { ClientFile } from './client-file.ts';
import { jsonFormat } from './json-format.ts';
import { hashOf, type PreImage } from './pre-image.ts';
import { tomlFormat } from './toml-format.ts';

/** A file with what it holds and what it shall hold; undefined is no file. */
export interface FilePlan {
  readonly file: ClientFile;
  readonly now: string | undefined;
  readonly next: string | undefined;
  /** What is known about it from then on. */
  readonly image: PreImage | undefined;
  /** Whether its folder goes with it. */
  readonly withFolder: boolean;
}

/** The file with all changes in it. */
export async function planSetup(
  file: ClientFile,
  changes: readonly Change[],
  known: PreImage | undefined,
): Promise<FilePlan> {
  const now = await file.read();
  return explained(file, (format) => {
    const next = format.apply(now, changes);
    const before = beforeSetup(format, now, changes, known);
    const hadFolder = known?.hadFolder ?? existsSync(dirname(file.path));
    return { file, now, next, image: { before, hadFolder, after: hashOf(next) }, withFolder: false };
  });
}

/** The file as it was before; where somebody changed it since, the file with all changes taken out. */
export async function planRemoval(
  file: ClientFile,
  changes: readonly Change[],
  known: PreImage | undefined,
): Promise<FilePlan> {
  const now = await file.read();
  return explained(file, (format) => {
    const next = now === undefined ? undefined : withoutSetup(format, now, changes, known);
    return { file, now, next, image: undefined, withFolder: known?.hadFolder === false };
  });
}

/** The first setup finds what was there. A later one, or one after somebody else's, finds that with changes in it. */
function beforeSetup(
  format: Format,
  now: string | undefined,
  changes: readonly Change[],
  known: PreImage | undefined,
): string | undefined {
  if (now === undefined) return undefined;
  const own = changes.filter((change) => 'value' in change && typeof change.value === 'object');
  const isFirst = known === undefined && format.withdraw(now, own, undefined) === now;
  return isFirst ? now : withoutSetup(format, now, changes, known);
}

function withoutSetup(
  format: Format,
  now: string,
  changes: readonly Change[],
  known: PreImage | undefined,
): string | undefined {
  return known?.after === hashOf(now) ? known.before : format.withdraw(now, changes, known?.before);
}

function explained(file: ClientFile, plan: (format: Format) => FilePlan): FilePlan {
  try {
    return plan(extname(file.path) === '.toml' ? tomlFormat : jsonFormat);
  } catch (error) {
    if (!(error instanceof Unusable)) throw error;
    throw new Failure('E_UNSUPPORTED', `${file.path} can not be edited: ${error.message}.`, {
      hint: 'Nothing was written. Correct the file, or edit it by hand.',
      cause: error,
    });
  }
}
