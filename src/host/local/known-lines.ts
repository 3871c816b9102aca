/** Remembers where lines of large files start, for the files that were read last: the next page is found at once. */
import type { FileVersion, LineMark, LineMarks } from '../ports.ts';

const MAX_FILES = 32;
const FIRST_LINE: LineMark = { line: 1, start: 0 };

export class KnownLines {
  readonly #files = new Map<FileVersion, SortedMarks>();

  /** The marks of a file; those of any other content are none of it. */
  of(version: FileVersion): LineMarks {
    const marks = this.#files.get(version) ?? new SortedMarks();
    this.#files.delete(version);
    this.#files.set(version, marks);
    const [oldest] = this.#files.keys();
    if (this.#files.size > MAX_FILES) this.#files.delete(oldest!);
    return marks;
  }
}

class SortedMarks implements LineMarks {
  readonly #marks: LineMark[] = [];

  before(line: number): LineMark {
    return this.#marks[this.#countUpTo(line) - 1] ?? FIRST_LINE;
  }

  note(mark: LineMark): void {
    const at = this.#countUpTo(mark.line);
    if (this.#marks[at - 1]?.line !== mark.line) this.#marks.splice(at, 0, mark);
  }

  /** How many marks lie at or before a line. */
  #countUpTo(line: number): number {
    let [low, high] = [0, this.#marks.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#marks[middle]!.line <= line) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
