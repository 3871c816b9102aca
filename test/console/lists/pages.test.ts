import { describe, expect, it } from 'vitest';
import { Pages } from '../../../console/src/lists/pages.ts';

/** Numbers, newest first, as a server would send them. */
function numbersUpTo(newest: () => number, pageSize: number): Pages<number> {
  return new Pages<number>({
    keyOf: String,
    load: async (before) => {
      const first = before === undefined ? newest() : Number(before) - 1;
      const items = Array.from({ length: Math.min(pageSize, first) }, (_, index) => first - index);
      return { items, next: items.length < pageSize ? null : String(items.at(-1)) };
    },
  });
}

describe('Pages', () => {
  it('grows at both ends without a gap and without repeating anything', async () => {
    let newest = 10;
    const pages = numbersUpTo(() => newest, 4);
    pages.subscribe(() => undefined);
    await expect.poll(() => pages.snapshot().items).toEqual([10, 9, 8, 7]);
    pages.more();
    await expect.poll(() => pages.snapshot().items).toEqual([10, 9, 8, 7, 6, 5, 4, 3]);
    newest = 12;
    void pages.refresh();
    await expect.poll(() => pages.snapshot().items).toEqual([12, 11, 10, 9, 8, 7, 6, 5, 4, 3]);
    pages.more();
    await expect.poll(() => pages.snapshot()).toMatchObject({ items: { length: 12 }, next: null });
  });

  it('begins anew where more came than one look shows', async () => {
    let newest = 10;
    const pages = numbersUpTo(() => newest, 4);
    pages.subscribe(() => undefined);
    await expect.poll(() => pages.snapshot().items).toHaveLength(4);
    newest = 100;
    void pages.refresh();
    await expect.poll(() => pages.snapshot()).toMatchObject({ items: [100, 99, 98, 97], next: '97' });
  });

  it('puts another in the place of one', async () => {
    const pages = numbersUpTo(() => 3, 4);
    pages.subscribe(() => undefined);
    await expect.poll(() => pages.snapshot().items).toEqual([3, 2, 1]);
    pages.update('2', () => 20);
    pages.update('7', () => 70);
    expect(pages.snapshot().items).toEqual([3, 20, 1]);
  });
});
