/** The words of an edit: a piece of text for another. */
import type { Difference } from './fit-lines.ts';

export interface TextEdit {
  readonly oldText: string;
  readonly newText: string;
  /** Whether every place is meant. */
  readonly all: boolean;
}

export interface EditedText {
  readonly text: string;
  /** The first line of each place, as the text was. */
  readonly lines: readonly number[];
  /** In what the old text differed from the file; nothing where it was there to the letter. */
  readonly differences: readonly Difference[];
}

/** An edit that was made, or the lines it could have been made at; undefined where there are none. */
export type Attempt = EditedText | { readonly several: readonly number[] } | undefined;

/** More places than this are not counted. */
export const MAX_PLACES = 100;

/** Every place of a text, also where places overlap: two are as good as each other then too. */
export function placesOf(text: string, wanted: string): number[] {
  const places: number[] = [];
  let at = text.indexOf(wanted);
  while (at !== -1 && places.length < MAX_PLACES) {
    places.push(at);
    at = text.indexOf(wanted, at + 1);
  }
  return places;
}
