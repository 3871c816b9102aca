/** Which characters of a text can't be shown as they are, and what is shown for them. */

export interface TextPart {
  readonly kind: 'plain' | 'escape' | 'tab';
  readonly text: string;
}

/** Controls, formats, separators of lines, and all that has no shape of its own. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;

/** A text in parts; a tab keeps its width, with a mark. */
export function escapes(text: string): TextPart[] {
  const parts: TextPart[] = [];
  let from = 0;
  for (const { 0: character, index } of text.matchAll(UNSEEN)) {
    if (index > from) parts.push({ kind: 'plain', text: text.slice(from, index) });
    parts.push(
      character === '\t' ? { kind: 'tab', text: '→\t' } : { kind: 'escape', text: escaped(character) },
    );
    from = index + character.length;
  }
  if (from < text.length) parts.push({ kind: 'plain', text: text.slice(from) });
  return parts;
}

/** The same in one text, for what takes no more. */
export function shownText(text: string): string {
  return escapes(text)
    .map((part) => part.text)
    .join('');
}

/** A value as JSON that can be edited: what could not be seen in it is written as an escape. */
export function visibleJson(value: unknown): string {
  const json = JSON.stringify(value, undefined, 2) ?? '';
  return json.replace(UNSEEN, (character) => (character === '\n' ? '\n' : jsonEscape(character)));
}

/** As JSON writes it: in units of UTF-16. */
function jsonEscape(character: string): string {
  return Array.from({ length: character.length }, (_, at) => escaped(character.charAt(at))).join('');
}

function escaped(character: string): string {
  return `\\u${character.codePointAt(0)!.toString(16).padStart(4, '0')}`;
}
