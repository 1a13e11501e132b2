// Measures the time from a key press until the terminal's rows in the page contain its echo, without the time for
// painting them.
import { BrowserPage } from '../rig/browser.ts';
import { Client, within } from '../rig/client.ts';
import type { Figures, Measure, Options } from '../rig/measure.ts';
import { FLOOD } from '../rig/programs.ts';
import { percentile } from '../rig/statistics.ts';

/** Maximum number of keystrokes, enough for a meaningful p99. */
const MOST_KEYS = 400;
const PAUSE_MS = 20;

export const pageTyping: Measure = {
  name: 'page-typing',
  about: 'key press → glyph in a terminal of the page: quiet, and with a flood beside it',
  servers: 'console',
  async run(subject, options) {
    const agent = await Client.open(subject);
    const echo = await agent.start(['sh', '-c', 'stty raw -echo; exec cat'], { tty: true });
    const browser = await BrowserPage.open(subject);
    const key = echo.key ?? '';
    await browser.show(key);
    const quiet = await type(browser, key, options);
    const flood = await agent.start(FLOOD, { tty: true });
    await browser.showBeside(flood.key ?? '', key, 'right');
    const flooded = await type(browser, key, options);
    await browser.close();
    agent.close();
    return { ...named('quiet', quiet), ...named('flood beside', flooded) };
  },
};

const named = (when: string, delays: readonly number[]): Figures => ({
  [`${when}: key → glyph p50, ms`]: percentile(delays, 0.5),
  [`${when}: key → glyph p99, ms`]: percentile(delays, 0.99),
});

async function type(browser: BrowserPage, key: string, { operations, seconds }: Options): Promise<number[]> {
  await browser.focus(key);
  const probe = await browser.pane(key).locator('.xterm-rows').evaluateHandle(watchRows);
  const delays: number[] = [];
  const until = performance.now() + seconds * 1000;
  while (delays.length < Math.min(operations, MOST_KEYS) && performance.now() < until) {
    await browser.page.keyboard.press('k');
    const glyph = probe.evaluate(({ next }) => next());
    delays.push(await within(glyph, 'a glyph'));
    await browser.page.waitForTimeout(PAUSE_MS);
  }
  return delays;
}

/**
 * Runs in the page. `next` resolves with the delay of an echo in ms; an echo may appear before the call, so its
 * delay is stored.
 */
function watchRows(rows: Element): { next: () => Promise<number> } {
  let shown = rows.textContent;
  let pressedAt: number | null = null;
  let delay: number | null = null;
  let answer: (() => void) | null = null;
  const press = ({ timeStamp }: KeyboardEvent): void => void (pressedAt = timeStamp);
  addEventListener('keydown', press, { capture: true });
  new MutationObserver(() => {
    if (rows.textContent === shown) return;
    shown = rows.textContent;
    if (pressedAt === null) return;
    delay = performance.now() - pressedAt;
    pressedAt = null;
    answer?.();
  }).observe(rows, { childList: true, subtree: true, characterData: true });
  const next = (): Promise<number> =>
    new Promise((resolve) => {
      answer = () => {
        if (delay === null) return;
        resolve(delay);
        [delay, answer] = [null, null];
      };
      answer();
    });
  return { next };
}
