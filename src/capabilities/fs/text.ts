/** Text of files: UTF-8 or a clear failure, and the line endings and BOM a file already has. */
import { Failure } from '../../failure.ts';
import type { OpenFile } from '../../host/ports.ts';

const BOM = '\ufeff';

// Keeps the BOM: what is read is what is there.
const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Decodes bytes as UTF-8; binary data and other encodings are a failure about `path`. */
export function decodeText(bytes: Uint8Array, path: string): string {
  if (bytes.includes(0)) throw notText(path, 'it holds NUL bytes, so it is binary or UTF-16');
  try {
    return strict.decode(bytes);
  } catch (error) {
    throw notText(path, 'it is not valid UTF-8', error);
  }
}

/** Reads a whole file of at most `maxBytes`. */
export async function readWhole(file: OpenFile, path: string, maxBytes: number): Promise<Uint8Array> {
  const tooLarge = (size: number): Failure =>
    new Failure(
      'E_TOO_LARGE',
      `${JSON.stringify(path)} has ${size} bytes, more than the ${maxBytes} that can be read at once.`,
      {
        details: { file_size: size, max_size: maxBytes },
      },
    );
  if (file.stat.size > maxBytes) throw tooLarge(file.stat.size);
  const chunks: Uint8Array[] = [];
  let size = 0;
  // The size is only a guess: a file may grow while it is read.
  for (let length = Math.max(file.stat.size, 1) + 1; ; length = 64 * 1024) {
    const chunk = await file.read(size, length);
    if (chunk.length === 0) return chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks);
    chunks.push(chunk);
    size += chunk.length;
    if (size > maxBytes) throw tooLarge(size);
  }
}

/** New content in the style of what it replaces: a BOM stays, and line endings that are the same throughout stay. */
export function inStyleOf(existing: string | undefined, content: string): string {
  if (existing === undefined || existing === '') return content;
  const styled = withEndingsOf(existing, content);
  return existing.startsWith(BOM) && !styled.startsWith(BOM) ? BOM + styled : styled;
}

/** New content with the line endings of a text, where those are the same throughout. */
export function withEndingsOf(existing: string, content: string): string {
  const ending = endingOf(existing);
  if (ending === '\r\n' && !content.includes('\r')) return content.replaceAll('\n', '\r\n');
  if (ending === '\n' && endingOf(content) === '\r\n') return content.replaceAll('\r\n', '\n');
  return content;
}

/** The line ending of a text that has only one kind. */
function endingOf(text: string): '\n' | '\r\n' | undefined {
  const hasCrlf = text.includes('\r\n');
  const hasLf = /(^|[^\r])\n/.test(text);
  if (hasCrlf === hasLf) return undefined;
  return hasCrlf ? '\r\n' : '\n';
}

/** The lines of a text, each with its ending. */
export function toLines(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

function notText(path: string, why: string, cause?: unknown): Failure {
  return new Failure('E_ENCODING', `${JSON.stringify(path)} can not be read as text: ${why}.`, { cause });
}
