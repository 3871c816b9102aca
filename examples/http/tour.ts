/** Through the API with the typed client: tools, a call, events, an approval, undo. */
import { handrailClient } from 'handrail/client';

const {
  HANDRAIL_URL: url = 'http://127.0.0.1:4870',
  HANDRAIL_TOKEN: token = '',
  HANDRAIL_APPROVAL_KEY: approvalKey,
} = process.env;

/** Makes calls; what it may not do alone is asked. */
const agent = handrailClient({ url, token });
/** Answers and takes back. In real life this is another program, and only a person has its key. */
const person = handrailClient({ url, token, approvalKey });

const { tools } = await agent.listTools();
console.log(`There are ${tools.length} tools: ${tools.map(({ name }) => name).join(' ')}`);

const session = await agent.openSession({ mode: 'ask' });
const listed = await agent.makeCall({ tool: 'list', args: { path: '.' }, session: session.id });
console.log(`list: ${listed.outcome}`);

// Whoever follows the events sees a question when it comes.
const { promise: live, resolve: isLive } = Promise.withResolvers<void>();
const end = new AbortController();
const answering = answerQuestions();
await live;

const written = await agent.makeCall({
  tool: 'write',
  args: { path: 'hello.txt', content: 'Hello!\n' },
  session: session.id,
  // Sent again with the same id, after a lost connection, it would be answered and not run twice.
  id: 'tour-write',
});
console.log(`write: ${written.outcome}`);
end.abort();
await answering;

const { steps } = await person.undo({ call: written.callId });
for (const { action, path } of steps) console.log(`undo: ${action} ${path}`);

async function answerQuestions(): Promise<void> {
  const onState = (state: string): void => (state === 'live' ? isLive() : undefined);
  for await (const event of person.events({ signal: end.signal, onState })) {
    console.log(`event: ${event.type}`);
    if (event.type !== 'approval-requested' || event.request === undefined) continue;
    const { id, tool, reason } = event.request;
    console.log(`${tool} asks: ${reason}`);
    await person.answerApproval({ id, answer: 'once' });
  }
}
