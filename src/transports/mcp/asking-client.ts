/** A client up to 2025-11-25: it takes requests in the middle of a call, and is asked by them. */
import type { ClientCapabilities, ElicitRequestFormParams } from '@modelcontextprotocol/server';
import { type FilledForm, notAsked, toAnswer, toForm } from './approval-form.ts';
import { notPrompted, toQuestionForm, toUserAnswer } from './question-form.ts';
import { isRecord } from './rpc-peer.ts';
import type { Answerers, CallContext, Client } from './tool-requests.ts';

/** A call of such a client. */
export interface AskingContext extends CallContext {
  /** Shows a form until it is answered, or the signal fires. */
  readonly elicit: (form: ElicitRequestFormParams, signal: AbortSignal) => Promise<FilledForm>;
}

/** What is asked of a client outside of calls. */
export interface AskedClient {
  capabilities(): ClientCapabilities | undefined;
  /** Its answer to `roots/list`. */
  roots(): Promise<unknown>;
}

/** The longest that a timer can wait; a question ends by its own time. */
export const NO_TIMEOUT = 2_147_483_647;

/** A client that takes requests. */
export function askingClient(asked: AskedClient): Client<AskingContext> {
  return {
    roots: async () => (asked.capabilities()?.roots === undefined ? [] : urisIn(await asked.roots())),
    call(_params, { elicit, signal }, run) {
      if (!canElicit(asked.capabilities())) return run({}, signal);
      return run(answerersBy(elicit), signal);
    },
  };
}

/** Who answers by forms; a client that fails to show one gives no answer. */
export function answerersBy(elicit: AskingContext['elicit']): Answerers {
  const filled = async <Answer>(
    form: ElicitRequestFormParams,
    signal: AbortSignal,
    toAnswer: (filled: FilledForm) => Answer,
    notAsked: (error: unknown) => Answer,
  ): Promise<Answer> => {
    try {
      return toAnswer(await elicit(form, signal));
    } catch (error) {
      signal.throwIfAborted();
      return notAsked(error);
    }
  };
  return {
    approve: (request, signal) =>
      filled(toForm(request), signal, (form) => toAnswer(form, request), notAsked),
    prompt: (question, signal) =>
      filled(toQuestionForm(question), signal, (form) => toUserAnswer(form, question), notPrompted),
  };
}

/** Whether a client shows forms; one that names no kind of elicitation does. */
export function canElicit(capabilities: ClientCapabilities | undefined): boolean {
  const elicitation = capabilities?.elicitation;
  return elicitation !== undefined && (elicitation.form !== undefined || elicitation.url === undefined);
}

function urisIn(result: unknown): string[] {
  const roots = isRecord(result) && Array.isArray(result['roots']) ? (result['roots'] as unknown[]) : [];
  return roots.flatMap((root) => (isRecord(root) && typeof root['uri'] === 'string' ? [root['uri']] : []));
}
