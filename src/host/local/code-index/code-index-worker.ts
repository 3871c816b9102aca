/** The thread that keeps the index of a workspace. */
import { parentPort, workerData } from 'node:worker_threads';
import { IndexKeeper } from './index-keeper.ts';
import type { IndexMessage, IndexRequest, IndexSettings } from './index-messages.ts';

if (parentPort !== null) {
  const port = parentPort;
  const send = (message: IndexMessage): void => port.postMessage(message, []);
  const judging = new Map<number, (verdicts: readonly boolean[]) => void>();
  let questions = 0;
  const ask = (type: 'may-index' | 'may-send', asked: readonly string[]): Promise<readonly boolean[]> => {
    if (asked.length === 0) return Promise.resolve([]);
    const { promise, resolve } = Promise.withResolvers<readonly boolean[]>();
    const id = ++questions;
    judging.set(id, resolve);
    send({ type, id, asked });
    return promise;
  };
  const keeper = new IndexKeeper(workerData as IndexSettings, {
    mayIndex: (paths) => ask('may-index', paths),
    maySend: (texts) => ask('may-send', texts),
  });
  port.on('message', (request: IndexRequest) => {
    if (request.type === 'noticed') keeper.noticed(request.paths);
    else if (request.type === 'judged') {
      judging.get(request.id)?.(request.verdicts);
      judging.delete(request.id);
    } else void keeper.find(request).then((answer) => send({ type: 'found', id: request.id, answer }));
  });
  keeper.start();
}
