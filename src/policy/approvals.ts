/**
 * The question to a human about one exact call. What is shown is what was hashed is what runs, once: the hash
 * covers tool, version, input and resolved accesses, and an answer counts only for the request it was given to.
 */
import { hash } from 'node:crypto';
import { Failure } from '../failure.ts';
import { isPathPermission, NAMED_RESOURCES, type ResolvedAccess } from './access.ts';
import { answerInTime } from './answer-in-time.ts';
import { type AskScope, decide, type Policy, type PolicyCall } from './decide.ts';
import type { Rule } from './rule.ts';

/** Everything a human needs to answer; tokens in it are masked. */
export interface ApprovalRequest {
  readonly id: string;
  /** Of the resolved call. */
  readonly hash: string;
  readonly callId: string;
  /** The caller's own id for the call, where it has one. */
  readonly toolCallId?: string | undefined;
  readonly session: string;
  readonly dialect: string;
  readonly tool: string;
  readonly version: string;
  readonly operation: string;
  readonly args: unknown;
  /** A token in the arguments is masked: they are not what the call has, and can't be sent back. */
  readonly hasMaskedArgs?: true | undefined;
  readonly accesses: readonly ResolvedAccess[];
  readonly reason: string;
  readonly rule: string;
  readonly scope: AskScope;
  /** The rule that "always" would write; undefined where "always" is not offered. */
  readonly alwaysRule?: Rule | undefined;
  readonly preview?: { readonly kind: 'diff' | 'text'; readonly text: string } | undefined;
}

/** A yes: for this call, for the session, for good, or for other arguments. */
export type ApprovalYes =
  | { readonly answer: 'once' | 'session' | 'always'; readonly by?: string | undefined }
  | { readonly answer: 'edit'; readonly args: unknown; readonly by?: string | undefined };

export type ApprovalAnswer =
  | ApprovalYes
  | { readonly answer: 'deny'; readonly reason?: string | undefined; readonly by?: string | undefined };

/** Answers questions; the signal fires when the answer is no longer wanted. */
export type Approver = (request: ApprovalRequest, signal: AbortSignal) => Promise<ApprovalAnswer>;

/** How long a question stays open. */
export const APPROVAL_TIMEOUT_MS = 300_000;

/** How long a caller waits that has to have an answer soon: many give up after a minute. */
export const PATIENCE_MS = 45_000;

/** The hash that binds an approval to a call, and to what it was shown to do. */
export function approvalHash(call: {
  readonly tool: string;
  readonly version: string;
  readonly input: unknown;
  readonly accesses: readonly ResolvedAccess[];
  /** What it would change, as it was shown: it is another call once the files are others. */
  readonly preview?: string | undefined;
  /** The digest of what it has changed in a view. */
  readonly changes?: string | undefined;
}): string {
  const { tool, version, input, accesses, preview, changes } = call;
  return hash('sha256', JSON.stringify([tool, version, input, accesses, preview, changes]));
}

/** The rule that "always" would write: the narrowest one, where it would really let the same call pass from now on. */
export function alwaysRule(
  call: PolicyCall,
  workspace: string,
  policyWith: (rule: Rule) => Policy,
): Rule | undefined {
  const rule = narrowestRule(workspace, call.tool, call.accesses);
  return decide(call, policyWith(rule)).action === 'allow' ? rule : undefined;
}

/** The narrowest rule that could allow a call: this workspace, this tool, these permissions, these very paths, commands and hosts. */
export function narrowestRule(workspace: string, tool: string, accesses: readonly ResolvedAccess[]): Rule {
  const ofPaths = accesses.filter(({ permission }) => isPathPermission(permission));
  const ofHosts = accesses.filter(({ permission }) => permission === 'net.connect');
  const named = NAMED_RESOURCES.map(([field, wanted]) => {
    const ofName = accesses.filter(
      ({ permission, command }) => permission === wanted && command === undefined,
    );
    return [field, ofName.flatMap(({ resource, resolved }) => [resource, resolved])] as const;
  });
  const written = {
    path: ofPaths.flatMap(({ resource, resolved }) => [`/${resource}`, `/${resolved}`]),
    command: accesses.flatMap(({ command }) => (command === undefined ? [] : [command.text])),
    host: ofHosts.map(({ resource }) => resource),
    ...Object.fromEntries(named),
  };
  const narrowed = Object.entries(written).filter(([, values]) => values.length > 0);
  return {
    action: 'allow',
    permission: unique(accesses.map(({ permission }) => permission)),
    ...Object.fromEntries(narrowed.map(([field, values]) => [field, unique(values)])),
    exact: true,
    tool: [tool],
    workspace,
  };
}

function unique<Value>(values: readonly Value[]): Value[] {
  return [...new Set(values)];
}

const YES: ReadonlySet<string> = new Set(['once', 'session', 'always', 'edit']);

/** Asks, waits, and returns the yes; a no, silence or nobody to ask is a failure. */
export async function ask(
  request: ApprovalRequest,
  approver: Approver | undefined,
  signal: AbortSignal,
  timeoutMs: number = APPROVAL_TIMEOUT_MS,
): Promise<ApprovalYes> {
  if (approver === undefined) throw nobodyToAsk(request);
  const answer = await answerInTime((ended) => approver(request, ended), {
    signal,
    timeoutMs,
    late: () => denied('Nobody answered in time.', request),
  });
  if (answer.answer === 'deny') throw denied(answer.reason ?? 'A human said no.', request, answer.by);
  // Only a yes is a yes, whatever a callback makes up.
  if (!YES.has(answer.answer)) throw denied('The answer was neither a yes nor a no.', request);
  return answer;
}

/** The failure of a caller that can't wait any longer, while the question stays open. */
export function notYetAnswered({ id, reason }: ApprovalRequest): Failure {
  return new Failure('E_PENDING', `${reason} The question ${id} is open; nothing was done yet.`, {
    hint: `Send exactly the same call again to wait for the answer; a changed call is another question. The user answers with \`handrail approvals answer ${id} once\`, or on the page of \`handrail serve\`.`,
    details: { approval: id },
  });
}

/** The failure where a call would be asked about and nobody is there. */
export function nobodyToAsk(request: ApprovalRequest): Failure {
  return new Failure('E_DENIED', `${request.reason} Nobody can be asked here.`, {
    hint: 'Approve this call (`handrail approvals watch` in another terminal asks there; `handrail call --yes`; an `approve` callback in the library), or write a rule that allows it.',
    details: { rule: request.rule },
  });
}

function denied(reason: string, request: ApprovalRequest, by?: string): Failure {
  return new Failure('E_DENIED', reason, {
    hint: 'Do not send the same call again; go on another way, or ask the user.',
    details: { rule: request.rule, ...(by === undefined ? {} : { by }) },
  });
}
