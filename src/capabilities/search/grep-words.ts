/** Finds parts by the words of a question without an index: lines that have them, close lines together, most words first. */
import { questionWords } from '../../code-words.ts';
import type { CodePart, FoundLine } from '../../host/ports.ts';
import type { ScopedSearch } from '../../runtime/operation.ts';

const CONTEXT = 3;
const MOST_LINES = 12;
const MAX_LINE_CHARACTERS = 240;
const MAX_FILE_BYTES = 1024 * 1024;
const MAX_PER_FILE = 30;
/** More is not looked at. */
const MAX_FOUND = 20_000;
const MAX_WORDS = 12;
const MOST_OF_A_FILE = 3;

interface Asked {
  readonly query: string;
  readonly paths: readonly string[];
  readonly limit: number;
}

/** The parts with most of the words, and what there is to say about them. */
export async function grepWords(
  search: ScopedSearch,
  { query, paths, limit }: Asked,
  note: string,
): Promise<{ parts: CodePart[]; note: string }> {
  const words = questionWords(query).slice(0, MAX_WORDS).map(pattern);
  const found: FoundLine[] = [];
  for (const path of paths) {
    await search.grep(
      {
        path,
        pattern: words.length === 0 ? query : words.map(({ source }) => source).join('|'),
        isLiteral: words.length === 0,
        ignoreCase: true,
        isMultiline: false,
        names: [],
        skip: [],
        context: CONTEXT,
        maxFileBytes: MAX_FILE_BYTES,
        maxPerFile: MAX_PER_FILE,
        maxLineCharacters: MAX_LINE_CHARACTERS,
        inOrder: false,
      },
      (line) => found.push(line) < MAX_FOUND,
    );
  }
  const parts = intoBlocks(found).map((block) => toPart(block, words));
  const all = found.length < MAX_FOUND ? '' : ' There is more than was looked at.';
  return { parts: bestOf(parts, limit), note: `${note} Searched by grep for the words.${all}` };
}

/** A word without its ending, as it may stand in a text. */
function pattern(word: string): RegExp {
  return new RegExp(word.replace(/i$/, '[iy]'), 'i');
}

/** Lines that follow each other, up to what is shown of them. */
function intoBlocks(found: readonly FoundLine[]): FoundLine[][] {
  const blocks: FoundLine[][] = [];
  for (const line of found) {
    const block = blocks.at(-1);
    const last = block?.at(-1);
    const follows = last?.path === line.path && last.line === line.line - 1 && block!.length < MOST_LINES;
    if (follows) block!.push(line);
    else blocks.push([line]);
  }
  return blocks.filter((block) => block.some(({ isContext }) => !isContext));
}

function toPart(block: readonly FoundLine[], words: readonly RegExp[]): CodePart {
  const { path, line } = block[0]!;
  const text = block.map((one) => one.text).join('\n');
  const count = (place: string): number => words.filter((word) => word.test(place)).length;
  const matches = block.filter(({ isContext }) => !isContext).length;
  const worth = (count(text) + count(path) / 2) / Math.max(words.length, 1);
  const score = Math.round((worth + matches / 100) * 10_000) / 10_000;
  return { path, startLine: line, endLine: line + block.length - 1, text, score };
}

function bestOf(parts: readonly CodePart[], limit: number): CodePart[] {
  const ofFile = new Map<string, number>();
  return parts
    .toSorted((one, other) => other.score - one.score || byPlace(one, other))
    .filter(({ path }) => {
      ofFile.set(path, (ofFile.get(path) ?? 0) + 1);
      return ofFile.get(path)! <= MOST_OF_A_FILE;
    })
    .slice(0, limit);
}

function byPlace(one: CodePart, other: CodePart): number {
  if (one.path !== other.path) return one.path < other.path ? -1 : 1;
  return one.startLine - other.startLine;
}
