/** A terminal with a shell in it, driven as a person would: typed into, and read from the screen. Needs tmux. */
import { spawnSync, type SpawnSyncReturns } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect } from 'vitest';
import { leftOut } from '../host/local/fixtures/left-out.ts';
import { environmentOf, LAUNCHER } from './command-line.ts';
import type { TempWorkspace } from './temp-workspace.ts';

export interface Terminal extends Disposable {
  /** Types without pressing Enter. */
  type(text: string): void;
  /** Types a line and presses Enter. */
  enter(line: string): void;
  /** Presses keys by their tmux names, such as `C-c`. */
  press(...keys: string[]): void;
  /** Makes it smaller or larger. */
  resize(columns: number, rows: number): void;
  /** Everything on the screen and above it. */
  screen(): string;
  /** Waits until the screen shows something, and gives the screen. */
  shows(what: string | RegExp): Promise<string>;
  /** The bytes that programs sent to the terminal so far. */
  received(): string;
}

/** Why there is no terminal here, said aloud; undefined where there is one. */
export function whyNoTerminal(): string | undefined {
  return spawnSync('tmux', ['-V']).status === 0 ? undefined : leftOut('tmux is not installed');
}

let terminals = 0;

/** Opens a terminal in the workspace, on a tmux server of its own; `handrail` is on its path. */
export function openTerminal(workspace: TempWorkspace): Terminal {
  const name = `handrail-${process.pid}-${++terminals}`;
  const folder = join(dirname(workspace.root), name);
  const record = join(folder, 'received');
  mkdirSync(folder);
  writeFileSync(record, '');
  writeFileSync(join(folder, 'handrail'), `#!/bin/sh\nexec '${process.execPath}' '${LAUNCHER}' "$@"\n`);
  chmodSync(join(folder, 'handrail'), 0o755);
  const environment = environmentOf(workspace);
  const env = {
    ...environment,
    PATH: `${folder}:${environment['PATH']}`,
    TERM: 'xterm-256color',
    LANG: 'C.UTF-8',
    // The socket goes with the workspace.
    TMUX_TMPDIR: folder,
  };
  const run = (args: readonly string[]): SpawnSyncReturns<string> =>
    spawnSync('tmux', ['-u', '-f', '/dev/null', '-L', name, ...args], {
      env,
      cwd: workspace.root,
      encoding: 'utf8',
    });
  const tmux = (...args: string[]): string => {
    const ran = run(args);
    if (ran.status !== 0) throw new Error(`tmux ${args[0]} failed: ${ran.stderr}`);
    return ran.stdout;
  };
  tmux('new-session', '-d', '-x', '200', '-y', '50', '/bin/sh');
  tmux('pipe-pane', `cat > '${record}'`);
  const screen = (): string => tmux('capture-pane', '-p', '-J', '-S', '-');
  return {
    type: (text) => void tmux('send-keys', '-l', text),
    enter(line) {
      tmux('send-keys', '-l', line);
      tmux('send-keys', 'Enter');
    },
    press: (...keys) => void tmux('send-keys', ...keys),
    resize: (columns, rows) => void tmux('resize-window', '-x', String(columns), '-y', String(rows)),
    screen,
    async shows(what) {
      await expect.poll(screen, { timeout: 30_000, interval: 100 }).toMatch(what);
      return screen();
    },
    received: () => readFileSync(record, 'utf8'),
    [Symbol.dispose]: () => void run(['kill-server']),
  };
}
