/** Reads server-sent events from a body. `EventSource` can't: it sends no header, and the approval key travels in one. */

export interface ServerEvent {
  readonly name: string;
  readonly id: string;
  readonly data: string;
}

/** The events of a stream of text, as they come; comments are passed over. */
export async function* serverEvents(chunks: AsyncIterable<string>): AsyncGenerator<ServerEvent> {
  let waiting = '';
  for await (const chunk of chunks) {
    const blocks = (waiting + chunk).split('\n\n');
    waiting = blocks.pop()!;
    for (const block of blocks) {
      const data = field(block, 'data');
      if (data !== '') yield { name: field(block, 'event'), id: field(block, 'id'), data };
    }
  }
}

function field(block: string, name: string): string {
  const start = `${name}: `;
  const lines = block.split('\n').filter((line) => line.startsWith(start));
  return lines.map((line) => line.slice(start.length)).join('\n');
}
