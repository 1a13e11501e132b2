// Measures a hidden tab: its cost while its processes print, and its correctness when it becomes visible again.
import { setTimeout as sleep } from 'node:timers/promises';
import { BrowserPage } from '../rig/browser.ts';
import { Client, within } from '../rig/client.ts';
import type { Measure } from '../rig/measure.ts';
import { LINE } from '../rig/programs.ts';

/** Script that prints about two hundred lines a second until it reads a line, and then prints END. */
const SCRIPT = `stty -echo; i=0; until read -rt 0.005; do echo "$((i+=1)) ${LINE.slice(0, 40)}"; done; echo END; exec sleep 3600`;
const SETTLE_MS = 1000;
/** Time that a page needs to stop its work after it was hidden. */
const REST_MS = 2000;
const ASK_MS = 100;

export const pageHidden: Measure = {
  name: 'page-hidden',
  about: 'a tab with a busy terminal, visible and hidden: its main thread, and exactness when it comes back',
  servers: 'console',
  async run(subject, { seconds }) {
    const agent = await Client.open(subject);
    const chunks: Buffer[] = [];
    const process = await agent.start(['bash', '-c', SCRIPT], {
      tty: true,
      onOutput: (_, chunk) => chunks.push(chunk()),
    });
    const key = process.key ?? '';
    const browser = await BrowserPage.open(subject);
    await browser.show(key);
    await sleep(SETTLE_MS);
    const seen = await browser.busyPercent(seconds / 2);
    await browser.page.evaluate(hide);
    await sleep(REST_MS);
    const hidden = await browser.busyPercent(seconds / 2);
    // Bash drops input that arrives just when its `read` times out, so the line is written repeatedly.
    for (; !Buffer.concat(chunks.slice(-2)).includes('END'); await sleep(ASK_MS))
      await agent.write(process, '\n');
    await sleep(SETTLE_MS);
    const exact = browser.page.evaluate(showAndWait, key);
    const backMs = await within(exact, 'the end of the output on the screen');
    const lines = (await browser.lines(key)).map((line) => line.trimEnd()).filter((line) => line !== '');
    const printed = Buffer.concat(chunks)
      .toString()
      .split('\r\n')
      .filter((line) => line !== '');
    const expected = printed.slice(-lines.length);
    await browser.close();
    agent.close();
    if (lines.length === 0 || lines.join('\n') !== expected.join('\n'))
      throw new Error(`the screen differs from the output: ${JSON.stringify(lines)}`);
    return {
      'visible: main thread, % busy': seen,
      'hidden: main thread, % busy': hidden,
      'visible again → exact, ms': backMs,
    };
  },
};

/**
 * Runs in the page. Simulates hiding, which a script can't cause: notifies the page, withholds its frames and
 * pauses its animations.
 */
function hide(): void {
  const waiting = new Map<number, FrameRequestCallback>();
  const frame = requestAnimationFrame.bind(window);
  const cancel = cancelAnimationFrame.bind(window);
  // Ids of withheld frames are negative, so that they differ from the browser's.
  let lastId = 0;
  const animations = document.getAnimations();
  for (const animation of animations) animation.pause();
  Object.assign(window, {
    requestAnimationFrame: (callback: FrameRequestCallback) => {
      lastId -= 1;
      waiting.set(lastId, callback);
      return lastId;
    },
    cancelAnimationFrame: (id: number) => {
      if (!waiting.delete(id)) cancel(id);
    },
    showAgain: () => {
      window.requestAnimationFrame = frame;
      for (const animation of animations) animation.play();
      // A withheld frame stays in `waiting` until the browser's next frame, because the page may still cancel it.
      for (const [id, callback] of waiting) {
        frame((atMs) => {
          if (waiting.delete(id)) callback(atMs);
        });
      }
    },
  });
  Object.defineProperty(document, 'visibilityState', { configurable: true, value: 'hidden' });
  Object.defineProperty(document, 'hidden', { configurable: true, value: true });
  document.dispatchEvent(new Event('visibilitychange'));
}

/** Runs in the page. Resolves with the ms from becoming visible until the rows of this process contain END. */
function showAndWait(key: string): Promise<number> {
  const rows = document.querySelector(`[role="region"][data-process-key="${key}"] .xterm-rows`);
  const startedAt = performance.now();
  Object.defineProperty(document, 'visibilityState', { configurable: true, value: 'visible' });
  Object.defineProperty(document, 'hidden', { configurable: true, value: false });
  (window as unknown as { showAgain: () => void }).showAgain();
  document.dispatchEvent(new Event('visibilitychange'));
  return new Promise((resolve) => {
    const look = (): void => {
      if (rows?.textContent.includes('END')) resolve(performance.now() - startedAt);
      else requestAnimationFrame(look);
    };
    look();
  });
}
