/** Starts the chat server for the projects that the user has registered. */
import { randomBytes } from 'node:crypto';
import { homedir } from 'node:os';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { serve } from '@hono/node-server';
import { openProjects, userLocations } from 'handrail';
import { chatServer } from './chat-server.ts';

const { MODEL_URL = 'http://127.0.0.1:11434/v1', MODEL = 'qwen3', MODEL_KEY, PORT = '3000' } = process.env;
const token = process.env['CHAT_TOKEN'] ?? randomBytes(24).toString('base64url');

const projects = await openProjects({
  locations: userLocations(process.env, homedir()),
  environment: process.env,
  dialect: 'tenas',
  readConfig: true,
});
const provider = createOpenAICompatible({
  name: 'model',
  baseURL: MODEL_URL,
  ...(MODEL_KEY === undefined ? {} : { apiKey: MODEL_KEY }),
});
const app = chatServer({ projects, model: provider(MODEL), token });
const server = serve({ fetch: app.fetch, hostname: '127.0.0.1', port: Number(PORT) }, ({ port }) => {
  console.log(`http://127.0.0.1:${port}/chat/sse ${token}`);
});

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    server.close();
    void projects[Symbol.asyncDispose]();
  });
}
