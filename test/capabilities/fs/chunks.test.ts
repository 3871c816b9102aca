/** Files in chunks: what is read once is not read again. */
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Chunks } from '../../../src/capabilities/fs/chunks.ts';
import { localHost } from '../../../src/host/local/host.ts';
import type { OpenFile } from '../../../src/host/ports.ts';
import { type TempWorkspace, tempWorkspace } from '../../support/temp-workspace.ts';

/** An open file that notes where it was read, and gives at most so many bytes at once. */
async function openNoting(
  workspace: TempWorkspace,
  positions: number[],
  atMost = Number.POSITIVE_INFINITY,
): Promise<OpenFile> {
  const { host } = localHost(workspace.root, workspace.locations.home);
  const file = await host.files.open('f.txt');
  return {
    stat: file.stat,
    marks: file.marks,
    read(position, length, into) {
      positions.push(position);
      return file.read(position, Math.min(length, atMost), into);
    },
    [Symbol.asyncDispose]: () => file[Symbol.asyncDispose](),
  };
}

async function textAt(chunks: Chunks, position: number): Promise<string> {
  return Buffer.from(await chunks.at(position)).toString();
}

describe('Chunks', () => {
  it('reads a small file once, and knows its end from that', async () => {
    await using workspace = tempWorkspace({ 'f.txt': 'one\n' });
    const positions: number[] = [];
    await using file = await openNoting(workspace, positions);
    const chunks = new Chunks(file);
    expect([await textAt(chunks, 0), await textAt(chunks, 4), await textAt(chunks, 0)]).toEqual([
      'one\n',
      '',
      'one\n',
    ]);
    expect(positions).toEqual([0]);
  });

  it('goes on behind a short read where the file is known to be longer', async () => {
    await using workspace = tempWorkspace({ 'f.txt': 'one\ntwo\n' });
    const positions: number[] = [];
    await using file = await openNoting(workspace, positions, 4);
    const chunks = new Chunks(file);
    expect([await textAt(chunks, 0), await textAt(chunks, 4), await textAt(chunks, 8)]).toEqual([
      'one\n',
      'two\n',
      '',
    ]);
    expect(positions).toEqual([0, 4]);
  });

  it('holds what a file has grown by since it was opened', async () => {
    await using workspace = tempWorkspace({ 'f.txt': 'one\n' });
    await using file = await openNoting(workspace, []);
    appendFileSync(join(workspace.root, 'f.txt'), 'two\n');
    expect(await textAt(new Chunks(file), 0)).toBe('one\ntwo\n');
  });
});
