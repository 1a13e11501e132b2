// Measures the cost for page and gateway of fifty printing terminals, as rows of the list and as tiles on the wall.
import { setTimeout as sleep } from 'node:timers/promises';
import { BrowserPage } from '../rig/browser.ts';
import { Crowd } from '../rig/crowd.ts';
import type { Measure } from '../rig/measure.ts';
import { ticking } from '../rig/programs.ts';
import { cpuPercent } from '../rig/readings.ts';
import { percentile } from '../rig/statistics.ts';

const COUNT = 50;
const TICK_SECONDS = 0.5;
const SETTLE_MS = 3000;

export const pageRows: Measure = {
  name: 'page-rows',
  about: '50 terminals that print twice a second, in the list and on the wall: page, frames, gateway',
  servers: 'console',
  async run(subject, { seconds }) {
    const crowd = new Crowd(subject);
    await crowd.growTo(COUNT, ticking(TICK_SECONDS));
    const browser = await BrowserPage.open(subject);
    const figures: Record<string, number> = {};
    const look = async (where: string): Promise<void> => {
      await sleep(SETTLE_MS);
      const [busy, gateway] = await Promise.all([
        browser.busyPercent(seconds / 2),
        cpuPercent(subject.pid, seconds / 2),
      ]);
      // Counting frames makes the browser draw more of them, so they are counted after the other measurements.
      const frames = await browser.page.evaluate(watchFrames, (seconds / 2) * 1000);
      figures[`${where}: main thread, % busy`] = busy;
      figures[`${where}: gateway, % of a core`] = gateway;
      figures[`${where}: frames/s`] = frames.length / (seconds / 2);
      figures[`${where}: between frames p99, ms`] = percentile(frames, 0.99);
    };
    await look('list');
    await browser.page.getByRole('button', { name: 'Wall' }).click();
    const tiles = browser.page.getByRole('list', { name: 'Running processes' }).getByRole('button');
    await tiles.nth(COUNT - 1).waitFor();
    await look('wall');
    await browser.close();
    crowd.close();
    return figures;
  },
};

/** Runs in the page for `ms`. Resolves with the intervals between frames, in ms. */
function watchFrames(ms: number): Promise<number[]> {
  return new Promise((resolve) => {
    const between: number[] = [];
    const startedAt = performance.now();
    let before = startedAt;
    const frame = (): void => {
      const now = performance.now();
      between.push(now - before);
      before = now;
      if (now - startedAt < ms) requestAnimationFrame(frame);
      else resolve(between);
    };
    requestAnimationFrame(frame);
  });
}
