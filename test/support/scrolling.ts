/// <reference lib="dom" />
/** How a page bears being scrolled: what is in it meanwhile, and how long its frames take. */
import type { Page } from 'playwright-core';

export interface Scrolling {
  /** What scrolls. */
  readonly box: string;
  /** What is counted in it. */
  readonly rows: string;
  /** In a frame; a finger does hundreds. */
  readonly pixels: number;
}

export interface Scrolled {
  /** The most rows that were in the page. */
  readonly shown: number;
  /** How long frames took, in words: with what else ran on the machine, and the processor's time alone. */
  readonly words: string;
}

const FRAMES = 200;

/** Scrolls as fast as a finger does. */
export async function scroll(page: Page, how: Scrolling): Promise<Scrolled> {
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  const busy = async (): Promise<number> => {
    const { metrics } = await session.send('Performance.getMetrics');
    return 1_000 * metrics.find(({ name }) => name === 'TaskDuration')!.value;
  };
  const before = await busy();
  const { shown, frames } = await page.evaluate(
    async ({ box, rows, pixels, count }) => {
      const scroller = document.querySelector(box)!;
      const nextFrame = (): Promise<number> => new Promise((resolve) => requestAnimationFrame(resolve));
      const times: number[] = [];
      let most = 0;
      let last = await nextFrame();
      for (let frame = 0; frame < count; frame++) {
        scroller.scrollTop += pixels;
        const now = await nextFrame();
        times.push(now - last);
        last = now;
        most = Math.max(most, scroller.querySelectorAll(rows).length);
      }
      return { shown: most, frames: times };
    },
    { ...how, count: FRAMES },
  );
  const work = ((await busy()) - before) / FRAMES;
  const sorted = frames.toSorted((one, other) => one - other);
  const at = (share: number): string => sorted[Math.ceil(share * FRAMES) - 1]!.toFixed(1);
  return {
    shown,
    words:
      `at most ${shown} in the page; frames while scrolling: median ${at(0.5)} ms, 95 % ${at(0.95)} ms, ` +
      `longest ${at(1)} ms; ${work.toFixed(1)} ms of work each.`,
  };
}
