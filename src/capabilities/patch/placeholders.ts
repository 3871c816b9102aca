/** Finds lines that stand for code somebody was too lazy to write: "rest of the code unchanged" and the like. */
import { toLines } from './text-lines.ts';

/** A line of the new text that is a placeholder and was not in the old one; undefined where there is none. */
export function findPlaceholder(oldText: string, newText: string): string | undefined {
  const old = new Set(toLines(oldText).map(({ text }) => text.trim()));
  const now = toLines(newText).map(({ text }) => text.trim());
  const isShorter = now.length < old.size;
  return now.find((line) => !old.has(line) && (isPlaceholder(line) || (isShorter && isElision(line))));
}

/** A placeholder is a line of its own, and not a long one. */
const MAX_LENGTH = 160;

const DOTS = /\.{3}|\u2026/;
const LEFT_OUT =
  /\b(existing|rest|remaining|remainder|unchanged|previous|omitted|same as before|other (code|methods|functions|imports))\b/i;
const REST =
  /^(the )?(rest|remainder) of (the |this |your )?\w+( \w+)? (is |are |stays? |remains? )?(unchanged|(the )?same|as (it was|before|is)|here|omitted)$/i;
const UNCHANGED =
  /^(the )?(existing |other |remaining )?(code|content|implementation|file|function|method|class|imports|logic) ?(is |are |stays? |remains? )?(unchanged|(the )?same|omitted|here)$/i;

function isPlaceholder(line: string): boolean {
  if (line.length > MAX_LENGTH || !isRemark(line)) return false;
  const words = withoutMarks(line);
  return (DOTS.test(words) && LEFT_OUT.test(words)) || REST.test(words) || UNCHANGED.test(words);
}

/** A remark of dots alone; it stands for something only where the text became shorter. */
function isElision(line: string): boolean {
  return (
    line.length <= MAX_LENGTH &&
    /^(\/\/|#|\/\*|<!--|--|;|%|\{\/\*)/.test(line) &&
    /^(\.{3}|\u2026)$/.test(withoutMarks(line))
  );
}

/** A comment, or something in brackets, or words that start or end with dots. */
function isRemark(line: string): boolean {
  return /^(\/\/|#|\/\*|\*|<!--|--|;|%|\{\/\*|\[|\(|\.{3}|\u2026)/.test(line);
}

/** The words of a remark, without what makes it one. */
function withoutMarks(line: string): string {
  const start = /^[\s/#*<!;%{[(-]*/.exec(line)![0].length;
  let end = line.length;
  while (end > start && ' \t/*>-}])'.includes(line[end - 1]!)) end--;
  return line.slice(start, end);
}
