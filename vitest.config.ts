import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // What is waited for comes when it comes, on a machine that others use too.
    expect: { poll: { timeout: 30_000 } },
    pool: 'forks',
    // Most tests wait for other processes; by default two cores would get one worker.
    maxWorkers: 2,
    // What passes only then is named in the end.
    retry: 1,
    // Many tests start programs over the sources: what was compiled once need not be again.
    env: { NODE_COMPILE_CACHE: join(import.meta.dirname, '.tmp/compiled') },
  },
});
