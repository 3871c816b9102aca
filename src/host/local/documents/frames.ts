/** How the parser and who asks it talk: two lengths, a header of JSON, and bytes behind it. */

export interface Frame {
  readonly header: unknown;
  readonly bytes: Uint8Array;
}

/** The largest frame that is taken; more is no honest one. */
export interface FrameLimits {
  readonly headerBytes: number;
  readonly bytes: number;
}

const LENGTHS = 8;

/** A frame as it is written. */
export function writeFrame(header: unknown, parts: readonly Uint8Array[]): Uint8Array[] {
  const text = Buffer.from(JSON.stringify(header));
  const lengths = Buffer.alloc(LENGTHS);
  lengths.writeUInt32LE(text.length, 0);
  lengths.writeUInt32LE(
    parts.reduce((sum, { length }) => sum + length, 0),
    4,
  );
  return [lengths, text, ...parts];
}

/** The frames of a stream, until it ends. */
export async function* readFrames(
  stream: AsyncIterable<Buffer>,
  limits: FrameLimits,
): AsyncGenerator<Frame, void> {
  let wanted = LENGTHS;
  let headerBytes = 0;
  let chunks: Buffer[] = [];
  let held = 0;
  for await (const chunk of stream) {
    chunks.push(chunk);
    held += chunk.length;
    while (held >= wanted) {
      const all = chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks);
      if (wanted === LENGTHS) {
        headerBytes = all.readUInt32LE(0);
        const bytes = all.readUInt32LE(4);
        if (headerBytes === 0 || headerBytes > limits.headerBytes || bytes > limits.bytes)
          throw new Error(`A frame of ${headerBytes} and ${bytes} bytes is empty or too large.`);
        wanted += headerBytes + bytes;
        chunks = [all];
        if (held < wanted) break;
      }
      const header: unknown = JSON.parse(all.toString('utf8', LENGTHS, LENGTHS + headerBytes));
      yield { header, bytes: all.subarray(LENGTHS + headerBytes, wanted) };
      chunks = [all.subarray(wanted)];
      held -= wanted;
      wanted = LENGTHS;
    }
  }
}
