/** The engine and what stands beside it, each as a function from a file and a change to the file after it. */
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { applyPatch } from 'diff';
import { applyHunks } from '../../src/capabilities/patch/apply-hunks.ts';
import { parsePatch } from '../../src/capabilities/patch/parse-patch.ts';
import { replaceText } from '../../src/capabilities/patch/replace-text.ts';
import { Failure } from '../../src/failure.ts';
import type { Written } from './damage.ts';

/** The file afterwards, or that it was refused. */
export type Result = { readonly text: string } | { readonly isClosestShown: boolean };

export interface Program {
  readonly name: string;
  readonly run: (before: string, patch: string) => Promise<Result>;
}

const run = promisify(execFile);

export const PROGRAMS: readonly Program[] = [
  {
    name: 'Handrail',
    run: async (before, patch) =>
      attempt(() => applyHunks('f', before, parsePatch(patch)[0]!.hunks, { alreadyApplied: 'failure' }).text),
  },
  {
    name: 'git apply',
    run: (before, patch) => inFolder(before, patch, 'git', ['apply', '-p1', 'change.patch']),
  },
  {
    name: 'patch',
    run: (before, patch) =>
      inFolder(before, patch, 'patch', [
        '-p1',
        '--batch',
        '--silent',
        '--no-backup-if-mismatch',
        '-i',
        'change.patch',
      ]),
  },
  { name: 'diff', run: async (before, patch) => withLibrary(before, patch, 0) },
  { name: 'diff, fuzz 2', run: async (before, patch) => withLibrary(before, patch, 2) },
];

/** The change as an edit. */
export function runEdit(before: string, edit: { oldText: string; newText: string }): Result {
  return attempt(() => replaceText('f', before, { ...edit, all: false }).text);
}

/** The change as a model writes it into a patch. */
export function toPatch({ line, miscount, lines, isCrlf }: Written): string {
  const count = (mark: string): number => lines.filter((text) => !text.startsWith(mark)).length + miscount;
  const header = line === undefined ? '@@' : `@@ -${line},${count('+')} +${line},${count('-')} @@`;
  const text = ['--- a/f', '+++ b/f', header, ...lines, ''].join('\n');
  return isCrlf ? text.replaceAll('\n', '\r\n') : text;
}

/** The change as old and new text. */
export function toEdit({ lines, isCrlf }: Written): { oldText: string; newText: string } {
  const side = (left: string): string =>
    lines
      .filter((line) => !line.startsWith(left))
      .map((line) => line.slice(1))
      .join(isCrlf ? '\r\n' : '\n');
  const [oldText, newText] = [side('+'), side('-')];
  // Lines that go take their ending along.
  return newText === '' ? { oldText: `${oldText}${isCrlf ? '\r\n' : '\n'}`, newText } : { oldText, newText };
}

function attempt(work: () => string): Result {
  try {
    return { text: work() };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return { isClosestShown: error.message.includes('closest place') || /lines? \d/.test(error.message) };
  }
}

function withLibrary(before: string, patch: string, fuzzFactor: number): Result {
  try {
    const text = applyPatch(before, patch, { fuzzFactor });
    return text === false ? { isClosestShown: false } : { text };
  } catch {
    return { isClosestShown: false };
  }
}

async function inFolder(before: string, patch: string, program: string, args: string[]): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-edits-'));
  try {
    writeFileSync(join(folder, 'f'), before);
    writeFileSync(join(folder, 'change.patch'), patch);
    await run(program, args, { cwd: folder });
    return { text: readFileSync(join(folder, 'f'), 'utf8') };
  } catch {
    return { isClosestShown: false };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
