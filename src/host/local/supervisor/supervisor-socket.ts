/** The folder of the supervisor's socket. Its path may be longer than the kernel takes for a socket, so it is entered by a handle. */
import { closeSync, constants, openSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { StateDirectory } from '../../ports.ts';

const FOLDER = 'supervisor';

export interface SocketFolder extends Disposable {
  /** A short path of a socket in the folder, while this is open. */
  path(name: string): string;
  /** Removes all but one. */
  clear(except: string): void;
}

/** Opens the folder, private as all of the state is. */
export function socketFolder(state: StateDirectory): SocketFolder {
  // Makes the folder, and sees to it that it is nobody else's.
  state.privateFile(`${FOLDER}/.private`);
  const folder = join(state.path, FOLDER);
  const handle = openSync(folder, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
  return {
    path: (name) => `/proc/self/fd/${handle}/${name}`,
    clear(except) {
      for (const name of readdirSync(folder))
        if (name.endsWith('.sock') && name !== except) rmSync(join(folder, name), { force: true });
    },
    [Symbol.dispose]: () => closeSync(handle),
  };
}
