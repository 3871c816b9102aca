/** One process that parses documents, for as long as it behaves: whatever goes wrong with it, it is killed and another one is started. */
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { Failure } from '../../../failure.ts';
import type { DocumentPart } from '../../ports.ts';
import { coveredDescriptors } from '../inherited-descriptors.ts';
import { type Frame, readFrames, writeFrame } from './frames.ts';
import type { ParserCommand } from './parser-confinement.ts';

const MEBIBYTE = 2 ** 20;
const ANSWER_LIMITS = { headerBytes: 64 * MEBIBYTE, bytes: 64 * MEBIBYTE };
const FIRST_PIPE = 3;
const START_MS = 30_000;

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

  /** Starts one; undefined where it ends at once, since it can't be started like that. */
  static async start({ program, args }: ParserCommand): Promise<ParserProcess | undefined> {
    const child = spawn(program, args, {
      cwd: '/',
      env: { NODE_V8_COVERAGE: undefined },
      stdio: ['pipe', 'pipe', 'ignore', ...coveredDescriptors(FIRST_PIPE)],
      detached: true,
      shell: false,
    }) as unknown as Child;
    const parser = new ParserProcess(child);
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      parser[Symbol.dispose]();
    }, START_MS);
    const answer = await parser.ask(undefined, new Uint8Array());
    clearTimeout(timer);
    if (answer !== undefined) return parser;
    parser[Symbol.dispose]();
    // One that is only slow is no reason to start another one with fewer limits.
    if (isLate) throw new Failure('E_EXEC', 'The process that parses documents did not start in time.');
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
