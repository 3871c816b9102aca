/**
 * Which skills fit what a user wrote: those that it names, and those whose description shares enough words with it. The same
 * text always finds the same ones; a model has no say in it.
 */
import type { SkillSummary } from '../../runtime/operation.ts';

export interface SkillMatch<Matched extends SkillSummary> {
  readonly skill: Matched;
  /** Why, as a sentence. */
  readonly why: string;
}

const MAX_MATCHES = 2;
const MAX_CHARACTERS = 4_000;
/** So many of its words have to be there, where it is not named. */
const ENOUGH_WORDS = 3;

/** The best ones, at most two. */
export function matchSkills<Matched extends SkillSummary>(
  text: string,
  skills: readonly Matched[],
): SkillMatch<Matched>[] {
  const wordsOf = wordReader();
  const said = wordsOf(text);
  return skills
    .flatMap((skill) => {
      if (isNamed(wordsOf(skill.name).all, said.all))
        return [{ skill, score: Infinity, why: `The message names the skill ${skill.name}.` }];
      const telling = wordsOf(`${skill.name} ${skill.description}`).telling;
      const shared = [...said.telling].flatMap(([stem, word]) => (telling.has(stem) ? [word] : []));
      if (shared.length < ENOUGH_WORDS) return [];
      return [{ skill, score: shared.length, why: `The message shares the words ${shared.join(', ')}.` }];
    })
    .sort((one, other) => other.score - one.score || (one.skill.name < other.skill.name ? -1 : 1))
    .slice(0, MAX_MATCHES)
    .map(({ skill, why }) => ({ skill, why }));
}

/** Between words of a name may stand as many others: "create a new skill". */
const MAX_BETWEEN = 2;

/** Whether the words of a name stand in a text, in their order and close to each other. */
function isNamed([first, ...rest]: readonly string[], words: readonly string[]): boolean {
  return words.some((word, start) => {
    if (word !== first) return false;
    let at = start;
    return rest.every((next) => {
      const found = words.indexOf(next, at + 1);
      const isClose = found !== -1 && found - at <= MAX_BETWEEN + 1;
      at = found;
      return isClose;
    });
  });
}

interface Words {
  readonly all: readonly string[];
  /** Those that are not common, by what they are without endings. */
  readonly telling: ReadonlyMap<string, string>;
}

/** Reads words also of languages that put no blanks between them. */
function wordReader(): (text: string) => Words {
  const segmenter = new Intl.Segmenter('und', { granularity: 'word' });
  return (text) => {
    const folded = text.slice(0, MAX_CHARACTERS).normalize('NFKC').toLowerCase().replaceAll(/[._-]/g, ' ');
    const all = [...segmenter.segment(folded)].flatMap(({ segment, isWordLike }) =>
      isWordLike === true ? [segment] : [],
    );
    return { all, telling: new Map(all.filter(isTelling).map((word) => [stem(word), word])) };
  };
}

function isTelling(word: string): boolean {
  const isLatin = /^[a-z0-9]+$/.test(word);
  return !COMMON.has(word) && word.length >= (isLatin ? 3 : 2);
}

/** Forms of a word that mean the same here. */
function stem(word: string): string {
  return word.length > 4 ? word.replace(/(?:ies|es|s|ing|ed)$/, '') : word;
}

/** Words of every other description, and of every other message. */
const COMMON = new Set(
  (
    'the and for with this that from into when use uses used using user users want wants need needs you your how what ' +
    'which where skill skills make makes please can should would could will not any all are was were has have had its ' +
    'them then than also such other new file files code work works working about help task tasks project add get set ' +
    'like just some one two more most each only very'
  ).split(' '),
);
