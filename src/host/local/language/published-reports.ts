/**
 * Diagnostics that a server publishes by itself, matched with the text they are about. Where a server names the version,
 * only the one that was last sent counts. Where it names none, the next report counts that comes after a change; so a
 * document of such a server is not changed again before its report is there.
 */
import type { Diagnostic } from '../../ports.ts';
import { ServerTrouble } from './server-trouble.ts';

interface Awaited {
  readonly version: number;
  report: PromiseWithResolvers<readonly Diagnostic[]>;
  isReported: boolean;
}

export interface Published {
  readonly uri: string;
  readonly version?: number | null | undefined;
  readonly diagnostics: readonly Diagnostic[];
}

export class PublishedReports {
  readonly #documents = new Map<string, Awaited>();
  #namesVersions: boolean | undefined;

  /** Whether the server's reports say which version they are about; undefined as long as there was none. */
  get namesVersions(): boolean | undefined {
    return this.#namesVersions;
  }

  /** A version of a document is sent now. */
  sent(uri: string, version: number): void {
    const report = Promise.withResolvers<readonly Diagnostic[]>();
    // Nobody may be waiting.
    report.promise.catch(() => {});
    this.#documents.set(uri, { version, report, isReported: false });
  }

  closed(uri: string): void {
    this.#documents.delete(uri);
  }

  take({ uri, version, diagnostics }: Published): void {
    const document = this.#documents.get(uri);
    if (document === undefined) return;
    const hasVersion = version !== undefined && version !== null;
    if (hasVersion) this.#namesVersions = true;
    // From who names versions otherwise, this is about a document that was closed.
    if (!hasVersion && this.#namesVersions === true) return;
    if (hasVersion && version !== document.version) return;
    this.#namesVersions ??= false;
    // A server that looks more closely later reports again.
    if (document.isReported) document.report = Promise.withResolvers();
    document.isReported = true;
    document.report.resolve(diagnostics);
  }

  /** The report about what was last sent. */
  async latest(uri: string): Promise<readonly Diagnostic[]> {
    const document = this.#documents.get(uri);
    if (document === undefined) throw new ServerTrouble('The document was closed meanwhile.');
    return document.report.promise;
  }

  /** Comes back once a document may be changed without doubt about what is reported next. */
  async settled(uri: string): Promise<void> {
    if (this.#namesVersions !== true) await this.#documents.get(uri)?.report.promise;
  }

  /** Nothing will come any more. */
  fail(trouble: ServerTrouble): void {
    for (const { report } of this.#documents.values()) report.reject(trouble);
  }
}
