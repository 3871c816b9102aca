/** What a setup writes into a client's settings: values at places, and items of lists. Formats apply and withdraw it. */

export type Value = string | number | boolean | readonly Value[] | { readonly [name: string]: Value };

/** A value that is set, or strings that a list holds besides what it held. A value that is an object is Handrail's own. */
export type Change =
  | { readonly at: readonly string[]; readonly value: Value }
  | { readonly at: readonly string[]; readonly items: readonly string[] };

/** How one format of settings is edited: as text, so that everything else stays as it is. */
export interface Format {
  /** A text with all changes in it; `undefined` is a file that is not there. */
  apply(text: string | undefined, changes: readonly Change[]): string;
  /**
   * A text with all changes taken out. What `before` had at their places is put back; what is not as the changes made
   * it was changed by somebody since, and stays. `undefined` where a file that was not there before holds nothing else.
   */
  withdraw(text: string, changes: readonly Change[], before: string | undefined): string | undefined;
}

/** A text can't be used as settings. */
export class Unusable extends Error {
  override readonly name = 'Unusable';
}
