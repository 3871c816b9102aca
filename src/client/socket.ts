/// <reference lib="esnext.disposable" preserve="true" />
/**
 * A session over the WebSocket. What the server did not confirm is sent again on the next connection, by the same ids,
 * so that nothing is lost and nothing is done twice.
 */
import { ApiFailure } from './api-failure.ts';
import { type ConnectionOptions, SteadyConnection } from './steady-connection.ts';

/** A message of the server; `type` says what else is in it. */
export interface SocketMessage {
  readonly type: string;
  /** The number that the server gave it. */
  readonly seq?: number;
  readonly [field: string]: unknown;
}

/** How a call ended. */
export interface ToolResult {
  readonly call_id: string;
  readonly result?: unknown;
  readonly error?: { readonly code: string; readonly message: string };
}

/** A call of the server's agent that an IDE is to run. */
export interface ToolRequest {
  readonly call_id: string;
  readonly tool_name: string;
  readonly args: unknown;
}

export interface SocketOptions extends ConnectionOptions {
  /** The session: its calls, turns and todos belong together. Whoever comes back to it goes on with it. */
  readonly session: string;
  /** Which tools there are; `codelab` where none is said. */
  readonly dialect?: string;
  /** Makes this client the one that runs tools for the server's agent: gives what the tool gives, or throws. */
  readonly runTool?: (call: ToolRequest) => Promise<unknown>;
  /** Hears everything but results of calls. */
  readonly onMessage?: (message: SocketMessage) => void;
  /** `lost` connections come back by themselves; `closed` ones do not, and say why. */
  readonly onState?: (state: 'open' | 'lost' | 'closed', why?: ApiFailure) => void;
}

export interface ToolCallOptions {
  /** Of this call, and no other: sent again, it is answered and not run again. */
  readonly id?: string;
  /** What belongs together for undo. */
  readonly turn?: string;
  /** Asks a person even where the policy would not. */
  readonly requiresApproval?: boolean;
}

/** A person's word on a call that waits for one. */
export interface Verdict {
  readonly decision: 'approve' | 'edit' | 'reject';
  /** For how long a yes holds; once where it is not said. */
  readonly scope?: 'once' | 'session' | 'always';
  readonly modified_arguments?: unknown;
  /** For the agent to read. */
  readonly feedback?: string;
}

interface PendingCall {
  readonly message: object;
  readonly resolve: (result: ToolResult) => void;
  readonly reject: (why: Error) => void;
}

const ACK_MS = 200;
const CLOSED = 'The connection was closed.';

export class HandrailSocket implements AsyncDisposable {
  readonly #options: SocketOptions;
  readonly #connection: SteadyConnection;
  readonly #calls = new Map<string, PendingCall>();
  /** Said, and not confirmed yet. */
  readonly #said = new Map<string, object>();
  /** Answers to calls of the server, by their ids: asked again, nothing runs again. */
  readonly #ran = new Map<string, Promise<object>>();
  #failure: ApiFailure | undefined;
  #wasOpen = false;
  #lastSeq = 0;
  #ackTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(options: SocketOptions) {
    this.#options = options;
    this.#connection = new SteadyConnection(options, {
      path: () => this.#path(),
      opened: () => this.#opened(),
      heard: (text) => this.#hear(JSON.parse(text) as SocketMessage),
      beat: () => this.#acknowledge(crypto.randomUUID()),
      lost: () => options.onState?.('lost'),
      refused: (failure) => this.#end(failure),
    });
  }

  /** Makes a call, and waits for its result: over lost connections, and for a person where one is asked. */
  call(tool: string, args: unknown, options: ToolCallOptions = {}): Promise<ToolResult> {
    const { id = crypto.randomUUID(), turn, requiresApproval } = options;
    const message = {
      type: 'tool_call',
      call_id: id,
      tool_name: tool,
      args,
      ...(turn === undefined ? {} : { turn }),
      ...(requiresApproval === undefined ? {} : { requires_approval: requiresApproval }),
    };
    return new Promise((resolve, reject) => {
      if (this.#failure !== undefined) return reject(this.#failure);
      this.#calls.set(id, { message, resolve, reject });
      this.#connection.send(message);
    });
  }

  /** Says something to the session's agent. */
  say(content: string): void {
    this.#say({ type: 'user_message', content });
  }

  /** Lets another agent go on. */
  switchAgent(agent: string, content?: string): void {
    this.#say({ type: 'switch_agent', agent_type: agent, ...(content === undefined ? {} : { content }) });
  }

  /** Answers the question about a call; needs the approval key. */
  decide(callId: string, verdict: Verdict): void {
    this.#say({ type: 'hitl_decision', call_id: callId, ...verdict });
  }

  /** Ends it; calls that have no result yet are rejected, and go on at the server. */
  close(): void {
    this.#end(new ApiFailure(0, { message: CLOSED }));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.close();
  }

  #path(): string {
    const { session, dialect, project, runTool } = this.#options;
    const query = new URLSearchParams({
      // Who comes for the first time lacks nothing.
      ...(this.#wasOpen ? { after: String(this.#lastSeq) } : {}),
      ...(runTool === undefined ? {} : { role: 'ide' }),
      ...(dialect === undefined ? {} : { dialect }),
      ...(project === undefined ? {} : { project }),
    });
    return `/ws/${encodeURIComponent(session)}?${String(query)}`;
  }

  #opened(): void {
    this.#wasOpen = true;
    this.#options.onState?.('open');
    for (const { message } of this.#calls.values()) this.#connection.send(message);
    for (const message of this.#said.values()) this.#connection.send(message);
  }

  #hear(message: SocketMessage): void {
    const { type, seq = 0 } = message;
    if (type === 'ack') return void this.#said.delete(String(message['message_id']));
    if (seq > 0) {
      // What was sent twice was heard already.
      if (seq <= this.#lastSeq) return;
      this.#lastSeq = seq;
      this.#ackTimer ??= setTimeout(() => this.#acknowledge(), ACK_MS);
    }
    const call = typeof message['call_id'] === 'string' ? this.#calls.get(message['call_id']) : undefined;
    if (type === 'tool_result' && call !== undefined) {
      const result = message as unknown as ToolResult;
      this.#calls.delete(result.call_id);
      return call.resolve(result);
    }
    if (type === 'tool_call' && this.#options.runTool !== undefined)
      this.#run(message as unknown as ToolRequest);
    this.#options.onMessage?.(message);
  }

  #run(call: ToolRequest): void {
    const { call_id } = call;
    let answer = this.#ran.get(call_id);
    if (answer === undefined) {
      answer = this.#options.runTool!(call).then(
        (result) => ({ type: 'tool_result', call_id, result }),
        (error: unknown) => ({
          type: 'tool_result',
          call_id,
          error: { code: 'ERROR', message: String(error) },
        }),
      );
      this.#ran.set(call_id, answer);
    }
    void answer.then((result) => this.#say(result));
  }

  #say(message: object): void {
    const message_id = crypto.randomUUID();
    this.#said.set(message_id, { ...message, message_id });
    this.#connection.send({ ...message, message_id });
  }

  /** Lets the server forget what came; with an id it answers, which shows that it is there. */
  #acknowledge(message_id?: string): void {
    clearTimeout(this.#ackTimer);
    this.#ackTimer = undefined;
    this.#connection.send({
      type: 'ack',
      seq: this.#lastSeq,
      ...(message_id === undefined ? {} : { message_id }),
    });
  }

  #end(failure: ApiFailure): void {
    if (this.#failure !== undefined) return;
    this.#failure = failure;
    clearTimeout(this.#ackTimer);
    this.#connection.close();
    for (const { reject } of this.#calls.values()) reject(failure);
    this.#calls.clear();
    this.#options.onState?.('closed', failure);
  }
}
