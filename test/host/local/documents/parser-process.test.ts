/** The process that parses documents: whether it starts, and what becomes of one that talks nonsense. */
import { describe, expect, it } from 'vitest';
import { readFrames, writeFrame } from '../../../../src/host/local/documents/frames.ts';
import { ParserProcess } from '../../../../src/host/local/documents/parser-process.ts';
import { wanting } from '../../../support/documents.ts';

function shell(script: string): { program: string; args: string[] } {
  return { program: '/bin/sh', args: ['-c', script] };
}

describe('ParserProcess', () => {
  it.each(['exit 0', 'exit 1', 'echo garbage that is long enough to be a frame; cat >/dev/null'])(
    'does not start where nobody answers (%s)',
    async (script) => {
      expect(await ParserProcess.start(shell(script))).toBeUndefined();
    },
  );

  it('has no answer from one that ends over a document', async () => {
    // Gives the first frame back, and no other.
    const first = Buffer.concat(writeFrame({}, [new Uint8Array()]));
    using parser = (await ParserProcess.start(shell(`head -c ${first.length}; exit 0`)))!;
    expect(await parser.ask(wanting('.pdf'), new Uint8Array(10))).toBeUndefined();
  });
});

describe('readFrames', () => {
  it('finds frames wherever the pieces they come in are cut', async () => {
    const written = Buffer.concat([
      ...writeFrame({ one: 1 }, [Buffer.from('a'), Buffer.from('bc')]),
      ...writeFrame({ two: 'é' }, []),
      ...writeFrame({ three: [] }, [Buffer.alloc(20, 'x')]),
    ]);
    for (let size = 1; size <= written.length; size++) {
      const found: [unknown, string][] = [];
      for await (const { header, bytes } of readFrames(pieces(written, size), LIMITS))
        found.push([header, Buffer.from(bytes).toString()]);
      expect(found).toEqual([
        [{ one: 1 }, 'abc'],
        [{ two: 'é' }, ''],
        [{ three: [] }, 'x'.repeat(20)],
      ]);
    }
  });

  it('refuses a frame that is too large, before it has come', async () => {
    const [lengths] = writeFrame({}, [Buffer.alloc(1_000)]);
    await expect(readFrames(pieces(Buffer.from(lengths!), 8), LIMITS).next()).rejects.toThrow(/too large/);
  });
});

const LIMITS = { headerBytes: 100, bytes: 100 };

async function* pieces(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}
