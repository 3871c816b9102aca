/** The rule that a patch is applied to what is committed, so that what it did can be told from what was there. */
import { Failure } from '../../failure.ts';
import type { OperationContext } from '../../runtime/operation.ts';
import { uncommitted } from '../git/uncommitted.ts';
import type { FilePlan } from './plan-file.ts';

/** Refuses plans that change files with uncommitted changes; what one of our own calls left there counts as clean. */
export async function refuseUnclean(plans: readonly FilePlan[], context: OperationContext): Promise<void> {
  const { cleanTree } = context.settings;
  const changing = plans.filter(({ change }) => change !== undefined);
  if (cleanTree === 'off' || changing.length === 0) return;
  const paths = changing.flatMap(({ path, from }) => (from === undefined ? [path] : [from, path]));
  const dirty: string[] = [];
  for (const path of await uncommitted(context.git, paths, cleanTree))
    if (!(await context.files.isOwnWrite(path))) dirty.push(path);
  if (dirty.length === 0) return;
  const shown = dirty.slice(0, MAX_SHOWN).map((path) => JSON.stringify(path));
  throw new Failure(
    'E_PATCH',
    `The working tree is not clean: ${shown.join(', ')} has changes that are not committed.`,
    {
      hint: 'Nothing was changed. Commit or restore them first; the setting edits.cleanTree says what has to be clean.',
      details: { files: dirty.slice(0, MAX_FILES) },
    },
  );
}

const MAX_SHOWN = 5;
const MAX_FILES = 100;
