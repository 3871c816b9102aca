/** Does something at the server, and keeps what went wrong with it for the page to show. */
import { useState } from 'react';

export interface Act {
  readonly act: (work: Promise<unknown>) => void;
  readonly trouble: Error | undefined;
}

/** `onDone` hears of what went well. */
export function useAct(onDone: () => void): Act {
  const [trouble, setTrouble] = useState<Error>();
  const act = async (work: Promise<unknown>): Promise<void> => {
    try {
      await work;
      setTrouble(undefined);
      onDone();
    } catch (error) {
      setTrouble(error as Error);
    }
  };
  return { act: (work) => void act(work), trouble };
}
