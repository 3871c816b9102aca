/** A workspace in a temporary folder, with a folder outside of it and state of its own; gone when disposed. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createRuntime, type Locations, type Runtime, type RuntimeOptions } from '../../src/index.ts';

export interface TempWorkspace extends AsyncDisposable {
  /** The workspace root. */
  readonly root: string;
  /** A sibling folder outside the workspace, holding `s.txt`. */
  readonly outside: string;
  readonly locations: Locations;
  /** Writes a file below the root, parents included. */
  write(path: string, content: string | Uint8Array): void;
  /** A runtime over this workspace; disposed with it. */
  runtime(options?: Partial<RuntimeOptions>): Promise<Runtime>;
}

export const OUTSIDE_SECRET = 'outside secret\n';

/** Makes the workspace and fills it with the given files; in another place where commands see nothing of `/tmp`. */
export function tempWorkspace(
  files: Readonly<Record<string, string | Uint8Array>> = {},
  place = tmpdir(),
): TempWorkspace {
  const base = realpathSync(mkdtempSync(join(place, 'handrail-test-')));
  const root = join(base, 'ws');
  const outside = join(base, 'out');
  const locations = { home: join(base, 'home'), state: join(base, 'state'), config: join(base, 'config') };
  for (const folder of [root, outside, locations.home]) mkdirSync(folder);
  writeFileSync(join(outside, 's.txt'), OUTSIDE_SECRET);
  const write = (path: string, content: string | Uint8Array): void => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
  };
  for (const [path, content] of Object.entries(files)) write(path, content);
  const runtimes: Runtime[] = [];
  return {
    root,
    outside,
    locations,
    write,
    async runtime(options = {}) {
      const runtime = await createRuntime({ workspace: root, locations, ...options });
      runtimes.push(runtime);
      return runtime;
    },
    async [Symbol.asyncDispose]() {
      for (const runtime of runtimes) await runtime[Symbol.asyncDispose]();
      rmSync(base, { recursive: true, force: true });
    },
  };
}
