/** An answer that is a JSON value a line. */

/** The values, as they come. The request is made by the first step of the loop, and leaving the loop ends it. */
export async function* jsonLines(request: () => Promise<Response>): AsyncGenerator {
  let waiting = '';
  for await (const chunk of textOf(await request())) {
    const lines = (waiting + chunk).split('\n');
    waiting = lines.pop()!;
    for (const line of lines) yield JSON.parse(line);
  }
  if (waiting !== '') yield JSON.parse(waiting);
}

/** The text of an answer, as it comes; not every browser can loop over a stream itself. */
export async function* textOf(response: Response): AsyncGenerator<string> {
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) yield part.value;
  } finally {
    await reader.cancel();
  }
}
