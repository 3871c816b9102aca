/** The parser's process: takes a document and what is wanted of it, gives its text back, one after the other. */
import { Console } from 'node:console';
import type { DocumentPart } from '../../../ports.ts';
import { readFrames, writeFrame } from '../frames.ts';
import { parseDocument } from './parse.ts';
import { toTrouble } from './trouble.ts';

const MEBIBYTE = 2 ** 20;

/** Serves until nobody asks any more. */
export async function serveDocuments(): Promise<void> {
  // Libraries like to talk; what they say must not get among the answers.
  globalThis.console = new Console(process.stderr);
  const limits = { headerBytes: MEBIBYTE, bytes: 512 * MEBIBYTE };
  for await (const { header, bytes } of readFrames(process.stdin, limits)) {
    const { wanted } = header as { readonly wanted?: DocumentPart };
    const document = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
    for (const piece of await answer(wanted, document)) process.stdout.write(piece);
  }
}

/** Nothing to parse is a question whether anybody is there. */
async function answer(wanted: DocumentPart | undefined, bytes: Buffer): Promise<Uint8Array[]> {
  if (wanted === undefined) return writeFrame({ ready: true }, []);
  try {
    const { pictures, ...text } = await parseDocument(bytes, wanted);
    const named = pictures.map((picture) => ({ name: picture.name, bytes: picture.bytes.length }));
    return writeFrame(
      { ok: { ...text, pictures: named } },
      pictures.map((picture) => picture.bytes),
    );
  } catch (error) {
    const { code, message, hint, details } = toTrouble(error);
    return writeFrame({ failure: { code, message, hint, details } }, []);
  }
}

if (import.meta.main) await serveDocuments();
