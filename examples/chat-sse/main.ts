/** Starts the chat server: `node main.ts <project>=<folder> …`. */
import { randomBytes } from 'node:crypto';
import { homedir } from 'node:os';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { serve } from '@hono/node-server';
import { createRuntime, type Runtime, userLocations } from 'handrail';
import { chatServer } from './chat-server.ts';

const {
  MODEL_URL: baseURL = 'http://127.0.0.1:11434/v1',
  MODEL = 'qwen3',
  MODEL_KEY: apiKey,
  PORT = '3000',
} = process.env;
const token = process.env['CHAT_TOKEN'] ?? randomBytes(24).toString('base64url');

const projects = new Map<string, Runtime>();
for (const argument of process.argv.slice(2)) {
  const [id = '', workspace = ''] = argument.split('=', 2);
  const locations = userLocations(process.env, homedir());
  projects.set(
    id,
    await createRuntime({
      workspace,
      locations,
      environment: process.env,
      dialect: 'tenas',
      readConfig: true,
    }),
  );
}

const model = createOpenAICompatible({ name: 'model', baseURL, ...(apiKey === undefined ? {} : { apiKey }) })(
  MODEL,
);
const app = chatServer({ projects, model, token });
const server = serve({ fetch: app.fetch, hostname: '127.0.0.1', port: Number(PORT) }, ({ port }) => {
  console.log(`http://127.0.0.1:${port}/chat/sse ${token}`);
});

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    server.close();
    void Promise.all([...projects.values()].map((runtime) => runtime[Symbol.asyncDispose]()));
  });
}
