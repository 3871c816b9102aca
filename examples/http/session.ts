/** A session over the WebSocket with the typed client: calls, and a question that a person answers. */
import { handrailClient, HandrailSocket } from 'handrail/client';

const {
  HANDRAIL_URL: url = 'http://127.0.0.1:4870',
  HANDRAIL_TOKEN: token = '',
  HANDRAIL_APPROVAL_KEY: approvalKey,
} = process.env;

const session = `tour-${crypto.randomUUID()}`;
await using agent = new HandrailSocket({
  url,
  token,
  session,
  // A lost connection comes back by itself, and calls without a result are sent again: none is lost, none runs twice.
  onState: (state) => console.log(`state: ${state}`),
});

const read = await agent.call('list_files', { path: '.' });
console.log(`list_files: ${read.error?.code ?? 'ok'}`);

/** In real life this is another program, and only a person has its key. */
const person = handrailClient({ url, token, approvalKey });
const end = new AbortController();
const { promise: live, resolve: isLive } = Promise.withResolvers<void>();
const answering = answerQuestions();
await live;
const call = agent.call('write_file', { path: 'hello.txt', content: 'Hello!\n' }, { requiresApproval: true });
const { error } = await call;
console.log(`write_file: ${error?.code ?? 'ok'}`);
end.abort();
await answering;

async function answerQuestions(): Promise<void> {
  const onState = (state: string): void => (state === 'live' ? isLive() : undefined);
  for await (const event of person.events({ signal: end.signal, onState })) {
    if (event.type !== 'approval-requested' || event.request === undefined) continue;
    console.log(`${event.request.tool} asks`);
    await person.answerApproval({ id: event.request.id, answer: 'once' });
  }
}
