/** What the engine may ask of the web: one answer to one request, and a page as text that people read. */

export interface WebRequest {
  /** As `webUrl` reads it. */
  readonly url: URL;
  readonly method: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
  /** Whether an address may be connected to, as the answer to the host; only those it names true are. */
  readonly mayConnect: (address: string) => boolean;
  /** Of the content as it is read, not as it was packed for the way. */
  readonly maxBytes: number;
  /** Also ends what takes too long. */
  readonly signal: AbortSignal;
}

export interface WebAnswer {
  readonly status: number;
  /** By name in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

/** A page without what surrounds its text. */
export interface ReadablePage {
  readonly title: string;
  readonly markdown: string;
}

export interface Web {
  /** Sends one request and reads its answer. Follows no redirection, and sends nothing that was not given. */
  ask(request: WebRequest): Promise<WebAnswer>;
  /** The text of a page of HTML, as Markdown; `url` is what its links are relative to. */
  readable(html: string, url: string, signal: AbortSignal): Promise<ReadablePage>;
}
