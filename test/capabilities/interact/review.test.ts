/** The review of a patch, in each dialect that has one: what is shown, what comes back, and what is no question at all. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { UserQuestion } from '../../../src/index.ts';
import { prompter, taking } from '../../support/prompter.ts';
import { tempWorkspace } from '../../support/temp-workspace.ts';

const TOOLS = [
  { dialect: 'codelab', tool: 'apply_patch_review', argument: 'diff' },
  { dialect: 'codelab@1.0', tool: 'apply_patch_review', argument: 'diff' },
  { dialect: 'handrail', tool: 'patch_review', argument: 'patch' },
] as const;

const SIXTY = Array.from({ length: 60 }, (_, index) => index + 1);
const OLD = SIXTY.map((number) => `old ${number}\n${'between\n'.repeat(9)}`).join('');
/** One change for each of the sixty, with its place. */
const PATCH = [
  '--- a/a.txt\n+++ b/a.txt\n',
  ...SIXTY.map((number) => {
    const line = (number - 1) * 10 + 1;
    return `@@ -${line},2 +${line},2 @@\n-old ${number}\n+new ${number}\n between\n`;
  }),
].join('');

function chunksOf(
  question: UserQuestion | undefined,
): readonly { number: number; path: string; text: string }[] {
  return question?.kind === 'review' ? question.chunks : [];
}

describe.each(TOOLS)('$tool in $dialect', ({ dialect, tool, argument }) => {
  it('shows every hunk as a chunk of its own, sixty of them, and gives back those that were taken', async () => {
    await using workspace = tempWorkspace({ 'a.txt': OLD });
    const prompt = taking(60, 2, 17);
    const runtime = await workspace.runtime({ dialect, prompt });
    const { rendered } = await runtime.call(tool, { [argument]: PATCH, message: 'Sixty.' });
    expect(prompt.asked[0]).toMatchObject({ kind: 'review', message: 'Sixty.' });
    expect(chunksOf(prompt.asked[0]).map(({ number, path }) => [number, path])).toEqual(
      SIXTY.map((number) => [number, 'a.txt']),
    );
    expect(chunksOf(prompt.asked[0])[16]?.text).toContain('\n-old 17\n+new 17\n');
    expect(rendered).toMatchObject({ action: 'apply', chunks_selected: [2, 17, 60], chunks_total: 60 });
    const { filtered_diff } = rendered as { filtered_diff: string };
    expect(filtered_diff.match(/^\+new \d+$/gm)).toEqual(['+new 2', '+new 17', '+new 60']);
    expect(readFileSync(join(workspace.root, 'a.txt'), 'utf8')).toBe(OLD);
  });

  it('counts lines from what was taken, not from what was given', async () => {
    await using workspace = tempWorkspace({ 'a.txt': OLD });
    const runtime = await workspace.runtime({ dialect, prompt: taking(2) });
    const growing = [
      '--- a/a.txt\n+++ b/a.txt\n',
      '@@ -1,2 +1,5 @@\n old 1\n+more\n+more\n+more\n between\n',
      '@@ -11,2 +14,3 @@\n old 2\n+more\n between\n',
    ].join('');
    const { rendered } = await runtime.call(tool, { [argument]: growing });
    expect(rendered).toMatchObject({ filtered_diff: expect.stringContaining('\n@@ -9,6 +9,7 @@\n') });
  });

  it.each([
    ['cancelled', prompter({ kind: 'review', action: 'cancel', taken: [1, 2] })],
    ['taken nothing of', prompter({ kind: 'review', action: 'apply', taken: [] })],
  ])('is a result also where it was %s', async (_, prompt) => {
    await using workspace = tempWorkspace({ 'a.txt': OLD });
    const runtime = await workspace.runtime({ dialect, prompt });
    const { outcome, rendered } = await runtime.call(tool, { [argument]: PATCH });
    expect({ outcome, rendered }).toMatchObject({
      outcome: 'ok',
      rendered: { action: 'cancel', filtered_diff: '', chunks_selected: [], chunks_total: 60 },
    });
  });

  it.each<[what: string, patch: string, code: string]>([
    ['does not fit', PATCH.replace('-old 7\n', '-other 7\n'), 'E_PATCH'],
    ['is no patch', 'hello\n', 'E_PATCH'],
    [
      'is in place already',
      '--- a/a.txt\n+++ b/a.txt\n@@ -1,2 +1,2 @@\n-older 1\n+old 1\n between\n',
      'E_PATCH',
    ],
    ['leaves the workspace', '--- /dev/null\n+++ b/../out/x\n@@ -0,0 +1 @@\n+x\n', 'E_OUTSIDE_WORKSPACE'],
    ['is empty', '', 'E_PATCH'],
  ])('asks nobody about one that %s', async (_, patch, code) => {
    await using workspace = tempWorkspace({ 'a.txt': OLD });
    const prompt = taking(1);
    const runtime = await workspace.runtime({ dialect, prompt });
    expect(await runtime.call(tool, { [argument]: patch })).toMatchObject({ result: { error: { code } } });
    expect(prompt.asked).toEqual([]);
  });

  it('refuses more chunks than anybody looks through', async () => {
    const many = Array.from(
      { length: 201 },
      (_, index) => `--- /dev/null\n+++ b/${index}\n@@ -0,0 +1 @@\n+x\n`,
    );
    await using workspace = tempWorkspace();
    const prompt = taking(1);
    const runtime = await workspace.runtime({ dialect, prompt });
    expect(await runtime.call(tool, { [argument]: many.join('') })).toMatchObject({
      result: { error: { code: 'E_TOO_LARGE' } },
    });
    expect(prompt.asked).toEqual([]);
  });

  it('puts right what fits by some tolerance, and shows what would be made', async () => {
    await using workspace = tempWorkspace({ 'a.txt': 'if (a) {\r\n\tone();\r\n}\r\n' });
    const prompt = taking(1);
    const runtime = await workspace.runtime({ dialect, prompt });
    const sloppy = '--- a/a.txt\n+++ b/a.txt\n@@ -7,9 +7,9 @@\n if (a) {\n-    one();\n+    two();\n }\n';
    const { rendered } = await runtime.call(tool, { [argument]: sloppy });
    const shown = chunksOf(prompt.asked[0])[0]?.text;
    expect(shown).toContain('@@ -1,3 +1,3 @@\n if (a) {\r\n-\tone();\r\n+\ttwo();\r\n }\r\n');
    expect(rendered).toMatchObject({ filtered_diff: shown });
  });

  it('masks tokens for people, and not for the agent', async () => {
    await using workspace = tempWorkspace();
    const token = `ghp_${'a1B2'.repeat(9)}`;
    const prompt = taking(1);
    const runtime = await workspace.runtime({ dialect, prompt });
    const patch = `--- /dev/null\n+++ b/made\n@@ -0,0 +1 @@\n+${token}\n`;
    const { rendered } = await runtime.call(tool, { [argument]: patch });
    expect(JSON.stringify(prompt.asked)).not.toContain(token);
    expect(rendered).toMatchObject({ filtered_diff: expect.stringContaining(token) });
  });
});
