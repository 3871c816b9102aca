/** When what is shown becomes another, a click or key meant for the one must not answer the other. */
import { useEffect, useState } from 'react';

const SETTLE_MS = 500;

/** Whether what is shown has been there long enough to be meant. */
export function useSettled(shown: string): boolean {
  const [settled, setSettled] = useState<string>();
  useEffect(() => {
    const timer = setTimeout(() => setSettled(shown), SETTLE_MS);
    return () => clearTimeout(timer);
  }, [shown]);
  return settled === shown;
}
