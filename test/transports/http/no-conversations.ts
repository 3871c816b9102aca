/** For applications that nobody talks to. */
import { Conversations } from '../../../src/transports/conversations.ts';

export const NO_CONVERSATIONS = new Conversations({
  agentsOf: () => Promise.reject(new Error('Nobody talks here.')),
  hold: async () => undefined,
  leave: async () => undefined,
  publish: () => undefined,
});
