/** A WebSocket that makes every mistake there is: it proves that what is sent to the real one would do harm. */
import { type WebSocket, WebSocketServer } from 'ws';
import type { Serving } from '../http/serving.ts';

interface Sent {
  readonly type: string;
  readonly call_id?: string;
  readonly tool_name?: string;
  readonly args?: unknown;
}

/** Lets everybody in, takes messages of any size, runs every call, answers every question, and tells everybody every result. */
export async function unguarded({
  runtime,
  questions,
}: Serving): Promise<{ readonly url: URL } & AsyncDisposable> {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1', maxPayload: 0 });
  await new Promise((resolve) => server.once('listening', resolve));
  const take = async ({ type, call_id, tool_name = '', args }: Sent): Promise<void> => {
    if (type === 'hitl_decision')
      for (const { id } of await questions.pending()) await questions.answer(id, { answer: 'once' });
    if (type !== 'tool_call') return;
    const { reply } = await runtime.call(tool_name, args);
    for (const client of server.clients)
      client.send(JSON.stringify({ type: 'tool_result', call_id, result: reply }));
  };
  server.on('connection', (socket: WebSocket) =>
    socket.on('message', (data: Buffer) => void take(JSON.parse(data.toString()) as Sent)),
  );
  const { port } = server.address() as { port: number };
  return {
    url: new URL(`http://127.0.0.1:${port}/`),
    async [Symbol.asyncDispose]() {
      for (const client of server.clients) client.terminate();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
