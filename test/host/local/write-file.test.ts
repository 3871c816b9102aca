/** Writing contained files: what a replaced file keeps, what is refused, and that nothing is left behind. */
import {
  chmodSync,
  chownSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { tempWorkspace } from '../../support/temp-workspace.ts';
import { leftOut } from './fixtures/left-out.ts';
import { specialFiles } from './fixtures/special-files.ts';
import { useFiles } from './fixtures/use-files-in-a-child.ts';
import { endings, filesOf, link } from './fixtures/workspace-files.ts';

const call = { callId: 'call_1' };

describe('files.write', () => {
  it.each([
    ['nothing', Buffer.alloc(0)],
    ['a byte', Buffer.from('x')],
    ['bytes that are no text', Buffer.from([0, 255, 254, 0])],
    ['3 MiB', Buffer.alloc(3 * 1024 * 1024, 'handrail')],
  ])('writes %s, new and over something else', async (_what, content) => {
    await using workspace = tempWorkspace({ 'old.bin': 'something longer than a byte' });
    const files = filesOf(workspace);
    for (const path of ['new.bin', 'old.bin']) {
      await files.write(path, content, call);
      expect(content.equals(readFileSync(join(workspace.root, path)))).toBe(true);
    }
    expect(readdirSync(workspace.root).sort()).toEqual(['new.bin', 'old.bin']);
  });

  it('makes missing parents, and leaves those that are there as they are', async () => {
    await using workspace = tempWorkspace({ 'a/kept.txt': 'kept' });
    chmodSync(join(workspace.root, 'a'), 0o711);
    await filesOf(workspace).write('a/b/c/new.txt', Buffer.from('new'), call);
    expect(tree(workspace.root)).toEqual(['a/', 'a/b/', 'a/b/c/', 'a/b/c/new.txt', 'a/kept.txt']);
    expect(modeOf(workspace.root, 'a')).toBe(0o711);
  });

  it('obeys the umask for a new file and its parents', async () => {
    await using workspace = tempWorkspace();
    const files = filesOf(workspace);
    const umask = process.umask();
    onTestFinished(() => void process.umask(umask));
    for (const [mask, file, folder] of [
      [0o022, 0o644, 0o755],
      [0o077, 0o600, 0o700],
      [0o002, 0o664, 0o775],
      [0o000, 0o666, 0o777],
    ] as const) {
      process.umask(mask);
      await files.write(`d${mask}/f`, Buffer.from('x'), call);
      expect([modeOf(workspace.root, `d${mask}/f`), modeOf(workspace.root, `d${mask}`)]).toEqual([
        file,
        folder,
      ]);
    }
  });

  it.each([
    ['600', 0o600],
    ['640', 0o640],
    ['755', 0o755],
    ['666', 0o666],
    ['606', 0o606],
  ])('keeps the mode %s of a replaced file, whatever the umask', async (_octal, mode) => {
    await using workspace = tempWorkspace({ f: 'old' });
    const umask = process.umask(0o077);
    onTestFinished(() => void process.umask(umask));
    chmodSync(join(workspace.root, 'f'), mode);
    await filesOf(workspace).write('f', Buffer.from('new'), call);
    expect([modeOf(workspace.root, 'f'), readFileSync(join(workspace.root, 'f'), 'utf8')]).toEqual([
      mode,
      'new',
    ]);
  });

  it('keeps the owner of a replaced file', async ({ skip }) => {
    if (process.getuid?.() !== 0) skip(leftOut('only root can give a file away'));
    await using workspace = tempWorkspace({ f: 'old' });
    chownSync(join(workspace.root, 'f'), 1234, 4321);
    chmodSync(join(workspace.root, 'f'), 0o640);
    await filesOf(workspace).write('f', Buffer.from('new'), call);
    const { uid, gid, mode } = statSync(join(workspace.root, 'f'));
    expect({ uid, gid, mode: mode & 0o7777 }).toEqual({ uid: 1234, gid: 4321, mode: 0o640 });
  });

  it('leaves the other name of a hard link with the old content', async () => {
    await using workspace = tempWorkspace({ f: 'old' });
    linkSync(join(workspace.root, 'f'), join(workspace.outside, 'other-name'));
    await filesOf(workspace).write('f', Buffer.from('new'), call);
    expect(readFileSync(join(workspace.outside, 'other-name'), 'utf8')).toBe('old');
    expect(readFileSync(join(workspace.root, 'f'), 'utf8')).toBe('new');
  });

  it('refuses a read-only file, also as root, and leaves it as it was', async () => {
    await using workspace = tempWorkspace({ f: 'old' });
    chmodSync(join(workspace.root, 'f'), 0o444);
    await expect(filesOf(workspace).write('f', Buffer.from('new'), call)).rejects.toMatchObject({
      code: 'E_IO',
      message: '"f" is marked read-only.',
    });
    expect([tree(workspace.root), readFileSync(join(workspace.root, 'f'), 'utf8')]).toEqual([['f'], 'old']);
  });

  it('refuses a pipe, a socket and a device at once, and leaves them there', async ({ skip }) => {
    await using workspace = tempWorkspace();
    await using special = await specialFiles(workspace);
    const answers = await useFiles(
      workspace,
      special.paths.map((path) => ['write', path]),
    );
    expect(answers).toEqual(
      special.paths.map((path) => ({
        code: 'E_NOT_FILE',
        message: `${JSON.stringify(path)} is not a regular file.`,
      })),
    );
    expect(
      await useFiles(
        workspace,
        special.paths.map((path) => ['stat', path]),
      ),
    ).toEqual(special.paths.map(() => 'other'));
    expect(tree(workspace.root)).toEqual([...special.paths].sort());
    skip(special.whyNoDevice !== undefined, special.whyNoDevice);
  });

  it('refuses a directory, the root, and a place behind a file', async () => {
    await using workspace = tempWorkspace({ 'd/a.txt': 'a', 'a.txt': 'a' });
    mkdirSync(join(workspace.root, 'empty'));
    const before = tree(workspace.root);
    const files = filesOf(workspace);
    const expected = { d: 'E_NOT_FILE', empty: 'E_NOT_FILE', '.': 'E_NOT_FILE', 'a.txt/b': 'E_NOT_DIR' };
    expect(await endings(Object.keys(expected), (path) => files.write(path, Buffer.from('x'), call))).toEqual(
      expected,
    );
    expect(tree(workspace.root)).toEqual(before);
  });

  it('goes through no link and replaces none', async () => {
    await using workspace = tempWorkspace({ 'a.txt': 'a', 'd/b.txt': 'b' });
    const secret = join(workspace.outside, 's.txt');
    link(workspace, {
      'to-file': 'a.txt',
      secret,
      dangling: 'nowhere',
      'to-directory': 'd',
      out: workspace.outside,
    });
    const before = tree(workspace.root);
    const files = filesOf(workspace);
    const expected = {
      'to-file': 'E_CONFLICT',
      secret: 'E_CONFLICT',
      dangling: 'E_CONFLICT',
      'to-directory/n.txt': 'E_NOT_DIR',
      'out/n/n.txt': 'E_NOT_DIR',
    };
    expect(await endings(Object.keys(expected), (path) => files.write(path, Buffer.from('x'), call))).toEqual(
      expected,
    );
    expect(tree(workspace.root)).toEqual(before);
    expect(readlinkSync(join(workspace.root, 'to-file'))).toBe('a.txt');
    expect(readdirSync(workspace.outside)).toEqual(['s.txt']);
  });

  it.each(['CON', 'nul.txt', 'com1', 'a/LPT9.log'])(
    'makes no file called %s, and no parent for it',
    async (path) => {
      await using workspace = tempWorkspace();
      await expect(filesOf(workspace).write(path, Buffer.from('x'), call)).rejects.toMatchObject({
        code: 'E_INVALID_PATH',
      });
      expect(tree(workspace.root)).toEqual([]);
    },
  );

  it('takes away parents it made, and the temporary file, when the call is cancelled', async () => {
    await using workspace = tempWorkspace({ 'a/kept.txt': 'kept', f: 'old' });
    const before = tree(workspace.root);
    const cancelled = { ...call, signal: AbortSignal.abort() };
    for (const path of ['a/b/c/new.txt', 'f']) {
      await expect(filesOf(workspace).write(path, Buffer.from('x'), cancelled)).rejects.toMatchObject({
        name: 'AbortError',
      });
    }
    expect([tree(workspace.root), readFileSync(join(workspace.root, 'f'), 'utf8')]).toEqual([before, 'old']);
  });

  it('takes away only parents that it made and nobody used', async () => {
    await using workspace = tempWorkspace();
    const files = filesOf(workspace);
    const controller = new AbortController();
    const cancelled = files.write('a/b/new.txt', Buffer.from('x'), { ...call, signal: controller.signal });
    // The walk has made the parents by now; the write itself is under way.
    writeFileSync(join(workspace.root, 'a/other.txt'), 'theirs');
    controller.abort();
    await expect(cancelled).rejects.toMatchObject({ name: 'AbortError' });
    expect(tree(workspace.root)).toEqual(['a/', 'a/other.txt']);
  });

  it('never shows a part of a file while many writes of it run', async () => {
    const size = 4 * 1024 * 1024;
    await using workspace = tempWorkspace({ f: 'A'.repeat(size) });
    const files = filesOf(workspace);
    const letters = ['A', 'B', 'C', 'D', 'E', 'F', 'G', 'H'];
    const state = { isWriting: true };
    const writes = Promise.all(
      letters.map((letter, index) =>
        files.write('f', Buffer.alloc(size + index, letter), { callId: `call_${letter}` }),
      ),
    ).finally(() => (state.isWriting = false));
    while (state.isWriting) {
      const content = readFileSync(join(workspace.root, 'f'));
      const letter = String.fromCharCode(content[0] ?? 0);
      expect(letters).toContain(letter);
      expect(content.equals(Buffer.alloc(size + letters.indexOf(letter), letter))).toBe(true);
      await new Promise(setImmediate);
    }
    await writes;
    expect(tree(workspace.root)).toEqual(['f']);
  });
});

/** Every entry below a folder, directories with a slash at the end. */
function tree(root: string): string[] {
  const entries = readdirSync(root, { recursive: true, withFileTypes: true });
  return entries
    .map(
      (entry) => join(entry.parentPath, entry.name).slice(root.length + 1) + (entry.isDirectory() ? '/' : ''),
    )
    .sort();
}

function modeOf(root: string, path: string): number {
  return statSync(join(root, path)).mode & 0o7777;
}
