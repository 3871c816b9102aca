/** What the thread of the index and the runtime say to each other. */
import type { CodeAnswer } from '../../code-index-ports.ts';
import type { EmbeddingSettings } from './embedding-endpoint.ts';

/** What the thread starts with. */
export interface IndexSettings {
  readonly workspace: string;
  readonly home: string;
  /** The file of the index, in a folder of its own. */
  readonly file: string;
  readonly quotaBytes: number;
  readonly embeddings: EmbeddingSettings | undefined;
}

/** To the thread. */
export type IndexRequest =
  | {
      readonly type: 'find';
      readonly id: number;
      readonly question: string;
      readonly paths: readonly string[];
      readonly limit: number;
      /** How long whoever asks waits for an index that is being built. */
      readonly patienceMs: number;
    }
  | { readonly type: 'noticed'; readonly paths: readonly string[] }
  | { readonly type: 'judged'; readonly id: number; readonly verdicts: readonly boolean[] };

/** From the thread; what may be done is judged where the policy is. */
export type IndexMessage =
  | { readonly type: 'found'; readonly id: number; readonly answer: CodeAnswer }
  | {
      readonly type: 'may-index' | 'may-send';
      readonly id: number;
      readonly asked: readonly string[];
    };
