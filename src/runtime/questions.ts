/**
 * What a human is shown about a call, and asked. What was shown is what runs: files that changed since make it another
 * call; a command that was tried in a view is not run again.
 */
import { Failure } from '../failure.ts';
import type { CommandChanges } from '../host/ports.ts';
import { maskTokens } from '../journal/redact.ts';
import type { ResolvedAccess } from '../policy/access.ts';
import { approvalHash, type ApprovalRequest, type ApprovalYes, ask } from '../policy/approvals.ts';
import { decide, type Decision } from '../policy/decide.ts';
import type { CallPorts } from './call-ports.ts';
import type { CallRecord } from './call-record.ts';
import { digestOf, summarise } from './change-summary.ts';
import type { Preview } from './operation.ts';
import { toQuestion } from './question.ts';
import type { Session } from './session.ts';
import type { CallRequest, Spine } from './spine.ts';
import type { Tool } from './tool.ts';
import { Trial, whyNotTried } from './trial.ts';

type Asking = Extract<Decision, { action: 'ask' }>;

/** What a question is about. */
export interface Subject {
  readonly tool: Tool;
  readonly input: unknown;
  readonly decision: Asking;
}

export interface AskingParts {
  readonly request: CallRequest;
  readonly record: CallRecord;
  readonly session: Session;
  readonly spine: Spine;
  readonly signal: AbortSignal;
  readonly ports: () => CallPorts;
}

export class Questions {
  readonly #parts: AskingParts;
  /** What a human said yes to. */
  #shown: Preview | undefined;

  constructor(parts: AskingParts) {
    this.#parts = parts;
  }

  /** The question a human would see. */
  of({ tool, input, decision }: Subject, preview: Preview | undefined, changes?: string): ApprovalRequest {
    const { record, spine, session, request } = this.#parts;
    return toQuestion({
      id: spine.host.ids.next('apr'),
      head: record.head,
      tool,
      input,
      args: request.args,
      accesses: this.#shownAccesses(),
      decision,
      alwaysRule: spine.alwaysRule(record.judged!, session),
      preview,
      changes,
    });
  }

  /** Asks about a call; returns the yes, and what was done in a view where it is one to that. */
  async ask(subject: Subject): Promise<{ readonly yes: ApprovalYes; readonly trial?: Trial | undefined }> {
    const looked = await this.preview(subject.tool, subject.input);
    const { shown, trial } = await this.#try(subject, looked);
    const request = this.of(subject, shown, trial?.digest);
    // A copy: who answers must not change what is written.
    const rule = structuredClone(request.alwaysRule);
    try {
      const yes = await this.#put(request, (answer) =>
        answer === 'always' && rule !== undefined ? this.#parts.spine.remember(rule) : undefined,
      );
      this.#shown = trial === undefined && yes.answer !== 'edit' ? looked : undefined;
      if (yes.answer === 'edit') await trial?.drop();
      return { yes, trial };
    } catch (error) {
      await trial?.leave(error);
      throw error;
    }
  }

  /** Asks about what a command has changed in a view: a yes is one to exactly that. */
  async askAbout(subject: Omit<Subject, 'decision'>, reason: string, changes: CommandChanges): Promise<void> {
    const decision: Asking = { action: 'ask', rule: 'mode:reversible', reason, scope: 'single_action' };
    const text = maskTokens(await summarise(changes, this.#parts.spine.compare));
    const request = this.of({ ...subject, decision }, { kind: 'diff', text }, digestOf(changes));
    const { answer } = await this.#put(request, () => undefined);
    if (answer === 'edit')
      throw new Failure('E_DENIED', 'Other arguments were given to a command that had run already.', {
        hint: 'Nothing of what it changed was taken over. Send the call with the other arguments.',
      });
  }

  /**
   * What the call would change, for a human. One that can't run fails here already; but before somebody may read a
   * file, nothing is told of what is in it.
   */
  async preview(tool: Tool, input: unknown): Promise<Preview | undefined> {
    try {
      const preview = await tool.operation.preview?.(input, this.#parts.ports().toPreview());
      return preview && { kind: preview.kind, text: maskTokens(preview.text) };
    } catch (error) {
      if (!(error instanceof Failure) || this.#mayReadAll()) throw error;
      return { kind: 'text', text: maskTokens(`This will fail: ${error.message}`) };
    }
  }

  /** Where the files have changed since, so that the call would do something else, it does nothing. */
  async refuseOtherThanShown(tool: Tool, input: unknown): Promise<void> {
    const shown = this.#shown;
    if (shown === undefined) return;
    this.#parts.ports().lookAgain();
    if ((await this.preview(tool, input))?.text === shown.text) return;
    throw new Failure(
      'E_CONFLICT',
      'What the call would do is no longer what was approved: a file changed meanwhile.',
      { hint: 'Nothing was changed. Look at the files again, and send the call anew.' },
    );
  }

  async #put(
    request: ApprovalRequest,
    remember: (answer: ApprovalYes['answer']) => string | undefined,
  ): Promise<ApprovalYes> {
    const { record, spine, signal, request: call } = this.#parts;
    record.emit({ type: 'approval-requested', request });
    const yes = await record.span.part('wait_for_approval', () =>
      ask(request, spine.approverFor(call), signal, spine.approvalTimeoutMs),
    );
    record.approver = yes.by ?? 'callback';
    const notRemembered = remember(yes.answer);
    record.emit({ type: 'approval-answered', approval: request.id, answer: yes.answer, notRemembered });
    return yes;
  }

  /** Where a rule wants it, a command runs in a view before anybody is asked. */
  async #try(
    { tool, input, decision }: Subject,
    looked: Preview | undefined,
  ): Promise<{ readonly shown: Preview | undefined; readonly trial?: Trial }> {
    if (decision.hasPreview !== true || tool.operation.isCaptured?.(input) !== true) return { shown: looked };
    const { record, spine, session } = this.#parts;
    const text = looked === undefined ? [] : [looked.text];
    const whyNot = whyNotTried(record);
    if (whyNot !== undefined) {
      const said = [...text, `It was not tried before, because ${whyNot}.`];
      return { shown: { kind: 'text', text: said.join('\n') } };
    }
    const { name, version } = tool;
    const accesses = record.accesses!;
    const hash = approvalHash({ tool: name, version, input, accesses });
    const { previews, compare } = spine;
    const parts = { ports: this.#parts.ports(), session: session.id, previews, compare, hash };
    const trial = await Trial.begin(parts, tool, input);
    return { shown: { kind: 'diff', text: maskTokens([...text, trial.diff].join('\n')) }, trial };
  }

  /** A visitor's are written as its own project would write them: they are not those of a call from here. */
  #shownAccesses(): readonly ResolvedAccess[] {
    const { record, session } = this.#parts;
    const accesses = record.accesses!;
    if (session.visit === undefined) return accesses;
    const inProject = (path: string): string => `[${session.visit!.project}]/${path}`;
    return accesses.map((access) => ({
      ...access,
      resource: inProject(access.resource),
      resolved: inProject(access.resolved),
    }));
  }

  #mayReadAll(): boolean {
    const { record, spine, session } = this.#parts;
    const judged = record.judged!;
    const reads = judged.accesses.filter(({ permission }) => permission === 'fs.read');
    return decide({ ...judged, accesses: reads }, spine.policyFor(session)).action === 'allow';
  }
}
