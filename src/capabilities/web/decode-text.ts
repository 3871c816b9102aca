/** The bytes of an answer as text, in the encoding they are in: as the bytes, the sender or the page says, or as they look. */
import { Failure } from '../../failure.ts';

/** The text of an answer; fails where it is none. */
export async function decodeText(body: Uint8Array, contentType: string): Promise<string> {
  const type = mediaType(contentType);
  const label =
    byteOrderMark(body) ??
    known(/charset\s*=\s*["']?([\w.:-]+)/i.exec(contentType)?.[1]) ??
    known(declared(body, type));
  const utf8 = label === undefined ? asUtf8(body) : undefined;
  if (!TEXT.test(type) && (utf8 === undefined || utf8.includes('\0'))) {
    throw new Failure('E_ENCODING', `The answer is ${type || 'of no type that is said'}, and no text.`);
  }
  if (utf8 !== undefined) return utf8;
  return new TextDecoder(label ?? (await guess(body))).decode(body);
}

/** Whether a text is a page of HTML. */
export function isHtml(contentType: string, text: string): boolean {
  const type = mediaType(contentType);
  return (
    type === 'text/html' ||
    type === 'application/xhtml+xml' ||
    (type === '' && /^\s*<(?:!doctype )?html/i.test(text))
  );
}

function mediaType(contentType: string): string {
  return contentType.split(';', 1)[0]!.trim().toLowerCase();
}

/** Types of text; of all others the bytes tell. */
const TEXT =
  /^text\/|[/+](?:x-)?(?:json|xml|yaml|toml|javascript|ecmascript|typescript|sql|graphql|ndjson|sh)$/;

function byteOrderMark([first, second, third]: Uint8Array): string | undefined {
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8';
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  return first === 0xfe && second === 0xff ? 'utf-16be' : undefined;
}

/** How far a page is looked at for what it says about itself. */
const HEAD_BYTES = 1_024;

function declared(body: Uint8Array, type: string): string | undefined {
  const head = Buffer.from(body.subarray(0, HEAD_BYTES)).toString('latin1');
  const pattern = /html/.test(type) ? /<meta[^>]+charset\s*=\s*["']?([\w.:-]+)/i : XML;
  // One that could be read this way is not what it says.
  return pattern.exec(head)?.[1]?.replace(/^utf-16.*$/i, 'utf-8');
}

const XML = /^<\?xml[^>]+encoding\s*=\s*["']([\w.:-]+)/i;

/** The label, where it is one of an encoding. */
function known(label: string | undefined): string | undefined {
  try {
    return label === undefined ? undefined : new TextDecoder(label).encoding;
  } catch {
    return undefined;
  }
}

function asUtf8(body: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body);
  } catch {
    return undefined;
  }
}

/** How much is enough to tell. */
const SAMPLE_BYTES = 64 * 1024;

async function guess(body: Uint8Array): Promise<string> {
  const { detect } = await import('chardet');
  return known(detect(body.subarray(0, SAMPLE_BYTES)) ?? undefined) ?? 'windows-1252';
}
