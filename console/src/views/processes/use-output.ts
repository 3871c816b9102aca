/** What a process prints: its newest part at first, and more whenever the server says that there is. */
import { useEffect, useState } from 'react';
import { useServer } from '../../server/server.tsx';

export interface Output {
  readonly text: string;
  /** Whether there was more before it. */
  readonly isCut: boolean;
  readonly failure: Error | undefined;
}

const SHOWN_CHARACTERS = 256 * 1024;
/** Events of other Handrail processes do not come here; what they own is looked at now and then. */
const LOOK_MS = 1_000;

export function useOutput(id: string, isEnded: boolean): Output {
  const { client, feed } = useServer();
  const [output, setOutput] = useState<Output>({ text: '', isCut: false, failure: undefined });
  useEffect(() => {
    const gone = new AbortController();
    const { signal } = gone;
    let next: number | undefined;
    let isReading = false;
    let isWanted = false;
    const read = async (): Promise<void> => {
      isWanted = true;
      if (isReading) return;
      isReading = true;
      try {
        while (isWanted && !signal.aborted) {
          isWanted = false;
          const page = await client.readProcess(
            { id, ...(next === undefined ? {} : { from: next }) },
            { signal },
          );
          const isFirst = next === undefined;
          next = page.next;
          isWanted ||= page.next < page.total;
          if (page.text !== '') setOutput((before) => added(before, page.text, isFirst && page.position > 0));
        }
      } catch (error) {
        if (!signal.aborted) setOutput((before) => ({ ...before, failure: error as Error }));
      } finally {
        isReading = false;
      }
    };
    void read();
    const timer = isEnded ? undefined : setInterval(() => void read(), LOOK_MS);
    const unsubscribe = feed.subscribe((event) => {
      if ('process' in event && event.process === id) void read();
    });
    return () => {
      gone.abort();
      clearInterval(timer);
      unsubscribe();
      setOutput({ text: '', isCut: false, failure: undefined });
    };
  }, [client, feed, id, isEnded]);
  return output;
}

function added({ text, isCut }: Output, more: string, wasCut: boolean): Output {
  const whole = text + more;
  return {
    text: whole.slice(-SHOWN_CHARACTERS),
    isCut: isCut || wasCut || whole.length > SHOWN_CHARACTERS,
    failure: undefined,
  };
}
