/**
 * What a call has seen of files, and what its session saw before: only what was looked at may be replaced. A file that
 * somebody else changes between the question and the deed, or since the session last read it, is noticed.
 */
import { Failure } from '../failure.ts';
import type { Files, FileVersion } from '../host/ports.ts';
import { isWithin } from '../host/workspace-path.ts';
import { statOf } from '../journal/entry-state.ts';

export class ObservedFiles {
  readonly #files: Files;
  /** What calls of the session last saw of each file. */
  readonly #session: Map<string, FileVersion>;
  readonly #call = new Map<string, FileVersion>();

  constructor(files: Files, session: Map<string, FileVersion>) {
    this.#files = files;
    this.#session = session;
  }

  /** A file was looked at; `isRead` where showing it is what the call is for. The first look of a call counts. */
  saw(path: string, version: FileVersion, isRead: boolean): void {
    if (!this.#call.has(path)) this.#call.set(path, version);
    if (isRead) this.#session.set(path, version);
  }

  /** The call starts over; what it saw before counts for nothing. */
  lookAgain(): void {
    this.#call.clear();
  }

  /** The call itself removed or moved what was there, with all it held. */
  forget(path: string): void {
    for (const versions of [this.#call, this.#session]) {
      for (const known of versions.keys()) if (isWithin(known, path)) versions.delete(known);
    }
  }

  /** The call itself changed a file. */
  made(path: string, version: FileVersion): void {
    this.#call.set(path, version);
    this.#session.set(path, version);
  }

  /** What may be replaced; undefined where the call never looked. */
  expected(path: string): FileVersion | undefined {
    return this.#call.get(path);
  }

  /** Whether a file that this call looked at is no longer what the session last saw. */
  isStale(path: string): boolean {
    const [before, now] = [this.#session.get(path), this.#call.get(path)];
    return before !== undefined && now !== undefined && before !== now;
  }

  /** A file at or below a path that is there, and no longer what the session last saw. */
  async staleIn(path: string): Promise<string | undefined> {
    for (const [known, before] of this.#session) {
      if (!isWithin(known, path)) continue;
      const now = await this.versionAt(known);
      if (now !== 'missing' && now !== before) return known;
    }
    return undefined;
  }

  /** Refuses to go on where a file is no longer what the call first saw. */
  async refuseChanged(paths: readonly string[]): Promise<void> {
    for (const path of paths) {
      const expected = this.#call.get(path);
      if (expected === undefined || expected === (await this.versionAt(path))) continue;
      throw new Failure('E_CONFLICT', `${JSON.stringify(path)} was changed while this call was under way.`, {
        hint: 'Nothing was written. Read it again, then go on from what it holds now.',
      });
    }
  }

  /** Which content a file has now. */
  async versionAt(path: string): Promise<FileVersion> {
    return (await statOf(this.#files, path))?.version ?? 'missing';
  }
}
