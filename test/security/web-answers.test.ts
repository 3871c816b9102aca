/** Class NT of the attack corpus, by what an allowed host answers: too much, too slowly, or not what it says. */
import type { RequestListener } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { brotliCompressSync, constants, createGzip, gzipSync } from 'node:zlib';
import { expect } from 'vitest';
import { webFetch } from '../../src/capabilities/web/fetch.ts';
import type { CallResponse } from '../../src/index.ts';
import { operationDialect } from '../capabilities/fs/fixtures/operation-dialect.ts';
import { tempWorkspace } from '../support/temp-workspace.ts';
import { type Attack, testAttacks } from './attack-case.ts';
import { OPEN_RULE, webGround } from './web-ground.ts';

const MAX_BYTES = 100_000;
const BOMB_BYTES = 20_000_000;

/** Fetches with small limits. */
async function fetchWithin(url: string, timeoutMs: number): Promise<CallResponse> {
  await using workspace = tempWorkspace();
  const runtime = await workspace.runtime({
    dialect: 'operation',
    dialects: [operationDialect(webFetch)],
    rules: [OPEN_RULE],
  });
  const input = { url, isReadable: false, isSuccessOnly: true, maxBytes: MAX_BYTES, timeoutMs };
  return await runtime.call('operation', input);
}

/** How much somebody takes who takes what comes; no more than the bomb holds. */
async function naiveBytes(url: string): Promise<number> {
  let length = 0;
  for await (const chunk of (await fetch(url)).body ?? []) {
    length += chunk.length;
    if (length >= BOMB_BYTES) break;
  }
  return length;
}

const zeros = (encoding: string, packed: Buffer): RequestListener => {
  return (_request, response) => void response.writeHead(200, { 'content-encoding': encoding }).end(packed);
};

async function* withoutEnd(): AsyncGenerator<Buffer> {
  for (;;) yield Buffer.alloc(16_384, 'a');
}

interface Answering {
  readonly title: string;
  readonly serve: RequestListener;
  readonly code: string;
  readonly timeoutMs?: number;
  /** Why nothing shows that it harms; else it is more than anybody should take. */
  readonly noProof?: string;
}

const ANSWERS: readonly Answering[] = [
  {
    title: 'a body without an end',
    serve: (_request, response) => void pipeline(Readable.from(withoutEnd()), response).catch(() => {}),
    code: 'E_TOO_LARGE',
  },
  {
    title: 'a packed body without an end',
    serve: (_request, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' });
      pipeline(Readable.from(withoutEnd()), createGzip(), response).catch(() => {});
    },
    code: 'E_TOO_LARGE',
  },
  {
    title: 'a bomb of gzip',
    serve: zeros('gzip', gzipSync(Buffer.alloc(BOMB_BYTES))),
    code: 'E_TOO_LARGE',
  },
  {
    title: 'a bomb in a bomb',
    serve: zeros('gzip, gzip', gzipSync(gzipSync(Buffer.alloc(BOMB_BYTES)))),
    code: 'E_TOO_LARGE',
  },
  {
    title: 'a bomb of brotli',
    serve: zeros(
      'br',
      brotliCompressSync(Buffer.alloc(BOMB_BYTES), { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }),
    ),
    code: 'E_TOO_LARGE',
  },
  {
    title: 'a body that comes to a halt',
    serve: (_request, response) => void response.writeHead(200).write('a'),
    code: 'E_TOOL_TIMEOUT',
    timeoutMs: 1_000,
    noProof: 'Nobody can tell that a wait has no end.',
  },
  {
    title: 'a body that drips',
    serve: (_request, response) => {
      const drip = setInterval(() => response.write('a'), 50);
      response.writeHead(200).on('close', () => clearInterval(drip));
    },
    code: 'E_TOOL_TIMEOUT',
    timeoutMs: 1_000,
    noProof: 'Nobody can tell that a wait has no end.',
  },
  {
    title: 'no answer at all',
    serve: () => {},
    code: 'E_TOOL_TIMEOUT',
    timeoutMs: 1_000,
    noProof: 'Nobody can tell that a wait has no end.',
  },
  {
    title: 'a header of a megabyte',
    serve: (_request, response) => void response.writeHead(200, { long: 'a'.repeat(1_000_000) }).end(),
    code: 'E_IO',
    noProof: 'Node refuses it, too.',
  },
  {
    title: 'less than its length says',
    serve: (_request, response) => {
      response.writeHead(200, { 'content-length': '1000' }).write('a', () => response.destroy());
    },
    code: 'E_IO',
    noProof: 'Node refuses it, too.',
  },
  {
    title: 'pieces that are none',
    serve: (_request, { socket }) =>
      void socket?.end('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\nabc\r\n0\r\n\r\n'),
    code: 'E_IO',
    noProof: 'Node refuses it, too.',
  },
  {
    title: 'two lengths',
    serve: (_request, { socket }) =>
      void socket?.end('HTTP/1.1 200 OK\r\ncontent-length: 3\r\ncontent-length: 9\r\n\r\nabcdefghi'),
    code: 'E_IO',
    noProof: 'Node refuses it, too.',
  },
];

async function expectFailure({ serve, code, timeoutMs = 20_000 }: Answering): Promise<void> {
  await using ground = await webGround(serve);
  const { result } = await fetchWithin(`${ground.open.origin}/`, timeoutMs);
  expect({ ok: result.ok, code: result.error?.code }).toEqual({ ok: false, code });
}

async function expectTooMuch({ serve }: Answering): Promise<void> {
  await using ground = await webGround(serve);
  expect(await naiveBytes(`${ground.open.origin}/`)).toBeGreaterThanOrEqual(BOMB_BYTES);
}

testAttacks(
  ANSWERS.map((answer): Attack => ({
    id: 'NT-08',
    title: answer.title,
    attack: () => expectFailure(answer),
    bites: answer.noProof === undefined ? () => expectTooMuch(answer) : { noProof: answer.noProof },
  })),
);
