/** How long a question stays open, counting down. */
import { type ReactNode, useEffect, useState } from 'react';

const SOON_SECONDS = 30;

export function TimeLeft({ until }: { readonly until: number }): ReactNode {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, []);
  const seconds = Math.max(0, Math.round((until - now) / 1_000));
  return (
    <span className={`time-left ${seconds < SOON_SECONDS ? 'soon' : ''}`} role="timer">
      {Math.floor(seconds / 60)}:{String(seconds % 60).padStart(2, '0')} left
    </span>
  );
}
