import { describe, expect, it } from 'vitest';
import { localFiles } from '../../../../src/host/local/files.ts';
import { applyEdits } from '../../../../src/host/local/language/apply-edits.ts';
import { fileUris } from '../../../../src/host/local/language/file-uri.ts';
import { pinRoot } from '../../../../src/host/local/root.ts';
import { tempWorkspace } from '../../../support/temp-workspace.ts';

const edit = (from: readonly [number, number], to: readonly [number, number], newText: string) => ({
  range: { start: { line: from[0], character: from[1] }, end: { line: to[0], character: to[1] } },
  newText,
});

async function applied(content: string, ...edits: ReturnType<typeof edit>[]): Promise<string | undefined> {
  await using workspace = tempWorkspace({ 'a b#.txt': content });
  const uris = fileUris(workspace.root);
  const files = localFiles(pinRoot(workspace.root, workspace.locations.home));
  const [changed] = await applyEdits([{ uri: uris.of('a b#.txt'), edits }], files, uris);
  return changed?.after;
}

describe('applyEdits', () => {
  it.each<[content: string, edits: ReturnType<typeof edit>[], after: string | undefined]>([
    ['one two\n', [edit([0, 4], [0, 7], '2')], 'one 2\n'],
    ['a\r\nb\r\nc', [edit([1, 0], [1, 1], 'B'), edit([0, 0], [0, 1], 'A')], 'A\r\nB\r\nc'],
    ['a\nb\n', [edit([0, 0], [2, 0], 'whole\n')], 'whole\n'],
    ['a\nb', [edit([0, 99], [0, 99], '!'), edit([7, 0], [7, 0], '\nc')], 'a!\nb\nc'],
    ['\uFEFFab', [edit([0, 0], [0, 1], 'A')], '\uFEFFAb'],
    ['👍x', [edit([0, 2], [0, 3], 'y')], '👍y'],
    ['a', [edit([0, 0], [0, 1], 'a')], undefined],
  ])('makes of %j', async (content, edits, after) => {
    expect(await applied(content, ...edits)).toBe(after);
  });

  it('refuses edits that overlap', async () => {
    await expect(applied('abc', edit([0, 0], [0, 2], 'x'), edit([0, 1], [0, 3], 'y'))).rejects.toThrow(
      'Its edits overlap.',
    );
  });

  it.each(['file:///etc/passwd', 'file:///', 'untitled:a', 'no uri', 'http://x/a'])(
    'refuses a file outside the workspace: %s',
    async (uri) => {
      await using workspace = tempWorkspace();
      const files = localFiles(pinRoot(workspace.root, workspace.locations.home));
      await expect(applyEdits([{ uri, edits: [] }], files, fileUris(workspace.root))).rejects.toThrow(
        'It would change a file outside the workspace.',
      );
    },
  );
});
