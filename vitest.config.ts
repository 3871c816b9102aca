import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    pool: 'forks',
    // Most tests wait for other processes; by default two cores would get one worker.
    maxWorkers: 2,
    // Most tests start real processes on a machine that others use too. What passes only then is named in the end.
    retry: 1,
    // Many tests start programs over the sources: what was compiled once need not be again.
    env: { NODE_COMPILE_CACHE: join(import.meta.dirname, '.tmp/compiled') },
  },
});
