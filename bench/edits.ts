/**
 * How many changes of a real history still arrive when they are written down the way models do: applied right, refused, or
 * applied wrongly. `node bench/edits.ts [changes] [--alone]`; without the flag, beside what other programs make of them.
 */
import { join } from 'node:path';
import { type Change, corpus } from './edits/corpus.ts';
import { type Damage, DAMAGES, undamaged, type Written } from './edits/damage.ts';
import { isEditAsWritten, isHunkAsWritten, isUnknowable } from './edits/knowable.ts';
import { type Program, PROGRAMS, type Result, runEdit, toEdit, toPatch } from './edits/programs.ts';
import { Random } from './edits/random.ts';

const SEED = 20_261_115;
const AT_ONCE = 4;

interface Case {
  readonly change: Change;
  readonly written: Written;
}

/** How one kind of damage went. */
interface Count {
  right: number;
  refused: number;
  /** Refused, and the closest place, or all that fit, were named. */
  shown: number;
  /** What was written is itself a correct change of this file, so nobody can know that it was not meant. */
  asWritten: number;
  wrong: number;
}

await main(process.argv.slice(2));

async function main(args: readonly string[]): Promise<void> {
  const wanted = args.map(Number).find(Number.isInteger) ?? 1_000;
  const programs = args.includes('--alone') ? PROGRAMS.slice(0, 1) : PROGRAMS;
  const changes = corpus(join(import.meta.dirname, '..'), wanted, new Random(SEED));
  const table = [['damage', 'n', 'as an edit', ...programs.map(({ name }) => name)]];
  const sums = [newCount(), ...programs.map(newCount)];
  for (const damage of DAMAGES) {
    console.error(`${damage.name} …`);
    const cases = casesOf(damage, changes);
    const counts = [editCount(damage, cases)];
    for (const program of programs) counts.push(await patchCount(program, cases));
    for (const [index, count] of counts.entries()) if (count !== undefined) add(sums[index]!, count);
    table.push([damage.name, String(cases.length), ...counts.map(show)]);
  }
  table.push(['all', '', ...sums.map(show)]);
  console.log(`${changes.length} changes, each as one hunk.`);
  console.log('Right / refused (with the closest place) / as written, which is correct too / WRONG.\n');
  print(table);
}

function casesOf({ name, damage }: Damage, changes: readonly Change[]): Case[] {
  const random = new Random(SEED + name.length);
  return changes.flatMap((change) => {
    const written = damage(undamaged(change), random);
    return written === undefined ? [] : [{ change, written }];
  });
}

function editCount({ isOfPatches }: Damage, cases: readonly Case[]): Count | undefined {
  if (isOfPatches === true) return undefined;
  const count = newCount();
  for (const { change, written } of cases) {
    const edit = toEdit(written);
    if (edit.oldText === edit.newText) continue;
    const result = runEdit(change.before, edit);
    judge(count, result, { change, written }, (text) => isEditAsWritten(change.before, edit, text));
  }
  return count;
}

async function patchCount({ run }: Program, cases: readonly Case[]): Promise<Count> {
  const count = newCount();
  const left = cases.values();
  const work = async (): Promise<void> => {
    for (const { change, written } of left) {
      const result = await run(change.before, toPatch(written));
      judge(count, result, { change, written }, (text) => isHunkAsWritten(change.before, written, text));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return count;
}

function judge(
  count: Count,
  result: Result,
  { change, written }: Case,
  isAsWritten: (text: string) => boolean,
): void {
  if (!('text' in result)) {
    count.refused++;
    if (result.isClosestShown) count.shown++;
  } else if (result.text === change.after) count.right++;
  else if (isAsWritten(result.text) || isUnknowable(result.text, change, written)) count.asWritten++;
  else count.wrong++;
}

function newCount(): Count {
  return { right: 0, refused: 0, shown: 0, asWritten: 0, wrong: 0 };
}

function add(sum: Count, count: Count): void {
  for (const key of Object.keys(sum) as (keyof Count)[]) sum[key] += count[key];
}

function show(count: Count | undefined): string {
  if (count === undefined) return '';
  const { right, refused, shown, asWritten, wrong } = count;
  return `${right} / ${refused}${shown > 0 ? ` (${shown})` : ''} / ${asWritten} / ${wrong}`;
}

function print(lines: readonly (readonly string[])[]): void {
  const widths = lines[0]!.map((_, column) => Math.max(...lines.map((line) => line[column]!.length)));
  for (const line of lines)
    console.log(
      line
        .map((cell, column) => cell.padEnd(widths[column]!))
        .join('  ')
        .trimEnd(),
    );
}
