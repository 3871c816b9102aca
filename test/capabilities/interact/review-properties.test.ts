/** What is left of a patch after a review does exactly what was taken, by git and by our own tool. */
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { approver } from '../../support/approver.ts';
import { prompter } from '../../support/prompter.ts';
import { tempWorkspace } from '../../support/temp-workspace.ts';

const NAMES = [
  'a.txt',
  'two words.txt',
  'sub/ü.txt',
  'made.txt',
  'gone.txt',
  'old name.txt',
  'new name.txt',
  'run.sh',
];

const line = fc.constantFrom('one', 'two', 'three', '', '  in', '-- a', '++ b', 'cr\r');
const lines = fc.array(line, { minLength: 1, maxLength: 40 });
const edits = fc.array(
  fc.record({ at: fc.nat(40), remove: fc.nat(2), insert: fc.array(line, { maxLength: 3 }) }),
  {
    minLength: 1,
    maxLength: 5,
  },
);
const file = fc.record({ lines, edits, ending: fc.constantFrom('\n', '\n', '') });
const patches = fc.record({
  files: fc.tuple(file, file, file),
  made: lines,
  gone: lines,
  renamed: file,
  taken: fc.array(fc.boolean(), { minLength: 40, maxLength: 40 }),
});

type Edited = { lines: string[]; edits: { at: number; remove: number; insert: string[] }[]; ending: string };

function before({ lines, ending }: Edited): string {
  return lines.join('\n') + ending;
}

function after({ lines, edits, ending }: Edited): string {
  const changed = edits.reduce(
    (now, { at, remove, insert }) => now.toSpliced(Math.min(at, now.length), remove, ...insert),
    lines,
  );
  return changed.join('\n') + ending;
}

type State = readonly [name: string, content: string | undefined, isExecutable: boolean];

function stateOf(root: string): State[] {
  return NAMES.map((name) => {
    const path = join(root, name);
    if (!existsSync(path)) return [name, undefined, false];
    return [name, readFileSync(path, 'utf8'), (statSync(path).mode & 0o100) !== 0];
  });
}

describe('interact.review', () => {
  it('gives back a diff that does what the taken chunks do, by git and by apply_patch', async () => {
    await fc.assert(
      fc.asyncProperty(patches, async ({ files, made, gone, renamed, taken }) => {
        await using workspace = tempWorkspace({ 'sub/keep': '' });
        const { root } = workspace;
        const git = (args: string[], input = ''): { stdout: string; stderr: string } => {
          const ran = spawnSync('git', ['-c', 'core.autocrlf=false', ...args], {
            cwd: root,
            input,
            encoding: 'utf8',
          });
          expect({ args, status: ran.status, stderr: ran.stderr }).toMatchObject({ status: 0 });
          return ran;
        };
        const put = (name: string, content: string): void => writeFileSync(join(root, name), content);
        for (const [index, one] of files.entries()) put(NAMES[index]!, before(one));
        put('gone.txt', `${gone.join('\n')}\n`);
        put('old name.txt', before(renamed));
        put('run.sh', 'true\n');
        git(['init', '-q']);
        git(['add', '-A']);
        git(['-c', 'user.name=a', '-c', 'user.email=a@example.com', 'commit', '-qm', 'before']);
        const atFirst = stateOf(root);
        for (const [index, one] of files.entries()) put(NAMES[index]!, after(one));
        put('made.txt', `${made.join('\n')}\n`);
        rmSync(join(root, 'gone.txt'));
        git(['mv', 'old name.txt', 'new name.txt']);
        put('new name.txt', after(renamed));
        chmodSync(join(root, 'run.sh'), 0o755);
        git(['add', '-A']);
        const diff = git(['diff', '--cached', '-M']).stdout;
        const atLast = stateOf(root);
        const reset = (): void => {
          git(['reset', '-q', '--hard']);
          git(['clean', '-qfd']);
          expect(stateOf(root)).toEqual(atFirst);
        };
        reset();
        const review = prompter(({ kind, ...question }) =>
          kind === 'review' && 'chunks' in question
            ? {
                kind: 'review',
                action: 'apply',
                taken: question.chunks.map(({ number }) => number).filter((number) => taken[number - 1]),
              }
            : { kind: 'declined' },
        );
        const runtime = await workspace.runtime({
          dialect: 'codelab',
          prompt: review,
          approve: approver('once'),
          rules: [],
        });
        const { rendered, result } = await runtime.call('apply_patch_review', { diff });
        expect(result.error).toBeNull();
        const { filtered_diff, chunks_selected, chunks_total } = rendered as {
          filtered_diff: string;
          chunks_selected: number[];
          chunks_total: number;
        };
        const [question] = review.asked;
        if (question?.kind !== 'review') throw new Error('No patch was shown.');
        expect(chunks_total).toBe(question.chunks.length);
        expect(filtered_diff === '').toBe(chunks_selected.length === 0);
        fc.pre(chunks_selected.length > 0);
        // From the last to the first, each at the place that it names itself.
        for (const number of chunks_selected.toReversed())
          git(['apply', '--whitespace=nowarn', '-'], question.chunks[number - 1]!.text);
        const oneByOne = stateOf(root);
        reset();
        const { stderr } = git(['apply', '-v', '--whitespace=nowarn', '-'], filtered_diff);
        expect(stderr).not.toContain('offset');
        expect(stateOf(root)).toEqual(oneByOne);
        reset();
        expect(await runtime.call('apply_patch', { diff: filtered_diff })).toMatchObject({ outcome: 'ok' });
        expect(stateOf(root)).toEqual(oneByOne);
        const isWhole = chunks_selected.length === chunks_total;
        expect(isWhole ? oneByOne : atLast).toEqual(atLast);
      }),
      { numRuns: 12, endOnFailure: true },
    );
  });
});
