/** The names of skills, in the one spelling that rules and calls know. */

export const NAME_RULE = 'letters, digits, "-", "_" and ".", 64 at most, beginning with a letter or a digit';

const NAME = /^[\p{Ll}\p{Lo}\p{N}][\p{Ll}\p{Lo}\p{M}\p{N}._-]{0,63}$/u;

/** The name that is meant; undefined where it can't be one. */
export function toSkillName(written: string): string | undefined {
  const name = written.trim().normalize('NFKC').toLowerCase();
  return NAME.test(name) ? name : undefined;
}
