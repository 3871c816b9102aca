/** Runs command lines in throw-away folders where every program is a recorder, and tells what ran and what was written. */
import { spawn } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { delimiter, join, relative } from 'node:path';
import { quoteWord } from '../../../../src/policy/command/words.ts';
import { MAX_CLIMBS, PROGRAMS, STARTERS } from './generate.ts';

/** A program that ran. */
export interface Recorded {
  readonly words: readonly string[];
  /** Relative to the case's workspace. */
  readonly directory: string;
}

export interface Outcome {
  readonly ran: readonly Recorded[];
  /** Files that were made or changed, relative to the case's workspace. */
  readonly written: readonly string[];
}

const RECORDER = `#!/bin/sh
printf '%s\\0' "$PWD" "\${0##*/}" "$@" '\x1e' >> "$CASE_LOG"
echo "\${0##*/}"
`;
const KEPT = ['kept', 'sub/keep', 'kin'];

/** A place with one folder a case, and a PATH that holds nothing but recorders and programs that start them. */
export class Recorder {
  readonly #folder: string;
  readonly #shell: readonly string[];
  readonly #bin: string;

  constructor(folder: string, shell: readonly string[]) {
    this.#folder = folder;
    this.#shell = shell;
    this.#bin = join(folder, 'bin');
    mkdirSync(this.#bin, { recursive: true });
    for (const name of PROGRAMS) {
      writeFileSync(join(this.#bin, name), RECORDER);
      chmodSync(join(this.#bin, name), 0o755);
    }
    for (const name of STARTERS) symlinkSync(programPath(name), join(this.#bin, name));
    symlinkSync(shell[0]!, join(this.#bin, 'sh'));
    symlinkSync(programPath('bash'), join(this.#bin, 'bash'));
  }

  /** The workspace of a case. */
  workspace(number: number): string {
    const climbs = Array.from({ length: MAX_CLIMBS + 1 }, (_, at) => `up${at}`);
    return join(this.#folder, 'cases', String(number), ...climbs, 'workspace');
  }

  /** Runs the commands one after the other, and returns when all that they started has ended. */
  async run(commands: readonly string[]): Promise<Outcome[]> {
    for (const number of commands.keys()) this.#prepare(number);
    const driver = join(this.#folder, 'driver');
    writeFileSync(driver, commands.map((command, number) => this.#line(command, number)).join(''));
    await this.#wait(driver);
    const outcomes = commands.map((_, number) => this.#outcome(number));
    rmSync(join(this.#folder, 'cases'), { recursive: true });
    return outcomes;
  }

  #prepare(number: number): void {
    const workspace = this.workspace(number);
    mkdirSync(join(workspace, 'sub/deep'), { recursive: true });
    mkdirSync(join(workspace, '../other'));
    for (const name of KEPT) writeFileSync(join(workspace, name), 'kept\n');
  }

  #log(number: number): string {
    return join(this.#folder, 'cases', String(number), 'log');
  }

  #line(command: string, number: number): string {
    const workspace = this.workspace(number);
    const environment = [`CASE_LOG=${this.#log(number)}`, `HOME=${workspace}/sub`].join(' ');
    // The name of the shell is a word that no file outside has.
    const words = [...this.#shell, '-c', command, 'case'].map(quoteWord).join(' ');
    return `(cd ${workspace} && ${environment} ${words}) </dev/null >/dev/null 2>&1\n`;
  }

  #wait(driver: string): Promise<void> {
    const child = spawn('/bin/sh', [driver], {
      env: { PATH: this.#bin },
      // Everything that is started holds the last one open, so that it closes when all of it has ended.
      stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
      timeout: 300_000,
      killSignal: 'SIGKILL',
    });
    child.stdio[3]?.on('data', () => undefined);
    return new Promise((resolve, reject) => {
      child.on('error', reject);
      child.on('close', (_, signal) =>
        signal === null ? resolve() : reject(new Error(`The shell ended by ${signal}.`)),
      );
    });
  }

  #outcome(number: number): Outcome {
    const workspace = this.workspace(number);
    const top = join(this.#folder, 'cases', String(number));
    const names = readdirSync(top, { recursive: true, encoding: 'utf8' }).map((name) => join(top, name));
    const written = names.filter(
      (path) => path !== this.#log(number) && statSync(path).isFile() && !isKept(path, workspace),
    );
    return { ran: this.#recorded(number), written: written.map((path) => relative(workspace, path)) };
  }

  #recorded(number: number): Recorded[] {
    const log = this.#log(number);
    if (!existsSync(log)) return [];
    const entries = readFileSync(log, 'utf8')
      .split('\0\x1e\0')
      .filter((entry) => entry !== '');
    return entries.map((entry) => {
      const [directory = '', ...words] = entry.split('\0');
      return { words, directory: relative(this.workspace(number), directory) || '.' };
    });
  }
}

function isKept(path: string, workspace: string): boolean {
  return KEPT.includes(relative(workspace, path)) && readFileSync(path, 'utf8') === 'kept\n';
}

/** Where the machine has a program. */
export function programPath(name: string): string {
  const folders = ['/usr/bin', '/bin', ...(process.env.PATH ?? '').split(delimiter)];
  const found = folders.map((folder) => join(folder, name)).find((path) => existsSync(path));
  if (found === undefined) throw new Error(`There is no ${name} on this machine.`);
  return found;
}
