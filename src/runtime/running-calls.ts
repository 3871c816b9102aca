/** The calls that are under way in this process, for whoever else than their callers wants to end one. */
import type { CallHead } from '../journal/audit-record.ts';

/** One of them: by its own id, or by the one that its caller gave it. */
export interface CallName {
  readonly id: string;
  readonly session: string;
  readonly workspace: string;
}

interface Running {
  readonly head: CallHead;
  readonly controller: AbortController;
}

export class RunningCalls {
  readonly #calls = new Map<string, Running>();

  /** Counts a call in, until what is returned is disposed. */
  add(head: CallHead, controller: AbortController): Disposable {
    this.#calls.set(head.call_id, { head, controller });
    return { [Symbol.dispose]: () => this.#calls.delete(head.call_id) };
  }

  /** Cancels one; false where no such call is under way. */
  cancel({ id, session, workspace }: CallName): boolean {
    const isNamed = ({ head }: Running): boolean =>
      head.tool_call_id === id && head.session === session && head.workspace === workspace;
    const found = this.#calls.get(id) ?? [...this.#calls.values()].find(isNamed);
    found?.controller.abort();
    return found !== undefined;
  }
}
