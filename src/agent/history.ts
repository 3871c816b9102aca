/**
 * What was said, as the model is told it: entries in order, a summary in place of the oldest, results of old calls left
 * out. It is valid at any time: every tool call has a result, also where a turn was cut short in between.
 */
import type { Message } from './open-model.ts';

/** Who an entry comes from; `handrail` speaks to the model in the user's place. */
export interface Entry {
  readonly by: 'user' | 'assistant' | 'tool' | 'handrail';
  readonly message: Message;
  /** How the calls ended whose results these are, by the ids that the model knows; for who shows them. */
  readonly ended?: Readonly<Record<string, CallEnd>>;
}

/** How a call ended, and where it stands in the audit; one that was not begun is not there. */
export interface CallEnd {
  readonly callId?: string | undefined;
  readonly outcome: 'ok' | 'failed' | 'denied' | 'cancelled';
}

/** An entry at its place among all entries. */
export interface PlacedEntry extends Entry {
  readonly place: number;
}

/** What stands for older entries. */
export interface Shortened {
  readonly summary: string | null;
  /** The last place that the summary stands for. */
  readonly summarised: number;
  /** The last place whose results are left out. */
  readonly pruned: number;
}

/** Where a history is kept besides. */
export interface HistoryKeeper {
  /** Gives the entry's place. */
  append(entry: Entry, turn: string): Promise<number>;
  shorten(to: Shortened): Promise<void>;
}

export class History {
  readonly #entries: PlacedEntry[];
  readonly #keeper: HistoryKeeper;
  #shortened: Shortened;
  /** The turn that what is added belongs to. */
  turn = '';

  constructor(
    keeper: HistoryKeeper = unkept(),
    entries: readonly PlacedEntry[] = [],
    shortened: Shortened = { summary: null, summarised: 0, pruned: 0 },
  ) {
    this.#keeper = keeper;
    this.#entries = [...entries];
    this.#shortened = shortened;
  }

  /** Everything, also what a summary stands for. */
  get entries(): readonly PlacedEntry[] {
    return this.#entries;
  }

  get shortened(): Shortened {
    return this.#shortened;
  }

  /** What the model is still told word for word. */
  get live(): readonly PlacedEntry[] {
    return this.#entries.filter(({ place }) => place > this.#shortened.summarised);
  }

  /** Whether its model has made calls that were not written as text. */
  get hasCalls(): boolean {
    return this.#entries.some(({ message }) => message.role === 'tool');
  }

  async append(entry: Entry): Promise<void> {
    this.#entries.push({ ...entry, place: await this.#keeper.append(entry, this.turn) });
  }

  /** Adds words of the user's, or of Handrail in their place. */
  async tell(text: string, by: 'user' | 'handrail'): Promise<void> {
    await this.append({ by, message: { role: 'user', content: [{ type: 'text', text }] } });
  }

  async shorten(to: Partial<Shortened>): Promise<void> {
    this.#shortened = { ...this.#shortened, ...to };
    await this.#keeper.shorten(this.#shortened);
  }

  /** What the model is told. */
  messages(): Message[] {
    const { summary, pruned } = this.#shortened;
    const live = this.live.map(({ message, place }) => (place <= pruned ? withoutResults(message) : message));
    return [...(summary === null ? [] : [userMessage(summary)]), ...completed(live)];
  }
}

export function userMessage(text: string): Message {
  return { role: 'user', content: [{ type: 'text', text }] };
}

/** The text in a message, without calls and results. */
export function textOf({ content }: Message): string {
  if (typeof content === 'string') return content;
  return content.map((part) => (part.type === 'text' ? part.text : '')).join('');
}

type ToolResult = Extract<Extract<Message, { role: 'tool' }>['content'][number], { type: 'tool-result' }>;

/** The result of a call as the model reads it. */
export function toolResult(call: Pick<ToolResult, 'toolCallId' | 'toolName'>, text: string): ToolResult {
  const { toolCallId, toolName } = call;
  return { type: 'tool-result', toolCallId, toolName, output: { type: 'text', value: text } };
}

const LEFT_OUT = '[An old result, left out to save space. Make the call again if you need it.]';
const CUT_SHORT = 'This call was cut short: whether it was carried out is not known.';

function withoutResults(message: Message): Message {
  if (message.role !== 'tool') return message;
  const content = message.content.map((part) =>
    part.type === 'tool-result' ? toolResult(part, LEFT_OUT) : part,
  );
  return { ...message, content };
}

/** A result for each call that has none, and no result without its call. */
function completed(messages: readonly Message[]): Message[] {
  const complete: Message[] = [];
  for (const [index, message] of messages.entries()) {
    if (message.role === 'tool') continue;
    complete.push(message);
    if (message.role !== 'assistant') continue;
    const calls = message.content.filter((part) => part.type === 'tool-call');
    if (calls.length === 0) continue;
    const results = resultsAfter(messages, index);
    complete.push({
      role: 'tool',
      content: calls.map((call) => results.get(call.toolCallId) ?? toolResult(call, CUT_SHORT)),
    });
  }
  return complete;
}

/** The results that follow a message, up to the next one that is no result. */
function resultsAfter(messages: readonly Message[], index: number): ReadonlyMap<string, ToolResult> {
  const found = new Map<string, ToolResult>();
  for (const message of messages.slice(index + 1)) {
    if (message.role !== 'tool') break;
    for (const part of message.content) if (part.type === 'tool-result') found.set(part.toolCallId, part);
  }
  return found;
}

/** For a conversation that ends with its task. */
function unkept(): HistoryKeeper {
  let place = 0;
  return { append: async () => ++place, shorten: async () => {} };
}
