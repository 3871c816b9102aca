import { describe, expect, it } from 'vitest';
import { serverEvents, type ServerEvent } from '../../../../src/transports/http/page/server-events.ts';

async function* inPieces(text: string, size: number): AsyncGenerator<string> {
  for (let from = 0; from < text.length; from += size) yield text.slice(from, from + size);
}

describe('serverEvents', () => {
  it.each([1, 3, 1_000])(
    'reads events in pieces of %i characters, and passes over comments',
    async (size) => {
      const text =
        ': still here\n\nevent: calls\ndata: [1]\nid: a.b\n\nevent: turns\ndata: x\ndata: y\nid: c\n\nevent: cut';
      const events: ServerEvent[] = [];
      for await (const event of serverEvents(inPieces(text, size))) events.push(event);
      expect(events).toEqual([
        { name: 'calls', id: 'a.b', data: '[1]' },
        { name: 'turns', id: 'c', data: 'x\ny' },
      ]);
    },
  );
});
