/** Matching with stars, in time linear in text times pattern: what a regular expression made of many stars does not keep. */

/** Whether items fit parts of which some are stars; the usual greedy match: on trouble, the last star takes one more. */
export function fitsStars<Item, Part>(
  items: ArrayLike<Item>,
  parts: readonly Part[],
  isStar: (part: Part) => boolean,
  matches: (item: Item, part: Part) => boolean,
): boolean {
  let item = 0;
  let part = 0;
  let star = -1;
  let taken = 0;
  while (item < items.length) {
    const next = parts[part];
    if (next !== undefined && isStar(next)) {
      star = part++;
      taken = item;
    } else if (next !== undefined && matches(items[item]!, next)) {
      item++;
      part++;
    } else if (star !== -1) {
      part = star + 1;
      item = ++taken;
    } else return false;
  }
  while (part < parts.length && isStar(parts[part]!)) part++;
  return part === parts.length;
}
