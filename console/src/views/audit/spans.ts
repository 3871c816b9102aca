/** How far back the charts look, and how long each of their counts lasts. */
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

export const SPANS = {
  hour: { title: 'last hour', length: HOUR, bucket: MINUTE },
  day: { title: 'last day', length: DAY, bucket: 30 * MINUTE },
  week: { title: 'last week', length: 7 * DAY, bucket: 4 * HOUR },
  month: { title: 'last 30 days', length: 30 * DAY, bucket: DAY },
} as const;

export type Span = keyof typeof SPANS;
