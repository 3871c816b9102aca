/** A reply with what a command says before its end: the SDK's preliminary results. */
import type { EventListener } from '../../runtime/events.ts';

/** The newest of it: each preliminary result takes the place of the one before. */
const MAX_SAID = 16 * 1024;

/** What a command has said so far. */
export interface OutputSoFar {
  readonly output: string;
}

/** Runs a call; gives its output as it comes, as often as somebody takes it, and its reply in the end. */
export async function* streamedReply<Reply>(
  run: (listener: EventListener) => Promise<Reply>,
): AsyncGenerator<OutputSoFar | Reply> {
  let said = '';
  let more = Promise.withResolvers<void>();
  const ended = run((event) => {
    if (event.type !== 'output-added') return;
    said = (said + event.text).slice(-MAX_SAID).toWellFormed();
    more.resolve();
  }).then((reply) => ({ reply }));
  // Whoever stops listening has no use for the end either.
  ended.catch(() => undefined);
  for (;;) {
    const end = await Promise.race([ended, more.promise]);
    if (end !== undefined) return yield end.reply;
    more = Promise.withResolvers();
    yield { output: said };
  }
}
