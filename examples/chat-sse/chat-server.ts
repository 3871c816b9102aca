/**
 * `POST /chat/sse`: a chat whose model has the tools of `tenas` in the project that the request names. The answer is the
 * AI SDK's stream of UI messages; a call that must be approved ends it, and goes on with the request that brings the answer.
 */
import {
  convertToModelMessages,
  createUIMessageStreamResponse,
  generateId,
  type LanguageModel,
  stepCountIs,
  streamText,
  toUIMessageStream,
  type UIMessage,
} from 'ai';
import { Failure, type Projects, type Runtime, type Session } from 'handrail';
import { toolApproval, tools } from 'handrail/ai-sdk';
import { Hono } from 'hono';
import { bearerAuth } from 'hono/bearer-auth';
import { type ChatRequest, readChatRequest } from './chat-request.ts';

export interface ChatServerOptions {
  readonly projects: Projects;
  readonly model: LanguageModel;
  /** Whoever has it can approve what tools do: other pages in the user's browser must not. */
  readonly token: string;
}

const INSTRUCTIONS =
  'You help with the files of a project. Use the tools; paths are relative to the project. When the user says no to a call, go on without it.';

/** The server as a Hono app. */
export function chatServer({ projects, model, token }: ChatServerOptions): Hono {
  const sessions = new Map<string, Promise<Session>>();
  /** One a chat: it remembers what its calls saw of files. */
  const sessionOf = (runtime: Runtime, id: string): Promise<Session> => {
    const key = JSON.stringify([runtime.workspace.root, id]);
    const session = sessions.get(key) ?? runtime.openSession({ id, dialect: 'tenas' });
    sessions.set(key, session);
    return session;
  };
  /** The reply, made in the current project, whose runtime is held until the last of it was sent. */
  const reply = async ({ sessionId, messages }: ChatRequest, signal: AbortSignal): Promise<Response> => {
    const runtime = await projects.runtime();
    const session = await sessionOf(runtime, sessionId);
    const set = tools(runtime, { session, turn: turnOf(sessionId, messages) });
    const { fullStream } = streamText({
      model,
      instructions: INSTRUCTIONS,
      messages: await convertToModelMessages(messages, { tools: set }),
      tools: set,
      toolApproval: toolApproval(set),
      stopWhen: stepCountIs(20),
      abortSignal: signal,
    });
    const stream = toUIMessageStream({
      stream: fullStream,
      tools: set,
      originalMessages: messages,
      generateMessageId: generateId,
      onError: String,
      onEnd: () => runtime[Symbol.asyncDispose](),
    });
    return createUIMessageStreamResponse({ stream });
  };
  const app = new Hono();
  app.use(bearerAuth({ token }));
  app.post('/chat/sse', async (context) => {
    const body: unknown = await context.req.json().catch(() => undefined);
    const request = await readChatRequest(body);
    if (typeof request === 'string') return context.json({ error: request }, 400);
    try {
      return await projects.run(request.projectId, () => reply(request, context.req.raw.signal));
    } catch (error) {
      // A project that is not there, or whose folder is gone.
      if (error instanceof Failure) return context.json({ error: error.message }, 400);
      throw error;
    }
  });
  return app;
}

/** What follows one message of the user is one turn, approvals in between included: undo takes it back as one. */
function turnOf(sessionId: string, messages: readonly UIMessage[]): string | undefined {
  const said = messages.findLast(({ role }) => role === 'user');
  return said && `${sessionId}/${said.id}`;
}
