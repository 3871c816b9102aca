/** A server that makes every mistake there is: it proves that what is sent to the real one would do harm. */
import { createServer, type Server } from 'node:http';
import type { Serving } from './serving.ts';

/** Answers every question with what it is sent, whoever sends it, in whatever form. */
export async function unguarded({ questions }: Serving): Promise<{ readonly url: URL } & AsyncDisposable> {
  const server: Server = createServer((request, response) => {
    const finish = async (): Promise<void> => {
      for (const { id } of await questions.pending()) await questions.answer(id, { answer: 'once' });
      response.end(JSON.stringify(request.headers));
    };
    request.resume().on('end', () => void finish());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  return {
    url: new URL(`http://127.0.0.1:${port}/`),
    async [Symbol.asyncDispose]() {
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
