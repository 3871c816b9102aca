/** What nobody can know about a damaged change: whether the damage was meant. */
import { type Change, withHunk } from './corpus.ts';
import type { Written } from './damage.ts';

/** Whether a result is what an edit says to the letter. */
export function isEditAsWritten(
  before: string,
  edit: { oldText: string; newText: string },
  text: string,
): boolean {
  const parts = before.split(edit.oldText);
  return parts.length === 2 && text === parts.join(edit.newText);
}

/** Whether a result is what a hunk says to the letter: at the line it names, or at the only place where it fits. */
export function isHunkAsWritten(before: string, { line, lines, isCrlf }: Written, text: string): boolean {
  if (isCrlf) return false;
  const old = lines.filter((one) => !one.startsWith('+')).map((one) => one.slice(1));
  const all = before.split('\n');
  const places = [...all.keys()].filter((start) => old.every((one, index) => all[start + index] === one));
  return places.some(
    (start) => (start + 1 === line || places.length === 1) && withHunk(before, start + 1, lines) === text,
  );
}

/**
 * Whether a result differs from the truth only in lines the change adds, and there only in blanks at their ends where the
 * truth has some too, or in quotes where no line of the old side has any.
 */
export function isUnknowable(text: string, { after, line, lines }: Change, written: Written): boolean {
  const showsQuotes = written.lines.some((one) => !one.startsWith('+') && /[\u2018-\u201d]/.test(one));
  const plain = (one: string): string =>
    showsQuotes ? one : one.replaceAll(/[\u2018\u2019]/g, "'").replaceAll(/[\u201c\u201d]/g, '"');
  const [got, truth] = [text.split('\n'), after.split('\n')];
  const end = line + lines.filter((one) => !one.startsWith('-')).length;
  return (
    got.length === truth.length &&
    got.every((one, index) => {
      const wanted = truth[index]!;
      if (one === wanted) return true;
      const isWithin = index + 1 >= line && index + 1 < end;
      const isTrimmed = wanted.trimEnd() !== wanted;
      return (
        isWithin &&
        (isTrimmed ? plain(one).trimEnd() === plain(wanted).trimEnd() : plain(one) === plain(wanted))
      );
    })
  );
}
