/** What an agent shows its user, and asks them. Not about permission: that is what approvals are for. */

/** Something to read. */
export interface DisplayMessage {
  readonly content: string;
  readonly level: 'info' | 'success' | 'warning' | 'error' | 'progress';
  readonly title?: string | undefined;
  readonly thought?: string | undefined;
  readonly evidence?: readonly string[] | undefined;
}

/** What an agent asks: one of several choices, a text, or which parts of a patch to take. */
export type Asked = { readonly message: string } & (
  | { readonly kind: 'choice'; readonly choices: readonly string[] }
  | { readonly kind: 'text' }
  | { readonly kind: 'review'; readonly chunks: readonly ReviewChunk[] }
);

/** A question of the agent; tokens in it are masked. */
export type UserQuestion = Asked & {
  readonly id: string;
  /** Of what is asked, and by which tool: an answer counts for nothing else. */
  readonly hash: string;
  readonly callId: string;
  /** The caller's own id for the call, where it has one. */
  readonly toolCallId?: string | undefined;
  readonly session: string;
  readonly dialect: string;
  readonly tool: string;
};

/** A part of a patch that can be taken or left by itself. */
export interface ReviewChunk {
  /** Counted from 1. */
  readonly number: number;
  readonly path: string;
  /** As a unified diff would show it, its header included. */
  readonly text: string;
}

export type UserAnswer = { readonly by?: string | undefined } & (
  | { readonly kind: 'choice'; readonly choice: string }
  | { readonly kind: 'text'; readonly text: string }
  | {
      readonly kind: 'review';
      readonly action: 'apply' | 'cancel';
      /** The numbers of the chunks that were taken. */
      readonly taken: readonly number[];
      readonly comments?: readonly ReviewComment[] | undefined;
    }
  /** The user does not want to answer; the reason is for the agent to read. */
  | { readonly kind: 'declined'; readonly reason?: string | undefined }
);

/** What the user says about a chunk, or about the whole of it. */
export interface ReviewComment {
  readonly chunk?: number | undefined;
  readonly text: string;
}

/** Puts a question to the user; the signal fires when the answer is no longer wanted. */
export type Prompter = (question: UserQuestion, signal: AbortSignal) => Promise<UserAnswer>;
