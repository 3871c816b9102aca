/** `time.now`: the time here, or in another zone. */
import { z } from 'zod';
import { Failure } from '../../failure.ts';
import { defineOperation } from '../../runtime/operation.ts';

export const timeNow = defineOperation({
  name: 'time.now',
  summary: 'Says what time it is, in a zone.',
  input: z.strictObject({ timeZone: z.string().optional().describe('Such as Europe/Berlin') }),
  output: z.strictObject({
    iso: z.string().describe('The time in that zone, with its distance from UTC'),
    unixMs: z.int(),
    timeZone: z.string(),
  }),
  permissions: [],
  effect: 'read',
  access: () => [],
  async run({ timeZone }) {
    const now = new Date();
    const format = formatFor(timeZone);
    return { iso: inZone(now, format), unixMs: now.getTime(), timeZone: format.resolvedOptions().timeZone };
  },
});

function formatFor(timeZone: string | undefined): Intl.DateTimeFormat {
  try {
    return new Intl.DateTimeFormat('en-US', { ...PARTS, timeZone });
  } catch {
    throw new Failure('E_INVALID_ARGS', `Invalid timezone: ${JSON.stringify(timeZone)}.`, {
      hint: 'Zones are named like Europe/Berlin, UTC or +05:30.',
    });
  }
}

const PARTS: Intl.DateTimeFormatOptions = {
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
  hour: '2-digit',
  hourCycle: 'h23',
  minute: '2-digit',
  second: '2-digit',
  fractionalSecondDigits: 3,
  timeZoneName: 'longOffset',
};

function inZone(time: Date, format: Intl.DateTimeFormat): string {
  const parts = Object.fromEntries(format.formatToParts(time).map(({ type, value }) => [type, value]));
  const { year, month, day, hour, minute, second, fractionalSecond, timeZoneName = '' } = parts;
  const offset = timeZoneName.replace(/^GMT/, '') || '+00:00';
  return `${year}-${month}-${day}T${hour}:${minute}:${second}.${fractionalSecond}${offset}`;
}
