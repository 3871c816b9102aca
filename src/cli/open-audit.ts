/** The audit of the user's state folder, for reading. */
import { openState } from '../open-state.ts';
import { type AuditReader, auditReader } from '../journal/audit-reader.ts';
import type { Locations } from '../policy/places.ts';

export function openAudit(locations: Locations): { readonly reader: AuditReader } & AsyncDisposable {
  const state = openState(locations);
  return {
    reader: auditReader({
      state: state.directory,
      database: state.store.database,
      processes: state.processes,
    }),
    [Symbol.asyncDispose]: () => state[Symbol.asyncDispose](),
  };
}
