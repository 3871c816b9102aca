/** Work at the command line that Ctrl-C ends in good order. */

/** Runs work that the first Ctrl-C cancels in good order; a second one ends the process as usual. */
export async function untilInterrupted<Result>(
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const controller = new AbortController();
  const cancel = (): void => controller.abort();
  process.once('SIGINT', cancel);
  try {
    return await work(controller.signal);
  } finally {
    process.removeListener('SIGINT', cancel);
  }
}
