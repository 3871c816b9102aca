/** What a client's file was before a setup, kept in the state so that it can become that again to the byte. */
import { hash } from 'node:crypto';
import type { StateDirectory } from '../../host/ports.ts';

export interface PreImage {
  /** The text before; undefined where there was no file. */
  readonly before: string | undefined;
  /** Whether the file's folder was there. */
  readonly hadFolder: boolean;
  /** The hash of what the setup wrote. */
  readonly after: string;
}

const FOLDER = 'setup';

/** The pre-image of a file; undefined where no setup is known. */
export function readPreImage(state: StateDirectory, path: string): PreImage | undefined {
  const bytes = state.readWhole(nameOf(path));
  if (bytes === undefined) return undefined;
  const { before, hadFolder, after } = JSON.parse(Buffer.from(bytes).toString('utf8')) as PreImage;
  return { before, hadFolder, after };
}

export function keepPreImage(state: StateDirectory, path: string, image: PreImage): void {
  state.writeWhole(nameOf(path), Buffer.from(JSON.stringify({ path, ...image })));
}

export function forgetPreImage(state: StateDirectory, path: string): void {
  state.remove(nameOf(path));
}

/** Of how many files a pre-image is kept. */
export function countPreImages(state: StateDirectory): number {
  return state.list(FOLDER).length;
}

export function hashOf(text: string): string {
  return hash('sha256', text);
}

function nameOf(path: string): string {
  return `${FOLDER}/${hashOf(path)}.json`;
}
