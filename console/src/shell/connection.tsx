/** Whether the server is there: a word in the frame, and a banner when it is not. */
import type { ReactNode } from 'react';
import { Badge, type Tone } from '../parts/badge.tsx';
import type { FeedState } from '../server/feed.ts';
import { useServer } from '../server/server.tsx';
import { useFeedState } from '../server/use-live.ts';

const TONES: Readonly<Record<FeedState, Tone>> = {
  connecting: 'plain',
  live: 'good',
  lost: 'bad',
  locked: 'bad',
};

const BANNERS: Readonly<Record<FeedState, string>> = {
  connecting: '',
  live: '',
  lost: 'The server does not answer. What is below may be old; trying again.',
  locked: 'This server was started anew: open the address that `handrail serve` printed.',
};

export function ConnectionBadge(): ReactNode {
  const state = useFeedState();
  const { mayAnswer } = useServer();
  return (
    <span role="status">
      <Badge
        tone={TONES[state]}
        title={
          mayAnswer ? undefined : 'To answer here, open the whole address that `handrail serve` printed.'
        }
      >
        {mayAnswer ? state : `${state}, read only`}
      </Badge>
    </span>
  );
}

export function ConnectionBanner(): ReactNode {
  const text = BANNERS[useFeedState()];
  return (
    <p className="banner" role="alert" hidden={text === ''}>
      {text}
    </p>
  );
}
