/** Replaces text that is in the file to the letter. Line endings of the new text become those of the place. */
import { type Attempt, placesOf, type TextEdit } from './text-edit.ts';
import { toLines, toText } from './text-lines.ts';

/** Replaces the one place, or all of them. */
export function replaceExactly(text: string, { oldText, newText, all }: TextEdit): Attempt {
  const starts = all ? disjointPlaces(text, oldText) : placesOf(text, oldText);
  if (starts.length === 0) return undefined;
  const lineOf = lineCounter(text);
  const lines = starts.map(lineOf);
  if (lines.length > 1 && !all) return { several: lines };
  const isMultiline = newText.includes('\n');
  const parts: string[] = [];
  let done = 0;
  for (const start of starts) {
    const end = start + oldText.length;
    parts.push(
      text.slice(done, start),
      isMultiline ? withEnding(newText, endingAt(text, oldText, start)) : newText,
    );
    done = end;
  }
  return { text: parts.join('') + text.slice(done), lines, differences: [] };
}

function disjointPlaces(text: string, wanted: string): number[] {
  const places: number[] = [];
  let at = text.indexOf(wanted);
  while (at !== -1) {
    places.push(at);
    at = text.indexOf(wanted, at + wanted.length);
  }
  return places;
}

/** The line of a position, for positions that only grow. */
function lineCounter(text: string): (position: number) => number {
  let line = 1;
  let next = text.indexOf('\n');
  return (position) => {
    for (; next !== -1 && next < position; next = text.indexOf('\n', next + 1)) line++;
    return line;
  };
}

/** The one kind of ending a place has: within it, else behind it, else before it. Undefined where it has both, or none. */
function endingAt(text: string, oldText: string, start: number): '\n' | '\r\n' | undefined {
  const within = new Set(
    toLines(oldText)
      .map(({ ending }) => ending)
      .filter((ending) => ending !== ''),
  );
  if (within.size > 0) return within.size === 1 ? [...within][0] : undefined;
  const behind = text.indexOf('\n', start + oldText.length);
  const nearest = behind === -1 ? text.lastIndexOf('\n', start) : behind;
  if (nearest === -1) return undefined;
  return text[nearest - 1] === '\r' ? '\r\n' : '\n';
}

function withEnding(text: string, ending: '\n' | '\r\n' | undefined): string {
  if (ending === undefined) return text;
  return toText(toLines(text).map((line) => (line.ending === '' ? line : { ...line, ending })));
}
