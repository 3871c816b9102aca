/** Where a sequence stands in a longer one: every place, in linear time whatever the two look like (Knuth, Morris, Pratt). */
export function findSequence(all: readonly string[], wanted: readonly string[]): number[] {
  if (wanted.length === 0 || wanted.length > all.length) return [];
  const back = overlaps(wanted);
  const places: number[] = [];
  let matched = 0;
  for (const [index, item] of all.entries()) {
    while (matched > 0 && (matched === wanted.length || wanted[matched] !== item))
      matched = back[matched - 1]!;
    if (wanted[matched] === item) matched++;
    if (matched === wanted.length) places.push(index - matched + 1);
  }
  return places;
}

/** For each beginning of the sequence: how long a shorter beginning it ends with. */
function overlaps(wanted: readonly string[]): number[] {
  const back = [0];
  for (let index = 1, length = 0; index < wanted.length; index++) {
    while (length > 0 && wanted[length] !== wanted[index]) length = back[length - 1]!;
    if (wanted[length] === wanted[index]) length++;
    back.push(length);
  }
  return back;
}
