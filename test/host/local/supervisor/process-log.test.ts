/** The log of a process: bounded, and honest about what is gone. */
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { processLog, readLog } from '../../../../src/host/local/supervisor/process-log.ts';
import { localStateDirectory } from '../../../../src/host/local/state-directory.ts';
import { tempWorkspace } from '../../../support/temp-workspace.ts';

const MEBIBYTE = 1024 * 1024;

/** A line of 16 bytes that tells its position. */
function lineAt(position: number): string {
  return `${String(position).padStart(15, '0')}\n`;
}

function linesFrom(position: number, bytes: number): Buffer {
  const count = bytes / 16;
  return Buffer.from(Array.from({ length: count }, (_, index) => lineAt(position + 16 * index)).join(''));
}

describe('processLog', () => {
  it('gives what is at a position, and the last of it', async () => {
    await using workspace = tempWorkspace();
    const state = localStateDirectory(workspace.locations.state);
    using log = processLog(state, 'proc_1');
    expect(readLog(state, 'proc_1', 5, 10)).toEqual({ bytes: new Uint8Array(), position: 0, end: 0 });
    log.append(Buffer.from('hello '));
    log.append(Buffer.from('world'));
    const text = (position: number | undefined, bytes: number) => {
      const read = readLog(state, 'proc_1', position, bytes);
      return [Buffer.from(read.bytes).toString(), read.position, read.end];
    };
    expect([text(0, 100), text(4, 3), text(undefined, 5), text(11, 10), text(99, 10)]).toEqual([
      ['hello world', 0, 11],
      ['o w', 4, 11],
      ['world', 6, 11],
      ['', 11, 11],
      ['', 11, 11],
    ]);
  });

  it('keeps the last megabytes of a flood, and positions stay true', async () => {
    await using workspace = tempWorkspace();
    const state = localStateDirectory(workspace.locations.state);
    using log = processLog(state, 'proc_1');
    for (let at = 0; at < 30 * MEBIBYTE; at += 3 * MEBIBYTE) log.append(linesFrom(at, 3 * MEBIBYTE));
    const folder = join(workspace.locations.state, 'processes/proc_1');
    const kept = readdirSync(folder).reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
    expect(kept).toBe(8 * MEBIBYTE);
    const old = readLog(state, 'proc_1', 16, 32);
    expect([old.position, old.end, Buffer.from(old.bytes).toString()]).toEqual([
      22 * MEBIBYTE,
      30 * MEBIBYTE,
      lineAt(22 * MEBIBYTE) + lineAt(22 * MEBIBYTE + 16),
    ]);
    const across = readLog(state, 'proc_1', 25 * MEBIBYTE - 16, 32);
    expect(Buffer.from(across.bytes).toString()).toBe(lineAt(25 * MEBIBYTE - 16) + lineAt(25 * MEBIBYTE));
  });
});
