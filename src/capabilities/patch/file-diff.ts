/** What happens to one file as a diff that can be read back: git's lines for names and modes, then the lines themselves. */
import { nameInDiff, unifiedDiff } from '../fs/unified-diff.ts';
import type { FilePlan } from './plan-file.ts';

/** The diff of a planned file, with how many lines come and go. */
export function fileDiff(plan: FilePlan): { diff: string; additions: number; deletions: number } {
  const { path, from, before, text } = plan;
  const lines = unifiedDiff(path, before?.text, text);
  const extended = [
    ...(from === undefined ? [] : [`rename from ${plainName(from)}`, `rename to ${plainName(path)}`]),
    ...modeLines(plan, lines.diff === ''),
  ];
  if (extended.length === 0) return lines;
  const body =
    from === undefined
      ? lines.diff
      : lines.diff.replace(`--- ${nameInDiff(`a/${path}`)}`, () => `--- ${nameInDiff(`a/${from}`)}`);
  return { ...lines, diff: `${[gitLine(path, from), ...extended].join('\n')}\n${body}` };
}

function modeLines({ operation, executable, before, change }: FilePlan, isEmpty: boolean): string[] {
  if (change === undefined) return [];
  if (operation === 'create' && (isEmpty || executable === true))
    return [`new file mode ${gitMode(executable === true)}`];
  if (operation === 'delete' && isEmpty) return [`deleted file mode ${gitMode(before!.isExecutable)}`];
  if (executable === undefined || before === undefined) return [];
  return [`old mode ${gitMode(before.isExecutable)}`, `new mode ${gitMode(executable)}`];
}

/** The line that git starts a file with. */
export function gitLine(path: string, from = path): string {
  return `diff --git ${plainName(`a/${from}`)} ${plainName(`b/${path}`)}`;
}

/** The mode of a file, as git writes it. */
export function gitMode(isExecutable: boolean): string {
  return isExecutable ? '100755' : '100644';
}

/** A name where no tab ends it. */
function plainName(name: string): string {
  return nameInDiff(name).trimEnd();
}
