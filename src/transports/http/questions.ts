/** Questions that wait for a person, as they are shown: what stands in files and arguments only to the person. */
import { Failure } from '../../failure.ts';
import type { ApprovalRequest } from '../../policy/approvals.ts';
import { type AnyQuestion, isApproval } from '../../runtime/any-question.ts';
import type { Runtime } from '../../runtime-types.ts';
import type { ApprovalRows } from '../../store/approvals.ts';
import type { Approvals } from '../../store/tables.ts';
import { openableRoots } from './workspaces.ts';

/** A question that waits for an answer. */
export interface OpenQuestion {
  readonly id: string;
  readonly workspace: string;
  readonly createdAt: number;
  readonly expiresAt: number;
  readonly request: AnyQuestion;
  /** Whether other arguments can be given here. */
  readonly isEditable: boolean;
}

export interface QuestionParts {
  readonly own: Runtime;
  readonly approvals: ApprovalRows;
  readonly isPerson: boolean;
}

/** Those of every workspace on this machine, oldest first. */
export async function openQuestions({ own, approvals, isPerson }: QuestionParts): Promise<OpenQuestion[]> {
  const pending = await approvals.pending();
  const roots = pending.length === 0 ? new Set<string>() : await openableRoots(own);
  return pending.map((row) => toOpenQuestion(row, roots, isPerson));
}

/** One of them; a failure where it is not open any more, or never was. */
export async function openQuestion(
  { own, approvals, isPerson }: QuestionParts,
  id: string,
): Promise<OpenQuestion> {
  return toOpenQuestion(await findOpen(approvals, id), await openableRoots(own), isPerson);
}

/** The row of one that is open. */
export async function findOpen(approvals: ApprovalRows, id: string): Promise<Approvals> {
  const found = await approvals.find(id);
  if (found === undefined) throw new Failure('E_NOT_FOUND', 'There is no such question.');
  if (found.state !== 'pending') throw notOpen(found.state);
  return found;
}

export function notOpen(state: string): Failure {
  return new Failure('E_CONFLICT', `The question is not open any more (${state}).`);
}

/** Whether other arguments can be given: they are checked first, by the workspace that they are meant for. */
export function isEditable(
  { hasMaskedArgs }: ApprovalRequest,
  workspace: string,
  roots: ReadonlySet<string>,
): boolean {
  return roots.has(workspace) && hasMaskedArgs !== true;
}

function toOpenQuestion(row: Approvals, roots: ReadonlySet<string>, isPerson: boolean): OpenQuestion {
  const { id, workspace, created_at, expires_at } = row;
  const whole = JSON.parse(row.request) as AnyQuestion;
  return {
    id,
    workspace,
    createdAt: created_at,
    expiresAt: expires_at,
    request: isPerson ? whole : withoutContent(whole),
    isEditable: isPerson && isApproval(whole) && isEditable(whole, workspace, roots),
  };
}

const HIDDEN = 'shown with the approval key';

function withoutContent(question: AnyQuestion): AnyQuestion {
  if (isApproval(question))
    return {
      ...question,
      // What it is over could be guessed by it.
      hash: HIDDEN,
      args: HIDDEN,
      reason: HIDDEN,
      accesses: [],
      alwaysRule: undefined,
      preview: undefined,
    };
  if (question.kind === 'text') return { ...question, hash: HIDDEN, message: HIDDEN };
  if (question.kind === 'choice') return { ...question, hash: HIDDEN, message: HIDDEN, choices: [] };
  return { ...question, hash: HIDDEN, message: HIDDEN, chunks: [] };
}
