/** Clients that take their time, and clients that want all there is. */
import { createServer } from 'node:http';
import { connect } from 'node:net';
import { describe, expect } from 'vitest';
import { bareSessions } from './bare-application.ts';
import { type Attack, testAttacks } from '../../security/attack-case.ts';
import { tempWorkspace } from '../../support/temp-workspace.ts';
import { socketServer, TOKEN } from '../websocket/socket-server.ts';

const SOON = { headersTimeout: 200, requestTimeout: 400, connectionsCheckingInterval: 50 };
/** More with HANDRAIL_SESSIONS. */
const SESSIONS = Number(process.env['HANDRAIL_SESSIONS'] ?? 3_000);
const KEPT_SESSIONS = 2_000;
const GENEROUS_BYTES = 256 * 1024 * 1024;

/** Requests of which the end never comes. */
function unfinished(port: number): readonly string[] {
  const head = [
    'POST /api/calls HTTP/1.1',
    `host: 127.0.0.1:${port}`,
    `authorization: Bearer ${TOKEN}`,
    'content-type: application/json',
    'content-length: 1000',
  ].join('\r\n');
  return ['', 'POST /api', head, `${head}\r\n\r\n`, `${head}\r\n\r\n{"tool":`];
}

/** What comes back until the other side closes, while more is sent little by little, or nothing. */
function trickle(port: number, written: string): Promise<string> {
  return new Promise((resolve) => {
    let received = '';
    const socket = connect(port, '127.0.0.1', () => socket.write(written));
    const drops = setInterval(() => written !== '' && socket.write(' '), 50);
    socket.on('data', (chunk: Buffer) => (received += chunk.toString()));
    socket.on('error', () => undefined);
    socket.on('close', () => {
      clearInterval(drops);
      resolve(received);
    });
  });
}

const ATTACKS: readonly Attack[] = [
  {
    id: 'WB-10',
    title: 'headers and bodies that come a byte at a time',
    attack: async () => {
      await using workspace = tempWorkspace();
      await using server = await socketServer(workspace, { requestTimeouts: SOON });
      const received = await Promise.all(unfinished(server.port).map((text) => trickle(server.port, text)));
      for (const text of received) expect(text).toMatch(/^(HTTP\/1\.1 408 |$)/);
    },
    bites: async () => {
      const patient = createServer({ headersTimeout: 0, requestTimeout: 0 }, (request) => request.resume());
      await new Promise<void>((resolve) => patient.listen(0, '127.0.0.1', resolve));
      const { port } = patient.address() as { port: number };
      const waiting = unfinished(port).map((text) => trickle(port, text));
      await expect
        .poll(() => new Promise((resolve) => patient.getConnections((_error, count) => resolve(count))))
        .toBe(waiting.length);
      patient.closeAllConnections();
      await new Promise((resolve) => patient.close(resolve));
      await Promise.all(waiting);
    },
  },
  {
    id: 'WB-10',
    title: 'thousands of sessions of one client',
    attack: async () => {
      await using workspace = tempWorkspace();
      const runtime = await workspace.runtime();
      await using sessions = bareSessions();
      const before = process.memoryUsage.rss();
      for (let count = 0; count < SESSIONS; count++) await sessions.open(runtime, {}, false);
      expect(sessions.openSessions).toBe(KEPT_SESSIONS);
      expect(process.memoryUsage.rss() - before).toBeLessThan(GENEROUS_BYTES);
    },
    bites: { noProof: 'who keeps every session has as many as are opened' },
  },
];

describe('the server', () => {
  testAttacks(ATTACKS);
});
