/** The questions in a state folder, as another process sees them and answers them. */
import { join } from 'node:path';
import { expect } from 'vitest';
import { localClock } from '../../src/host/local/clock.ts';
import { localProcessTable } from '../../src/host/local/process-table.ts';
import type { ApprovalRequest, UserQuestion } from '../../src/index.ts';
import { type ApprovalRows, approvalRows } from '../../src/store/approvals.ts';
import { beApprover } from '../../src/store/approvers.ts';
import { openStore } from '../../src/store/store.ts';
import type { Approvals } from '../../src/store/tables.ts';
import { environmentOf } from './command-line.ts';
import type { TempWorkspace } from './temp-workspace.ts';

export interface Questions extends ApprovalRows, AsyncDisposable {
  /** Every question there ever was, oldest first. */
  all(): Promise<Approvals[]>;
  /** Waits until exactly so many are open, and gives them. */
  whenOpen(count?: number): Promise<Approvals[]>;
  /** Makes this process one that answers questions, until it is disposed. */
  someoneWatches(): Promise<AsyncDisposable>;
}

/** Opens the store of a state folder that a runtime made. */
export function openQuestions(state: string): Questions {
  const { database, ...store } = openStore(join(state, 'handrail.sqlite'));
  const rows = approvalRows(database, localClock, localProcessTable());
  return {
    ...rows,
    all: () => database.selectFrom('approvals').selectAll().orderBy('created_at').orderBy('id').execute(),
    async whenOpen(count = 1) {
      await expect.poll(async () => (await rows.pending()).length, { timeout: 30_000 }).toBe(count);
      return rows.pending();
    },
    someoneWatches: () => beApprover(database, localClock, localProcessTable(), 'test'),
    [Symbol.asyncDispose]: () => store[Symbol.asyncDispose](),
  };
}

/** The questions of the command line's state, which must be there. */
export function questionsOf(workspace: TempWorkspace): Questions {
  return openQuestions(join(environmentOf(workspace)['XDG_STATE_HOME']!, 'handrail'));
}

/** What a person is shown. */
export function requestOf({ request }: Approvals): ApprovalRequest {
  return JSON.parse(request) as ApprovalRequest;
}

/** What a person is asked by an agent. */
export function userQuestionOf({ request }: Approvals): UserQuestion {
  return JSON.parse(request) as UserQuestion;
}
