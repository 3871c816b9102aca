/** Requests both ways, over a pair of peers that hear each other. */
import { describe, expect, it } from 'vitest';
import {
  INVALID_PARAMS,
  RpcError,
  RpcPeer,
  type ServedRequest,
} from '../../../src/transports/mcp/rpc-peer.ts';

interface Pair {
  readonly asking: RpcPeer;
  /** What the asking side has been sent. */
  readonly sent: object[];
  readonly errors: string[];
}

function pairWith(serve: (request: ServedRequest) => Promise<object>): Pair {
  const sent: object[] = [];
  const errors: string[] = [];
  const onError = ({ message }: Error): void => void errors.push(message);
  const overWire = (message: object): unknown => JSON.parse(JSON.stringify(message));
  const serving = new RpcPeer({
    serve,
    onError,
    send(message) {
      sent.push(message);
      asking.receive(overWire(message));
    },
  });
  const asking: RpcPeer = new RpcPeer({
    serve: async () => ({}),
    onError,
    send: (message) => serving.receive(overWire(message)),
  });
  return { asking, sent, errors };
}

describe('RpcPeer', () => {
  it('answers in any order', async () => {
    const first = Promise.withResolvers<object>();
    const { asking } = pairWith(({ method }) =>
      method === 'slow' ? first.promise : Promise.resolve({ quick: 1 }),
    );
    const slow = asking.request('slow');
    expect(await asking.request('quick')).toEqual({ quick: 1 });
    first.resolve({ slow: 1 });
    expect(await slow).toEqual({ slow: 1 });
  });

  it('gives a refusal its code, and says what a bug said', async () => {
    const { asking, sent } = pairWith(async ({ method }) => {
      throw method === 'refused' ? new RpcError(INVALID_PARAMS, 'No.') : new Error('A bug.');
    });
    await expect(asking.request('refused')).rejects.toThrow('No.');
    await expect(asking.request('other')).rejects.toThrow('A bug.');
    expect(sent).toEqual([
      { jsonrpc: '2.0', id: 1, error: { code: -32_602, message: 'No.' } },
      { jsonrpc: '2.0', id: 2, error: { code: -32_603, message: 'A bug.' } },
    ]);
  });

  it('sends no answer to a request that was taken back', async () => {
    const served = Promise.withResolvers<AbortSignal>();
    const ended = Promise.withResolvers<object>();
    const { asking, sent } = pairWith(({ signal }) => {
      served.resolve(signal);
      return ended.promise;
    });
    const stop = new AbortController();
    const asked = asking.request('slow', {}, stop.signal);
    const signal = await served.promise;
    stop.abort(new Error('Enough.'));
    await expect(asked).rejects.toThrow('Enough.');
    expect(signal.aborted).toBe(true);
    ended.resolve({ late: true });
    await ended.promise;
    expect(sent).toEqual([]);
  });

  it('ends what is under way when it is closed', async () => {
    const { asking } = pairWith(() => new Promise(() => undefined));
    const asked = asking.request('never');
    asking.close();
    await expect(asked).rejects.toThrow('The client is gone.');
  });

  it.each([
    7,
    null,
    [],
    {},
    { jsonrpc: '2.0' },
    { id: 5, result: {} },
    { id: {}, method: 'x' },
    { id: 1, method: 'x', params: [] },
  ])('passes over %j', (message) => {
    const { asking, errors, sent } = pairWith(async () => ({}));
    asking.receive(message);
    expect({ errors: errors.length, sent }).toEqual({ errors: 1, sent: [] });
  });
});
