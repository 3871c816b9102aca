/** The runtime of a client that has a process to itself, on the workspace that was chosen at the start or that the client names. */
import { fileURLToPath } from 'node:url';
import { Failure } from '../../failure.ts';
import type { Runtime } from '../../runtime-types.ts';
import type { RootsOf } from './connection.ts';

export interface ClientWorkspaceOptions {
  /** The workspace that was chosen at the start; else it is the client's to name. */
  readonly workspace: string | undefined;
  /** The workspace where nobody named one. */
  readonly folder: string;
  readonly open: (workspace: string) => Promise<Runtime>;
}

export class ClientWorkspace implements AsyncDisposable {
  readonly #options: ClientWorkspaceOptions;
  #runtime: Promise<Runtime> | undefined;

  constructor(options: ClientWorkspaceOptions) {
    this.#options = options;
  }

  /** The runtime, opened by the first who needs it; where that fails, the next one tries again. */
  runtime(roots: RootsOf): Promise<Runtime> {
    this.#runtime ??= this.#open(roots).catch((error: unknown) => {
      this.#runtime = undefined;
      throw error;
    });
    return this.#runtime;
  }

  async #open(roots: RootsOf): Promise<Runtime> {
    const { workspace, folder, open } = this.#options;
    if (workspace !== undefined) return open(workspace);
    return open(firstFolder(await roots()) ?? folder);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const runtime = await this.#runtime?.catch(() => undefined);
    await runtime?.[Symbol.asyncDispose]();
  }
}

function firstFolder(uris: readonly string[]): string | undefined {
  const root = uris.find((uri) => uri.startsWith('file://'));
  if (root === undefined) return undefined;
  try {
    return fileURLToPath(root);
  } catch (error) {
    throw new Failure('E_UNSUPPORTED', `The client's root ${JSON.stringify(root)} is no folder here.`, {
      hint: 'Name the workspace with --workspace.',
      cause: error,
    });
  }
}
