/** The registered projects, as they change. */
import type { OutputOf } from '../../../src/client/index.ts';
import { type Live, useLive } from './use-live.ts';

export type Project = OutputOf<'listProjects'>['projects'][number];

export function useProjects(): Live<OutputOf<'listProjects'>> {
  return useLive('projects', (client, signal) => client.listProjects({}, { signal }), ['projects', 'trust']);
}
