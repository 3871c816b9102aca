/** The other side of `POST /chat/sse`: says things, hears the reply as it comes, and answers what must be approved. */
import { randomUUID } from 'node:crypto';
import {
  DefaultChatTransport,
  getToolName,
  isToolUIPart,
  readUIMessageStream,
  type UIMessage,
  type UIMessageChunk,
} from 'ai';

/** A call that waits for the user. */
export interface Question {
  readonly id: string;
  readonly tool: string;
  /** The whole question, with the change as it would be made. */
  readonly text: string;
}

export type Answers = Readonly<Record<string, { readonly approved: boolean; readonly reason?: string }>>;

export interface ChatClientOptions {
  readonly url: string;
  readonly token: string;
  readonly projectId: string;
  readonly onChunk?: (chunk: UIMessageChunk) => void;
}

export class ChatClient {
  readonly #options: ChatClientOptions;
  readonly #transport: DefaultChatTransport<UIMessage>;
  readonly #sessionId = randomUUID();
  readonly messages: UIMessage[] = [];

  constructor(options: ChatClientOptions) {
    const { url, token, projectId } = options;
    this.#options = options;
    this.#transport = new DefaultChatTransport({
      api: url,
      headers: { authorization: `Bearer ${token}` },
      body: { projectId, sessionId: this.#sessionId },
    });
  }

  /** Says something; returns when the reply has ended, or waits for answers to `questions`. */
  async say(text: string): Promise<void> {
    this.messages.push({ id: randomUUID(), role: 'user', parts: [{ type: 'text', text }] });
    await this.#hear();
  }

  /** What is to be approved before the reply goes on. */
  get questions(): Question[] {
    const parts = this.messages.at(-1)?.parts ?? [];
    return parts.flatMap((part) =>
      isToolUIPart(part) && part.state === 'approval-requested'
        ? [{ id: part.approval.id, tool: getToolName(part), text: part.approval.requestReason ?? '' }]
        : [],
    );
  }

  /** Answers the questions by their ids; the reply then goes on. */
  async answer(answers: Answers): Promise<void> {
    const last = this.messages.at(-1)!;
    last.parts = last.parts.map((part) =>
      isToolUIPart(part) && part.state === 'approval-requested' && answers[part.approval.id] !== undefined
        ? {
            ...part,
            state: 'approval-responded',
            approval: { ...part.approval, ...answers[part.approval.id]! },
          }
        : part,
    );
    await this.#hear();
  }

  /** Sends the chat as it is, and takes in what comes back. */
  async #hear(): Promise<void> {
    const stream = await this.#transport.sendMessages({
      trigger: 'submit-message',
      chatId: this.#sessionId,
      messageId: undefined,
      messages: this.messages,
      abortSignal: undefined,
    });
    const { onChunk } = this.#options;
    const heard = stream.pipeThrough(
      new TransformStream<UIMessageChunk, UIMessageChunk>({
        transform(chunk, controller) {
          onChunk?.(chunk);
          controller.enqueue(chunk);
        },
      }),
    );
    const last = this.messages.at(-1);
    const begun = last?.role === 'assistant' ? last : undefined;
    for await (const message of readUIMessageStream({ stream: heard, ...(begun && { message: begun }) })) {
      if (this.messages.at(-1)?.role === 'assistant') this.messages.pop();
      this.messages.push(message);
    }
  }
}
