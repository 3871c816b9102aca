/**
 * The documents that a server has open, kept in step with the files: each is compared with its file before every
 * question, so what anyone wrote, by whatever way, is known to the server when it answers.
 */
import { Failure } from '../../../failure.ts';
import type { Files, FileVersion } from '../../ports.ts';
import type { FileUris } from './file-uri.ts';
import { readText } from './read-text.ts';

export interface OpenDocument {
  readonly uri: string;
  readonly path: string;
  readonly version: number;
  readonly text: string;
  readonly fileVersion: FileVersion | undefined;
}

export interface DocumentWire {
  opened(document: OpenDocument): void;
  changed(document: OpenDocument): void;
  /** Comes back once the document could be opened again. */
  closed(document: OpenDocument): Promise<void>;
  /** Comes back once the document may be changed. */
  mayChange(document: OpenDocument): Promise<void>;
}

/** More are not held open; the one that was not asked about for longest is closed. */
const MAX_OPEN = 64;

export class OpenDocuments {
  readonly #files: Files;
  readonly #uris: FileUris;
  readonly #wire: DocumentWire;
  /** The one asked about last comes last. */
  readonly #open = new Map<string, OpenDocument>();
  #version = 0;
  #turn: Promise<unknown> = Promise.resolve();

  constructor(files: Files, uris: FileUris, wire: DocumentWire) {
    this.#files = files;
    this.#uris = uris;
    this.#wire = wire;
  }

  has(path: string): boolean {
    return this.#open.has(path);
  }

  /** The document of a file as it is now; all other open ones are as their files are, too. */
  async inStep(path: string): Promise<OpenDocument> {
    return this.#inTurn(async () => {
      for (const other of this.#open.values()) if (other.path !== path) await this.#follow(other);
      const document = await this.#bring(path);
      this.#open.delete(path);
      this.#open.set(path, document);
      for (const oldest of [...this.#open.values()].slice(0, -MAX_OPEN)) await this.#close(oldest);
      return document;
    });
  }

  /** Tells the server at once what an open file holds now. */
  async follow(path: string): Promise<void> {
    await this.#inTurn(async () => {
      const document = this.#open.get(path);
      if (document !== undefined) await this.#follow(document);
    });
  }

  /** One after the other: two who ask at once must not send the same change twice. */
  async #inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const done = this.#turn.then(work);
    this.#turn = done.catch(() => {});
    return done;
  }

  async #follow(document: OpenDocument): Promise<void> {
    try {
      await this.#bring(document.path);
    } catch (error) {
      // It is gone, or no text any more.
      if (!(error instanceof Failure)) throw error;
      await this.#close(document);
    }
  }

  async #bring(path: string): Promise<OpenDocument> {
    const known = this.#open.get(path);
    if (known?.fileVersion !== undefined && (await this.#files.stat(path)).version === known.fileVersion)
      return known;
    const { text, fileVersion } = await readText(this.#files, path);
    if (known?.text === text) return this.#note({ ...known, fileVersion });
    const document = { uri: this.#uris.of(path), path, text, fileVersion, version: ++this.#version };
    if (known === undefined) this.#wire.opened(document);
    else {
      await this.#wire.mayChange(known);
      this.#wire.changed(document);
    }
    return this.#note(document);
  }

  #note(document: OpenDocument): OpenDocument {
    this.#open.set(document.path, document);
    return document;
  }

  async #close(document: OpenDocument): Promise<void> {
    this.#open.delete(document.path);
    await this.#wire.closed(document);
  }
}
