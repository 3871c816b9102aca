/** What a chat request must say. */
import { safeValidateUIMessages, type UIMessage } from 'ai';
import { z } from 'zod';

const named = (name: string) => z.string(`${name} is required.`).min(1, `${name} is required.`);

const bodySchema = z.looseObject(
  {
    sessionId: named('sessionId'),
    projectId: named('projectId'),
    messages: z.array(z.unknown(), 'messages is required.').min(1, 'messages is required.'),
  },
  'The body is no JSON object.',
);

const messageSchema = z.looseObject({ id: z.string().min(1), role: z.string().min(1) });

export interface ChatRequest {
  readonly sessionId: string;
  readonly projectId: string;
  readonly messages: UIMessage[];
}

/** The request, or a sentence on what is wrong with it. */
export async function readChatRequest(body: unknown): Promise<ChatRequest | string> {
  const read = bodySchema.safeParse(body);
  if (!read.success) return read.error.issues.map(({ message }) => message).join(' ');
  const { sessionId, projectId, messages } = read.data;
  if (!messageSchema.safeParse(messages.at(-1)).success) return 'The last message needs a role and an id.';
  const checked = await safeValidateUIMessages({ messages });
  return checked.success ? { sessionId, projectId, messages: checked.data } : checked.error.message;
}
