/** One question to a model: its answer as it streams in, and what is left of it where the stream breaks. */
import type { Message, Model, ModelRequest } from './open-model.ts';

/** A call that a model asks for; its arguments are what it wrote, and may be no JSON. */
export interface AskedCall {
  readonly tool: string;
  readonly input: string;
  /** The model's own id, which others of its calls may have, too. */
  readonly id: string;
  readonly metadata: ProviderMetadata;
}

export interface Answer {
  /** Text and thoughts in order, without calls. */
  readonly said: AssistantContent;
  readonly text: string;
  readonly calls: readonly AskedCall[];
  readonly usage: Usage | undefined;
  /** Whether it was cut for its length. */
  readonly isCut: boolean;
  /** What ended the stream early, where something did. */
  readonly broken?: unknown;
}

export interface Usage {
  readonly inputTokens: number;
  readonly outputTokens: number;
}

export type AssistantContent = Extract<Message, { role: 'assistant' }>['content'];
type ProviderMetadata = AssistantContent[number]['providerOptions'];
type StreamPart =
  Awaited<ReturnType<Model['doStream']>>['stream'] extends ReadableStream<infer Part> ? Part : never;

export interface Hearing {
  onText(text: string): void;
  onThought(text: string): void;
}

/** Asks. Throws where there is no answer at all; with a part of one it returns that, and what broke it. */
export async function askModel(model: Model, request: ModelRequest, hearing: Hearing): Promise<Answer> {
  const { stream } = await model.doStream(request);
  const answer = new AnswerInParts();
  try {
    for await (const part of stream) answer.add(part, hearing);
  } catch (error) {
    return answer.brokenBy(error);
  }
  return answer.whole();
}

type Block = Extract<AssistantContent[number], { readonly type: 'text' | 'reasoning' }>;

class AnswerInParts {
  readonly #blocks = new Map<string, Block>();
  readonly #calls: AskedCall[] = [];
  #usage: Usage | undefined;
  #isCut = false;

  add(part: StreamPart, hearing: Hearing): void {
    switch (part.type) {
      case 'text-delta':
        this.#block('text', part.id, part.providerMetadata).text += part.delta;
        hearing.onText(part.delta);
        break;
      case 'reasoning-start':
      case 'reasoning-end':
        // Some providers want their own words for a thought back with it.
        this.#block('reasoning', part.id, part.providerMetadata);
        break;
      case 'reasoning-delta':
        this.#block('reasoning', part.id, part.providerMetadata).text += part.delta;
        if (part.delta !== '') hearing.onThought(part.delta);
        break;
      case 'tool-call':
        this.#calls.push({
          id: part.toolCallId,
          tool: part.toolName,
          input: part.input,
          metadata: part.providerMetadata,
        });
        break;
      case 'finish': {
        const { inputTokens, outputTokens } = part.usage;
        if (inputTokens.total !== undefined)
          this.#usage = { inputTokens: inputTokens.total, outputTokens: outputTokens.total ?? 0 };
        this.#isCut = part.finishReason.unified === 'length';
        break;
      }
      case 'error':
        throw part.error;
      default:
    }
  }

  whole(): Answer {
    const said = [...this.#blocks.values()].filter(
      ({ type, text, providerOptions }) =>
        text !== '' || (type === 'reasoning' && providerOptions !== undefined),
    );
    const text = said.map((block) => (block.type === 'text' ? block.text : '')).join('');
    return { said, text, calls: this.#calls, usage: this.#usage, isCut: this.#isCut };
  }

  brokenBy(error: unknown): Answer {
    const answer = this.whole();
    if (answer.text === '' && answer.calls.length === 0) throw error;
    // Half a thought can't be given back to whom it came from.
    return { ...answer, said: answer.said.filter(({ type }) => type === 'text'), broken: error };
  }

  #block(type: Block['type'], id: string, metadata: ProviderMetadata): Block {
    const key = `${type} ${id}`;
    const block: Block = this.#blocks.get(key) ?? { type, text: '' };
    if (metadata !== undefined) block.providerOptions = { ...block.providerOptions, ...metadata };
    this.#blocks.set(key, block);
    return block;
  }
}
