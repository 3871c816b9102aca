/** A lock that several processes want at once, and that some of them die with. */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { holdFolder } from '../../../../src/host/local/copies/numbered-lock.ts';
import { localProcessTable } from '../../../../src/host/local/process-table.ts';

const run = promisify(execFile);
const PROGRAM = fileURLToPath(new URL('fixtures/count-under-lock.ts', import.meta.url));

function temporary(): Disposable & { readonly folder: string } {
  const folder = mkdtempSync(join(tmpdir(), 'handrail-lock-'));
  return { folder, [Symbol.dispose]: () => rmSync(folder, { recursive: true }) };
}

describe('holdFolder', () => {
  it('lets one process in at a time', async () => {
    using place = temporary();
    const counter = join(place.folder, 'counter');
    writeFileSync(counter, '0');
    const args = [PROGRAM, join(place.folder, 'lock'), counter, '25'];
    await Promise.all(Array.from({ length: 4 }, () => run(process.execPath, args)));
    expect(readFileSync(counter, 'utf8')).toBe('100');
    expect(readdirSync(join(place.folder, 'lock'))).toEqual(['lock-100']);
  });

  it('is taken over from a process that died with it, by one of those who want it', async () => {
    using place = temporary();
    const [counter, lock] = [join(place.folder, 'counter'), join(place.folder, 'lock')];
    writeFileSync(counter, '0');
    const child = spawn(process.execPath, [PROGRAM, lock, counter, 'wait'], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    await once(child.stdout, 'data');
    const others = Array.from({ length: 3 }, () => run(process.execPath, [PROGRAM, lock, counter, '10']));
    child.kill('SIGKILL');
    await Promise.all(others);
    expect(readFileSync(counter, 'utf8')).toBe('30');
  });

  it('says whether it was abandoned, and waits for its own process too', async () => {
    using place = temporary();
    const processes = localProcessTable();
    const hold = () => holdFolder(place.folder, processes);
    const order: string[] = [];
    const first = await hold();
    const second = hold().then((held) => {
      order.push('second');
      return held;
    });
    order.push('first');
    first[Symbol.dispose]();
    const held = await second;
    expect([first.wasAbandoned, held.wasAbandoned, order]).toEqual([false, false, ['first', 'second']]);
    held[Symbol.dispose]();
    writeFileSync(join(place.folder, 'lock-7'), '1:never:was:here');
    using last = await hold();
    expect(last.wasAbandoned).toBe(true);
  });

  it('ends the waiting of who is cancelled', async () => {
    using place = temporary();
    const processes = localProcessTable();
    using _held = await holdFolder(place.folder, processes);
    const abort = new AbortController();
    const waiting = holdFolder(place.folder, processes, abort.signal);
    abort.abort(new Error('enough'));
    await expect(waiting).rejects.toThrow('enough');
  });
});
