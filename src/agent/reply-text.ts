/** What a model reads of a call's reply: JSON, within bounds, without the bytes of pictures. */
import type { Definition } from '../runtime/catalogue.ts';
import type { CallResponse } from '../runtime/spine.ts';

/** More of a reply would crowd out everything else. */
const MAX_CHARACTERS = 60_000;

export function replyText({ reply }: CallResponse, definition: Definition | undefined): string {
  const text = typeof reply === 'string' ? reply : JSON.stringify(withoutBytes(reply, definition));
  return cutMiddle(text, MAX_CHARACTERS);
}

/** A text with at most so many characters: its beginning and its end. */
export function cutMiddle(text: string, most: number): string {
  if (text.length <= most) return text;
  const half = Math.floor(most / 2);
  const left = text.length - 2 * half;
  return `${text.slice(0, half)}\n[… ${left} characters left out …]\n${text.slice(-half)}`;
}

function withoutBytes(reply: unknown, definition: Definition | undefined): unknown {
  const field = definition?.media?.data;
  if (field === undefined) return reply;
  return JSON.parse(
    JSON.stringify(reply, (key, value: unknown) =>
      key === field && typeof value === 'string'
        ? `[${value.length} characters of base64, not shown]`
        : value,
    ),
  );
}
