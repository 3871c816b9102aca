/** What a model is given of a reply: pictures as such, and no more text than it can read. */
import type { Tool } from 'ai';
import type { MediaFields } from '../../runtime/tool.ts';

type ModelOutput = Awaited<ReturnType<NonNullable<Tool['toModelOutput']>>>;
type Json = Extract<ModelOutput, { type: 'json' }>['value'];

/** No model reads more at once. */
const MAX_TEXT = 512 * 1024;

/** Made from the reply alone: it may come from a history that was kept somewhere. */
export function toModelOutput(reply: unknown, media: MediaFields | undefined): ModelOutput {
  const file = media === undefined ? undefined : fileIn(reply, media);
  return file ?? textOf(reply);
}

function fileIn(reply: unknown, media: MediaFields): ModelOutput | undefined {
  const { [media.data]: data, ...rest } = Object(reply) as Record<string, unknown>;
  const mediaType = rest[media.type];
  if (typeof data !== 'string' || typeof mediaType !== 'string') return undefined;
  return {
    type: 'content',
    value: [
      { type: 'file', mediaType, data: { type: 'data', data } },
      { type: 'text', text: JSON.stringify(rest) },
    ],
  };
}

function textOf(reply: unknown): ModelOutput {
  const json = JSON.stringify(reply) ?? 'null';
  if (json.length <= MAX_TEXT) return { type: 'json', value: JSON.parse(json) as Json };
  const note = `[cut: ${json.length} characters in all. Ask for less at once.]`;
  return { type: 'text', value: `${json.slice(0, MAX_TEXT).toWellFormed()}\n${note}` };
}
