/** `process.forward`: opens a port of this machine's loopback onto one of a background process, for a person's browser. */
import { z } from 'zod';
import { defineOperation } from '../../runtime/operation.ts';
import { processId } from './process-facts.ts';

export const processForward = defineOperation({
  name: 'process.forward',
  summary: "Opens a background process's port on this machine.",
  input: z.strictObject({ id: processId, port: z.int().min(1).max(65_535) }),
  output: z.strictObject({
    id: processId,
    port: z.int().describe('On 127.0.0.1; closed with the process'),
  }),
  permissions: ['net.connect'],
  effect: 'state',
  // Not the machine itself: a yes to this opens nothing to commands.
  access: ({ port }) => [{ permission: 'net.connect', resource: `localhost:${port}` }],
  preview: async ({ id, port }, { processes }) => ({
    kind: 'text',
    text: `Opens a port on 127.0.0.1, which everybody on this machine can reach, onto port ${port} of ${id}: ${(await processes.find(id)).command}`,
  }),
  run: async ({ id, port }, { processes }) => ({ id, port: await processes.forward(id, port) }),
});
