/** The client in this process, against a real server. */
import { createServer } from 'node:http';
import { describe, expect, it } from 'vitest';
import { ApiFailure, handrailClient } from '../../src/client/index.ts';
import { jsonLines } from '../../src/client/json-lines.ts';
import { OPERATIONS } from '../../src/client/operations.ts';
import { send } from '../../src/client/send.ts';
import { API_ROUTES } from '../../src/transports/http/api/index.ts';
import type { Route } from '../../src/transports/http/api/route.ts';
import { shared } from '../support/shared.ts';
import { type Serving, serving, TOKEN } from '../transports/http/serving.ts';

describe('OPERATIONS', () => {
  it('are the routes of the API', () => {
    const known = (API_ROUTES as readonly Route[]).map(({ name, method, path, type }) => [
      name,
      [method, path, ...(type === undefined ? [] : [type])],
    ]);
    expect(OPERATIONS).toEqual(Object.fromEntries(known));
    expect(known).toHaveLength(Object.keys(OPERATIONS).length);
  });
});

describe('handrailClient', () => {
  let server: Serving;
  shared(async (stack) => {
    server = stack.use(await serving());
  });

  const clientOf = (options = {}) => handrailClient({ url: server.url.origin, token: TOKEN, ...options });

  it('takes the address with a slash at its end or without', async () => {
    const withSlash = await clientOf({ url: `${server.url.origin}/` }).listTools({ dialect: 'codelab' });
    expect(withSlash).toEqual(await clientOf().listTools({ dialect: 'codelab' }));
  });

  it('throws what the server refused with, and its hint', async () => {
    const refused = clientOf().listTools({ dialect: 'nonsense' });
    await expect(refused).rejects.toThrow(ApiFailure);
    await expect(refused).rejects.toMatchObject({
      status: 400,
      code: 'E_INVALID_ARGS',
      hint: expect.stringContaining('codelab') as string,
    });
  });

  it('throws what the gate refused with', async () => {
    await expect(clientOf({ token: 'wrong' }).listTools()).rejects.toMatchObject({
      name: 'ApiFailure',
      status: 401,
      code: undefined,
      message: expect.stringContaining('A token is needed') as string,
    });
  });

  it('says where nobody answered', async () => {
    await expect(clientOf({ url: 'http://127.0.0.1:1' }).listTools()).rejects.toMatchObject({
      status: 0,
      message: 'The server does not answer at http://127.0.0.1:1/api/tools.',
      hint: 'Start it with `handrail serve`.',
    });
  });

  it('ends with the signal that it was given', async () => {
    const signal = AbortSignal.abort(new Error('enough'));
    await expect(clientOf().listTools({}, { signal })).rejects.toThrow('enough');
  });
});

describe('send', () => {
  it.each(['', '.', '..', undefined])('asks nothing with %j for an id', async (id) => {
    const asked = send({ url: 'http://127.0.0.1:1' }, 'get', '/api/calls/{id}', { id });
    await expect(asked).rejects.toMatchObject({ status: 0, message: `${JSON.stringify(id)} is no id.` });
  });

  it('keeps an id in its place', async () => {
    const asked = send({ url: 'http://127.0.0.1:1' }, 'get', '/api/calls/{id}', { id: '../tools?x=#' });
    await expect(asked).rejects.toThrow('/api/calls/..%2Ftools%3Fx%3D%23.');
  });
});

describe('jsonLines', () => {
  it('gives values as they come, and ends the request when nobody wants more', async () => {
    const { promise: left, resolve } = Promise.withResolvers<void>();
    await using server = createServer((_, response) => {
      response.on('close', resolve);
      response.write('{"n":1}\n{"n"');
      response.write(':2}\n{"text":"ü');
    }).listen(0, '127.0.0.1');
    await new Promise((listening) => server.once('listening', listening));
    const { port } = server.address() as { port: number };
    const received = [];
    for await (const value of jsonLines(() => fetch(`http://127.0.0.1:${port}`))) {
      received.push(value);
      if (received.length === 2) break;
    }
    expect(received).toEqual([{ n: 1 }, { n: 2 }]);
    await left;
  });

  it('gives the last line where no line ends it', async () => {
    const received = [];
    for await (const value of jsonLines(async () => new Response('1\n2'))) received.push(value);
    expect(received).toEqual([1, 2]);
  });
});
