/** A route and a WebSocket that do nothing but answer what they are sent: the least that a server over them can cost. */
import type { Server } from 'node:http';
import { createAdaptorServer } from '@hono/node-server';
import { Hono } from 'hono';
import { WebSocketServer } from 'ws';

const app = new Hono();
app.post('/api/calls', async (context) => context.json(await context.req.json()));
const server = createAdaptorServer({ fetch: app.fetch }) as Server;
new WebSocketServer({ server, perMessageDeflate: false }).on('connection', (socket) =>
  socket.on('message', (data: Buffer) => socket.send(data.toString())),
);
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  console.log(typeof address === 'object' && address !== null ? address.port : 0);
});
