/** The feed by itself: who follows gets every event once, or hears that it missed some. */
import { describe, expect, it } from 'vitest';
import type { ServerEvent } from '../../../src/transports/http/api/server-event.ts';
import { EventFeed, type FedEvent } from '../../../src/transports/http/event-feed.ts';

const NEVER = new AbortController().signal;

function output(number: number, text = ''): ServerEvent {
  return { type: 'output-added', workspace: '/', callId: String(number), session: 's', at: 0, text };
}

function numbers(fed: readonly FedEvent[]): string[] {
  return fed.map(({ event }) => ('callId' in event ? event.callId : event.type));
}

async function take(events: AsyncIterable<FedEvent>, count: number): Promise<FedEvent[]> {
  const taken: FedEvent[] = [];
  for await (const event of events) if (taken.push(event) === count) break;
  return taken;
}

describe('EventFeed', () => {
  it('gives everyone who follows each event from then on', async () => {
    const feed = new EventFeed();
    feed.publish(output(1));
    const followers = [1, 2].map(() => take(feed.subscribe({ signal: NEVER }), 2));
    await Promise.resolve();
    feed.publish(output(2));
    feed.publish(output(3));
    expect((await Promise.all(followers)).map(numbers)).toEqual([
      ['2', '3'],
      ['2', '3'],
    ]);
  });

  it('goes on after the event that a follower saw last', async () => {
    const feed = new EventFeed();
    const first = take(feed.subscribe({ signal: NEVER }), 1);
    for (const number of [1, 2, 3]) feed.publish(output(number));
    const [{ id: after }] = (await first) as [FedEvent];
    expect(numbers(await take(feed.subscribe({ after, signal: NEVER }), 2))).toEqual(['2', '3']);
  });

  it.each(['0123456789abcdef-1', 'nonsense', '-', '1'])(
    'says that events were missed after %s',
    async (after) => {
      const feed = new EventFeed();
      feed.publish(output(1));
      const followed = take(feed.subscribe({ after, signal: NEVER }), 2);
      await Promise.resolve();
      feed.publish(output(2));
      expect(numbers(await followed)).toEqual(['missed', '2']);
    },
  );

  it('tells a follower that fell behind so, and goes on from the newest', async () => {
    const feed = new EventFeed(undefined, { events: 3, size: 1_000_000 });
    const followed = feed.subscribe({ signal: NEVER })[Symbol.asyncIterator]();
    const first = followed.next();
    for (let number = 1; number <= 9; number++) feed.publish(output(number));
    const seen = [await first];
    feed.publish(output(10));
    seen.push(await followed.next());
    expect(numbers(seen.map(({ value }) => value as FedEvent))).toEqual(['missed', '10']);
  });

  it('holds no more text than it may, however large the events are', async () => {
    const feed = new EventFeed(undefined, { events: 1_000, size: 16_000 });
    const start = take(feed.subscribe({ signal: NEVER }), 1);
    feed.publish(output(0));
    const [{ id: after }] = (await start) as [FedEvent];
    for (let number = 1; number <= 100; number++) feed.publish(output(number, 'x'.repeat(500)));
    expect(numbers(await take(feed.subscribe({ after, signal: NEVER }), 1))).toEqual(['missed']);
  });

  it('tells an event that is too large without its content', async () => {
    const feed = new EventFeed(undefined, { events: 10, size: 16_000 });
    const followed = take(feed.subscribe({ signal: NEVER }), 1);
    feed.publish(output(1, 'x'.repeat(2_000)));
    const { text: _text, ...rest } = output(1) as Extract<ServerEvent, { type: 'output-added' }>;
    expect((await followed).map(({ event }) => event)).toEqual([rest]);
  });

  it('ends with its signal', async () => {
    const feed = new EventFeed();
    const gone = new AbortController();
    const followed = take(feed.subscribe({ signal: gone.signal }), 1);
    gone.abort();
    expect(await followed).toEqual([]);
  });
});
