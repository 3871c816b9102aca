/** Text from outside as it can be put before people: in a terminal, in a client's dialog. */

const UNSAFE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;

/** Control, direction and invisible characters as escapes. */
export function shown(text: string): string {
  return text.replace(UNSAFE, (character) => `\\u${character.codePointAt(0)!.toString(16).padStart(4, '0')}`);
}
