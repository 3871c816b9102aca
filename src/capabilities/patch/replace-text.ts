/**
 * Replaces a piece of text by another: to the letter where it is there to the letter, else where it fits tolerantly in
 * one place only.
 */
import { Failure } from '../../failure.ts';
import { closestPlace } from './closest.ts';
import { replaceExactly } from './replace-exactly.ts';
import { replaceTolerantly } from './replace-tolerantly.ts';
import { lineList } from './line-list.ts';
import { type EditedText, MAX_PLACES, type TextEdit } from './text-edit.ts';
import { BOM, toLines } from './text-lines.ts';

/** Makes an edit; `path` is for messages. */
export function replaceText(path: string, text: string, edit: TextEdit): EditedText {
  refuseNoEdit(edit);
  const mark = text.startsWith(BOM) ? BOM : '';
  const body = text.slice(mark.length);
  const bare = { ...edit, oldText: withoutMark(edit.oldText), newText: withoutMark(edit.newText) };
  const edited = replaceExactly(body, bare) ?? replaceTolerantly(body, bare);
  if (edited === undefined) throw notFound(path, body, bare.oldText);
  if ('several' in edited) throw notUnique(path, edited.several);
  if (edited.text === body) {
    throw new Failure(
      'E_INVALID_ARGS',
      'The edit changes nothing: old and new text differ only in line endings, indentation or look-alike characters, where the file keeps its own.',
      { hint: 'To change those, write the file.' },
    );
  }
  return { ...edited, text: mark + edited.text };
}

function withoutMark(text: string): string {
  return text.startsWith(BOM) ? text.slice(1) : text;
}

function refuseNoEdit({ oldText, newText }: TextEdit): void {
  if (withoutMark(oldText) === '') {
    throw new Failure('E_INVALID_ARGS', 'The text to replace is empty, so it has no place in the file.', {
      hint: 'Give the lines around the place; to fill or make a file, write it.',
    });
  }
  if (oldText === newText)
    throw new Failure('E_INVALID_ARGS', 'The text to replace and the new text are the same.');
}

function notUnique(path: string, lines: readonly number[]): Failure {
  return new Failure(
    'E_NOT_UNIQUE',
    `The text to replace is in ${JSON.stringify(path)} in ${lines.length >= MAX_PLACES ? 'very many' : lines.length} places: ${lineList(lines)}.`,
    {
      hint: 'Nothing was changed. Give more of the lines around the one you mean; all can be replaced where they are the same to the letter.',
      details: { lines: lines.slice(0, 10), matches: lines.length },
    },
  );
}

function notFound(path: string, text: string, oldText: string): Failure {
  const linesOf = (whole: string): string[] => toLines(whole).map((line) => line.text);
  const closest = closestPlace(linesOf(text), linesOf(oldText));
  return new Failure('E_PATCH', `The text to replace is not in ${JSON.stringify(path)}. ${closest.text}`, {
    hint: 'Nothing was changed. Give the text as it is in the file.',
    details: closest.details,
  });
}
