/** What anybody may ask: whether the server is well. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { serving } from './serving.ts';

const server = await serving();
afterAll(async () => server[Symbol.asyncDispose]());

describe('/healthz', () => {
  it('says that the server is well, its version, and nothing else, to who has no token', async () => {
    const { status, headers, body } = await server.send('/healthz');
    expect({ status, body: JSON.parse(body) }).toEqual({
      status: 200,
      body: { status: 'ok', version: '0.0.0' },
    });
    expect(headers).not.toHaveProperty('set-cookie');
  });

  it.each([
    ['to another name', { host: 'attacker.example' }, 421],
    ['to another page', { origin: 'https://attacker.example' }, 403],
    ['to another page of the same machine', { 'sec-fetch-site': 'same-site' }, 403],
  ])('says nothing %s', async (_, headers, status) => {
    const received = await server.send('/healthz', { headers });
    expect(received.status).toBe(status);
    expect(received.body).not.toContain('ok');
  });

  it('says what is wrong where the store can not be read', async () => {
    await using broken = await serving();
    const { state } = broken.workspace.locations;
    const names = readdirSync(state).filter((name) => name.startsWith('handrail.sqlite'));
    const files = names.map((name) => ({
      path: join(state, name),
      content: readFileSync(join(state, name)),
    }));
    for (const { path } of files) writeFileSync(path, 'not a store\n'.repeat(10_000));
    const { status, body } = await broken.send('/healthz');
    expect({ status, body: JSON.parse(body) }).toEqual({
      status: 503,
      body: {
        status: 'failing',
        version: '0.0.0',
        error: 'The store can not be read: file is not a database.',
      },
    });
    for (const { path, content } of files) writeFileSync(path, content);
    expect((await broken.send('/healthz')).status).toBe(200);
  });
});
