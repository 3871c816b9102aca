/** One process that parses documents, for as long as it behaves: whatever goes wrong with it, it is killed and another one is started. */
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import type { DocumentPart } from '../../ports.ts';
import { coveredDescriptors } from '../inherited-descriptors.ts';
import { type Frame, readFrames, writeFrame } from './frames.ts';
import type { ParserCommand } from './parser-confinement.ts';

const MEBIBYTE = 2 ** 20;
const ANSWER_LIMITS = { headerBytes: 64 * MEBIBYTE, bytes: 64 * MEBIBYTE };
const FIRST_PIPE = 3;

type Child = ChildProcessByStdio<Writable, Readable, null>;

export class ParserProcess implements Disposable {
  readonly #child: Child;
  readonly #answers: AsyncGenerator<Frame, void>;
  #isOver = false;

  private constructor(child: Child) {
    this.#child = child;
    this.#answers = readFrames(child.stdout, ANSWER_LIMITS);
    const over = (): void => void (this.#isOver = true);
    child.on('exit', over).on('error', over);
    // It may end without having read all it was given.
    child.stdin.on('error', () => {});
  }

  /** Starts one; undefined where it can't be started like that, which it shows by not answering a first call. */
  static async start({ program, args }: ParserCommand): Promise<ParserProcess | undefined> {
    const child = spawn(program, args, {
      cwd: '/',
      env: { NODE_V8_COVERAGE: undefined },
      stdio: ['pipe', 'pipe', 'ignore', ...coveredDescriptors(FIRST_PIPE)],
      detached: true,
      shell: false,
    }) as unknown as Child;
    const parser = new ParserProcess(child);
    if ((await parser.ask(undefined, new Uint8Array())) !== undefined) return parser;
    parser[Symbol.dispose]();
    return undefined;
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** Hands a document over; undefined where the process ended over it. */
  async ask(wanted: DocumentPart | undefined, bytes: Uint8Array): Promise<Frame | undefined> {
    this.#holdProcess(true);
    try {
      for (const piece of writeFrame({ wanted }, [bytes])) this.#child.stdin.write(piece);
      const { value } = await this.#answers.next();
      return value ?? undefined;
    } catch {
      return undefined;
    } finally {
      this.#holdProcess(false);
    }
  }

  [Symbol.dispose](): void {
    this.#isOver = true;
    const { pid } = this.#child;
    try {
      if (pid !== undefined) process.kill(-pid, 'SIGKILL');
    } catch {
      // It has ended by itself.
    }
  }

  /** Waits until it is gone. */
  async gone(): Promise<void> {
    if (this.#child.exitCode === null && this.#child.signalCode === null) await once(this.#child, 'exit');
  }

  /** One that has nothing to do does not keep Handrail from ending. */
  #holdProcess(isBusy: boolean): void {
    const { stdin, stdout } = this.#child as unknown as { stdin: Holding; stdout: Holding };
    for (const part of [this.#child, stdin, stdout])
      if (isBusy) part.ref?.();
      else part.unref?.();
  }
}

/** A stream that is a socket underneath. */
interface Holding {
  ref?(): void;
  unref?(): void;
}
