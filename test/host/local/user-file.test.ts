/** The user's settings file on the disk. */
import { mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { localUserFile } from '../../../src/host/local/user-file.ts';
import { tempWorkspace } from '../../support/temp-workspace.ts';

describe('localUserFile', () => {
  it('is nothing before it is written, and then private, with its folder and nothing beside it', async () => {
    await using workspace = tempWorkspace();
    const file = localUserFile(join(workspace.outside, 'a/b/config'));
    expect([file.read(), file.canWrite()]).toEqual([undefined, true]);
    file.write('one');
    expect(file.read()).toBe('one');
    expect(readdirSync(join(workspace.outside, 'a/b'))).toEqual(['config']);
    expect(statSync(file.path).mode & 0o777).toBe(0o600);
    expect(statSync(join(workspace.outside, 'a')).mode & 0o777).toBe(0o700);
  });

  it('is written where a link leads, and keeps the mode it has', async () => {
    await using workspace = tempWorkspace();
    const target = join(workspace.outside, 'target');
    writeFileSync(target, 'one', { mode: 0o644 });
    symlinkSync('target', join(workspace.outside, 'link'));
    const file = localUserFile(join(workspace.outside, 'link'));
    file.write('two');
    expect(readFileSync(target, 'utf8')).toBe('two');
    expect(statSync(target).mode & 0o777).toBe(0o644);
    expect(readdirSync(workspace.outside).sort()).toEqual(['link', 's.txt', 'target']);
  });

  it('is not taken for missing where it is a link that leads nowhere', async () => {
    await using workspace = tempWorkspace();
    symlinkSync('gone', join(workspace.outside, 'link'));
    expect(() => localUserFile(join(workspace.outside, 'link')).read()).toThrow('leads nowhere');
  });

  it('fails, and can not be written, where a file is in the place of its folder', async () => {
    await using workspace = tempWorkspace();
    const file = localUserFile(join(workspace.outside, 's.txt/config'));
    expect(file.canWrite()).toBe(false);
    expect(() => file.write('one')).toThrow(expect.objectContaining({ name: 'Failure' }));
    mkdirSync(join(workspace.outside, 'folder'));
    expect(() => localUserFile(join(workspace.outside, 'folder')).read()).toThrow('is a directory');
  });
});
