// A closed pane leaks nothing.
import type { CDPSession } from '@playwright/test';
import { expect, SOON_WAITING, test } from './fixtures.ts';

const WARM_UP = 5;
const TIMES = 25;

test.use({ limits: SOON_WAITING });

/** Returns the numbers of nodes and listeners in the browser after a garbage collection. */
async function held(browser: CDPSession): Promise<{ nodes: number; listeners: number }> {
  await browser.send('HeapProfiler.collectGarbage');
  const { nodes, jsEventListeners } = await browser.send('Memory.getDOMCounters');
  return { nodes, listeners: jsEventListeners };
}

test('a closed pane leaves no elements and no listeners', async ({ agent, console }) => {
  const { page } = console;
  const browser = await page.context().newCDPSession(page);
  for (const tty of [true, false])
    await test.step(tty ? 'a terminal' : 'a pipe', async () => {
      const { key } = await agent.start(['/bin/sh', '-c', 'seq 1 500; echo end; read x'], { tty });
      // Panes are opened and closed by code in the page, since element handles of a test would retain them.
      const openAndClose = (times: number): Promise<void> =>
        page.evaluate(
          async ([processKey, count]) => {
            const pane = (): Element | null =>
              document.querySelector(`[role="region"][data-process-key="${processKey}"]`);
            const drawn = (): boolean =>
              pane()?.querySelector('.pane-views') != null &&
              window.execConsole.text(processKey).includes('end');
            const until = async (holds: () => boolean): Promise<void> => {
              while (!holds()) await new Promise((resolve) => requestAnimationFrame(resolve));
            };
            for (let i = 0; i < count; i += 1) {
              window.execConsole.open(processKey);
              await until(drawn);
              pane()?.querySelector<HTMLElement>('[aria-label="Close tab"]')?.click();
              await until(() => pane() === null);
            }
          },
          [key, times] as const,
        );
      await openAndClose(WARM_UP);
      // The row must be complete first, since later contents would look like a leak.
      const row = console.row(key);
      if (tty) await expect(row).toContainText(/waiting for input[\s\S]*end/);
      else await expect(row).toHaveAttribute('data-process-status', 'failed');
      const before = await held(browser);
      await openAndClose(TIMES);
      // React releases the last element only together with the next one.
      await expect.poll(async () => (await held(browser)).nodes).toBeLessThan(before.nodes + TIMES);
      expect((await held(browser)).listeners).toBeLessThan(before.listeners + TIMES);
    });
});
