/** `handrail clean`: what the state folder holds, and how to be rid of it. */
import { countCopies, removeAllCopies } from '../host/local/copies/copy-folders.ts';
import { INDEX_FOLDER } from '../open-code-index.ts';
import { openState } from '../open-state.ts';
import { forgetAllUndo, keptBytes } from '../journal/clean.ts';
import { confirmed } from './confirmed.ts';
import { DENIED, FAILED, FINE } from './exit-code.ts';
import { note, print, table } from './print.ts';
import { countPreImages } from './setup/pre-image.ts';
import type { Surroundings } from './surroundings.ts';

export interface CleanArguments {
  readonly yes?: boolean;
  readonly audit?: boolean;
}

/** Shows what would go, asks, and deletes it. The audit stays unless it is named. */
export async function clean(options: CleanArguments, { locations }: Surroundings): Promise<number> {
  await using state = openState(locations);
  const { database } = state.store;
  const chains = await database.selectFrom('audit_chains').selectAll().execute();
  const count = async (name: 'turns' | 'outputs' | 'approvals' | 'recorded_calls'): Promise<number> => {
    const counted = database.selectFrom(name).select(({ fn }) => fn.countAll<number>().as('n'));
    return (await counted.executeTakeFirstOrThrow()).n;
  };
  const copies = countCopies(locations.state);
  const indexes = state.directory.list(INDEX_FOLDER);
  const sizes = indexes.map((name) => state.directory.readPart(`${INDEX_FOLDER}/${name}`, 0, 0).size);
  const rows = [
    [
      'turns that can be taken back',
      String(await count('turns')),
      megabytes(await keptBytes(database)),
      'deleted',
    ],
    ['workspaces copied before commands', String(copies.workspaces), megabytes(copies.bytes), 'deleted'],
    [
      'indexes of code',
      String(indexes.filter((name) => name.endsWith('.sqlite')).length),
      megabytes(sizes.reduce((sum, size) => sum + size, 0)),
      'deleted',
    ],
    ['results kept for paging', String(await count('outputs')), '', 'deleted'],
    ['answers kept for repeated calls', String(await count('recorded_calls')), '', 'deleted'],
    ['questions', String(await count('approvals')), '', 'deleted'],
    [
      "clients' files as they were before a setup",
      String(countPreImages(state.directory)),
      '',
      'kept (handrail setup <client> --remove puts them back)',
    ],
    [
      'audit chains',
      String(chains.length),
      megabytes(chains.reduce((sum, { bytes }) => sum + bytes, 0)),
      options.audit === true ? 'deleted' : 'kept (--audit deletes them)',
    ],
  ];
  print(locations.state);
  print(table(['WHAT', 'HOW MANY', 'SIZE', 'AFTERWARDS'], rows));
  if (
    options.audit === true &&
    chains.some(({ owner }) => owner !== null && state.processes.isAlive(owner))
  ) {
    note('handrail: another Handrail is writing the audit; stop it first.');
    return FAILED;
  }
  if (options.yes !== true && !(await confirmed('Delete this?'))) {
    note('Nothing was deleted.');
    return DENIED;
  }
  for (const name of ['outputs', 'recorded_calls', 'approvals'] as const)
    await database.deleteFrom(name).execute();
  await forgetAllUndo({ state: state.directory, database });
  state.directory.remove(INDEX_FOLDER);
  const needed = removeAllCopies(locations.state, state.processes);
  if (options.audit === true) {
    for (const table of ['audit_calls', 'audit_chains'] as const) await database.deleteFrom(table).execute();
    state.directory.remove('audit');
  }
  if (needed > 0)
    note(
      `Copies of ${needed} ${needed === 1 ? 'workspace' : 'workspaces'} stay, because commands run there.`,
    );
  note('Deleted.');
  return FINE;
}

function megabytes(bytes: number): string {
  return `${(bytes / 1_048_576).toFixed(1)} MB`;
}
