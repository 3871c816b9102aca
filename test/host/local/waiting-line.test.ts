/** A waiting line: how many at once, in which order, and who gives up. */
import { describe, expect, it } from 'vitest';
import { WaitingLine } from '../../../src/host/local/waiting-line.ts';

const { signal } = new AbortController();

/** Lets everybody go on who can. */
async function settle(): Promise<void> {
  await new Promise(setImmediate);
}

describe('WaitingLine', () => {
  it('lets so many in at once, and the others in their order', async () => {
    const line = new WaitingLine(2);
    const inside: string[] = [];
    const enter = async (name: string): Promise<Disposable> => {
      const place = await line.take(signal);
      inside.push(name);
      return place;
    };
    const [first, second] = [await enter('a'), await enter('b')];
    const others = ['c', 'd', 'e'].map(enter);
    await settle();
    expect(inside).toEqual(['a', 'b']);
    second[Symbol.dispose]();
    await settle();
    expect(inside).toEqual(['a', 'b', 'c']);
    first[Symbol.dispose]();
    (await others[0]!)[Symbol.dispose]();
    await Promise.all(others);
    expect(inside).toEqual(['a', 'b', 'c', 'd', 'e']);
  });

  it('goes on without those who give up', async () => {
    const line = new WaitingLine(1);
    const first = await line.take(signal);
    const impatient = new AbortController();
    const given = line.take(impatient.signal);
    const third = line.take(signal);
    impatient.abort(new Error('enough'));
    await expect(given).rejects.toThrow('enough');
    first[Symbol.dispose]();
    await expect(third).resolves.toBeDefined();
    await expect(line.take(AbortSignal.abort(new Error('late')))).rejects.toThrow('late');
  });
});
