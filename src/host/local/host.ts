/** This machine as a host for one workspace. */
import { Failure } from '../../failure.ts';
import type { Host } from '../ports.ts';
import type { Roots } from '../workspace-path.ts';
import { localClock } from './clock.ts';
import { localFiles } from './files.ts';
import { localIds } from './ids.ts';
import { localProcesses } from './processes.ts';
import { handlesWork, pinRoot } from './root.ts';
import { localSearch } from './search.ts';

/** Pins a workspace root on this machine; `home` is the folder that can never be one. */
export function localHost(workspace: string, home: string): { host: Host; roots: Roots } {
  if (!handlesWork()) {
    throw new Failure(
      'E_UNSUPPORTED',
      `Files can not be contained safely on this system (${process.platform}).`,
      {
        hint: 'Handrail needs Linux with /proc mounted; on Windows use WSL2, on macOS a Linux container.',
      },
    );
  }
  const root = pinRoot(workspace, home);
  const host: Host = {
    files: localFiles(root),
    search: localSearch(root),
    processes: localProcesses(),
    clock: localClock,
    ids: localIds(localClock),
    containment: 'directory handles (O_NOFOLLOW on every component)',
    [Symbol.dispose]: () => root[Symbol.dispose](),
  };
  return { host, roots: root.roots };
}
