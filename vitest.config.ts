import { join } from 'node:path';
import { configDefaults, defineConfig } from 'vitest/config';

/** They count what this process has open or holds in memory, or have it tell its traces: each has a process of its own. */
const ALONE = [
  'test/host/local/files.test.ts',
  'test/journal/regressions.test.ts',
  'test/projects/open-projects.test.ts',
  'test/runtime/call-span.test.ts',
  'test/security/processes.test.ts',
  'test/transports/http/exhaustion.test.ts',
  'test/transports/http/traces.test.ts',
  'test/transports/websocket/attacks.test.ts',
];

export default defineConfig({
  test: {
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // What is waited for comes when it comes, on a machine that others use too.
    expect: { poll: { timeout: 30_000 } },
    pool: 'forks',
    // Most tests wait for other processes; by default two cores would get one worker.
    maxWorkers: 2,
    // What passes only then is named in the end.
    retry: 1,
    // Many tests start programs over the sources: what was compiled once need not be again.
    env: { NODE_COMPILE_CACHE: join(import.meta.dirname, '.tmp/compiled') },
    projects: [
      { extends: true, test: { name: 'alone', include: ALONE } },
      {
        extends: true,
        // One process runs many files, and loads the sources once for all of them.
        test: {
          name: 'together',
          include: ['test/**/*.test.ts'],
          exclude: [...configDefaults.exclude, ...ALONE],
          isolate: false,
        },
      },
    ],
  },
});
