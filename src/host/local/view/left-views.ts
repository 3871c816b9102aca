/** Views that processes which are gone left behind. */
import { Failure } from '../../../failure.ts';
import type { LeftChanges } from '../../ports.ts';

/** Where there are no views, none is left. */
export const NOTHING_LEFT: LeftChanges = {
  list: () => [],
  async reopen(id) {
    throw new Failure('E_NOT_FOUND', `There are no changes ${JSON.stringify(id)}.`);
  },
  drop: async () => {},
};
