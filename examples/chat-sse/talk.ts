/** A chat in the terminal: `CHAT_TOKEN=… node talk.ts <url> <project>`. */
import { createInterface } from 'node:readline';
import { type Answers, ChatClient, type Question } from './chat-client.ts';

const [url = 'http://127.0.0.1:3000/chat/sse', projectId = ''] = process.argv.slice(2);
const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();

const client = new ChatClient({
  url,
  token: process.env['CHAT_TOKEN'] ?? '',
  projectId,
  onChunk(chunk) {
    if (chunk.type === 'text-delta') process.stdout.write(chunk.delta);
    if (chunk.type === 'text-end') console.log();
    if (chunk.type === 'tool-input-available')
      console.log(`· ${chunk.toolName} ${JSON.stringify(chunk.input)}`);
    if (chunk.type === 'tool-output-error' || chunk.type === 'error') console.log(`! ${chunk.errorText}`);
  },
});

/** What the user types next; undefined when they have left. */
async function ask(prompt: string): Promise<string | undefined> {
  process.stdout.write(prompt);
  const { value, done } = await lines.next();
  return done === true ? undefined : value.trim();
}

async function answersTo(questions: readonly Question[]): Promise<Answers> {
  const answers: Record<string, Answers[string]> = {};
  for (const { id, text } of questions)
    answers[id] = { approved: (await ask(`${text}\nMay it run? (y/n) `)) === 'y' };
  return answers;
}

for (let said = await ask('> '); said !== undefined; said = await ask('> ')) {
  if (said === '') continue;
  await client.say(said);
  while (client.questions.length > 0) await client.answer(await answersTo(client.questions));
}
