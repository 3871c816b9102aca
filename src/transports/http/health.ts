/** Whether the server is well, for whoever starts it again where it is not. Tells nothing about anybody's work. */
import type { Context } from 'hono';
import type { Records } from './records.ts';

export interface HealthParts {
  readonly records: Pick<Records, 'version'>;
  readonly version: string;
}

/** It is well where the store can be read: nothing runs that can not be written down. */
export async function health(context: Context, { records, version }: HealthParts): Promise<Response> {
  try {
    await records.version();
    return context.json({ status: 'ok', version });
  } catch (error) {
    // What is said around it names the file, which is not for everybody.
    const why = error instanceof Error && error.cause instanceof Error ? `: ${error.cause.message}` : '';
    return context.json({ status: 'failing', version, error: `The store can not be read${why}.` }, 503);
  }
}
