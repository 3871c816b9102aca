import { describe, expect, it } from 'vitest';
import { speak } from '../../dialects/fixtures/speak.ts';

interface Now {
  readonly ok: boolean;
  readonly data: { readonly iso: string; readonly unixMs: number; readonly timeZone: string };
}

describe('time.now', () => {
  it.each([
    ['UTC', 'UTC', /\+00:00$/],
    ['Asia/Kolkata', 'Asia/Calcutta', /\+05:30$/],
    ['America/Phoenix', 'America/Phoenix', /-07:00$/],
    ['+03:00', '+03:00', /\+03:00$/],
  ])('tells the time in %s', async (timezone, timeZone, offset) => {
    await using tenas = await speak('tenas');
    const before = Date.now();
    const { ok, data } = (await tenas.reply('time-now', { timezone })) as Now;
    expect({ ok, timeZone: data.timeZone }).toEqual({ ok: true, timeZone });
    expect(data.iso).toMatch(offset);
    // Both say the same moment.
    expect(Date.parse(data.iso)).toBe(data.unixMs);
    expect(data.unixMs).toBeGreaterThanOrEqual(before);
  });

  it("tells it in the machine's own zone where none is given", async () => {
    await using tenas = await speak('tenas');
    const { data } = (await tenas.reply('time-now', {})) as Now;
    expect(data.timeZone).toBe(Intl.DateTimeFormat().resolvedOptions().timeZone);
  });

  it.each(['Europe/Nowhere', '', '../etc'])('refuses the zone %j', async (timezone) => {
    await using tenas = await speak('tenas');
    expect(await tenas.reply('time-now', { timezone })).toEqual({
      ok: false,
      error: {
        code: 'E_INVALID_ARGS',
        message: expect.stringMatching(`^Invalid timezone: ${JSON.stringify(timezone)}.`) as string,
      },
    });
  });
});
