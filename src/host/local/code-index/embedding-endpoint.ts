/** An endpoint that turns texts into vectors, as OpenAI's does. Only the user names it: what is asked there leaves the machine. */

export interface EmbeddingSettings {
  /** Up to and without `/embeddings`. */
  readonly endpoint: string;
  readonly model: string;
  readonly key?: string | undefined;
  /** So many parts of the workspace are embedded at most. */
  readonly maxParts: number;
}

/** Why it gave no vectors, in words for people. */
export class EmbeddingTrouble extends Error {}

/** The vectors of some texts, each of length 1. */
export async function embed(
  { endpoint, model, key }: EmbeddingSettings,
  texts: readonly string[],
  timeoutMs: number,
): Promise<Float32Array[]> {
  const answer = await ask(`${endpoint.replace(/\/+$/, '')}/embeddings`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
    },
    body: JSON.stringify({ model, input: texts, encoding_format: 'float' }),
    // Code goes where the user said, and nowhere else.
    redirect: 'error',
    signal: AbortSignal.timeout(timeoutMs),
  });
  const vectors = vectorsIn(answer);
  if (vectors.length !== texts.length || new Set(vectors.map(({ length }) => length)).size > 1)
    throw new EmbeddingTrouble('it answered with something else than a vector for each text');
  return vectors;
}

async function ask(url: string, request: RequestInit): Promise<unknown> {
  try {
    const response = await fetch(url, request);
    if (!response.ok) {
      await response.body?.cancel();
      throw new EmbeddingTrouble(`it answered with status ${response.status}`);
    }
    return await response.json();
  } catch (error) {
    if (error instanceof EmbeddingTrouble) throw error;
    const isLate = error instanceof Error && error.name === 'TimeoutError';
    throw new EmbeddingTrouble(isLate ? 'it did not answer in time' : 'it could not be reached', {
      cause: error,
    });
  }
}

function vectorsIn(answer: unknown): Float32Array[] {
  const { data } = (answer ?? {}) as { data?: unknown };
  if (!Array.isArray(data)) return [];
  const rows = data as { index?: number; embedding?: unknown }[];
  const inOrder = rows.toSorted((one, other) => (one?.index ?? 0) - (other?.index ?? 0));
  return inOrder.flatMap((row) => {
    const { embedding } = row ?? {};
    return Array.isArray(embedding) && embedding.length > 0 && embedding.every(Number.isFinite)
      ? [toUnit(Float32Array.from(embedding as number[]))]
      : [];
  });
}

function toUnit(vector: Float32Array): Float32Array {
  const length = Math.hypot(...vector);
  return length === 0 ? vector : vector.map((value) => value / length);
}
