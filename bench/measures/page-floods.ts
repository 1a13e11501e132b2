// Measures eight visible terminals that flood: the page must still respond, and interrupts must still arrive.
import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { BrowserPage } from '../rig/browser.ts';
import { Client, within } from '../rig/client.ts';
import type { Measure } from '../rig/measure.ts';
import { FLOOD } from '../rig/programs.ts';
import { percentile } from '../rig/statistics.ts';

/**
 * Position of each pane after the first: index of an earlier pane, and side of that pane. The panes form two columns of
 * four.
 */
const PLACES = [
  [0, 'right'],
  [0, 'below'],
  [1, 'below'],
  [0, 'below'],
  [1, 'below'],
  [2, 'below'],
  [3, 'below'],
] as const;
const CLICKS = 30;
const INTERRUPTS = 2 * (PLACES.length + 1);
const SETTLE_MS = 3000;
/** Time that a new process needs to reach the output rate of the others. */
const REST_MS = 500;
const LOOK_MS = 1;

export const pageFloods: Measure = {
  name: 'page-floods',
  about: '8 terminals flooding in 8 panes: a click answered, Ctrl-C → process gone with all eight flooding',
  servers: 'console',
  async run(subject) {
    const agent = await Client.open(subject);
    const browser = await BrowserPage.open(subject);
    const keys: string[] = [];
    for (let index = 0; index <= PLACES.length; index += 1) keys.push(await flood(agent));
    await browser.show(keys[0] ?? '');
    for (const [index, [beside, where]] of PLACES.entries())
      await browser.showBeside(keys[index + 1] ?? '', keys[beside] ?? '', where);
    await sleep(SETTLE_MS);
    let clicks: readonly number[] = [];
    const longestTaskMs = await browser.longestTaskMs(async () => {
      clicks = await click(browser);
    });
    const interrupts: number[] = [];
    for (let count = 0; count < INTERRUPTS; count += 1) {
      const at = count % keys.length;
      interrupts.push(await interrupt(browser, keys[at] ?? ''));
      // A new process replaces the interrupted one, so that all eight panes flood again at the next interrupt.
      keys[at] = await flood(agent);
      await browser.show(keys[at]);
      await browser.mustShow(keys);
      await sleep(REST_MS);
    }
    await browser.close();
    agent.close();
    return {
      'click → painted p50, ms': percentile(clicks, 0.5),
      'click → painted, longest, ms': Math.max(...clicks),
      'longest task of the page, ms of CPU': longestTaskMs,
      'Ctrl-C → gone p50, ms': percentile(interrupts, 0.5),
      'Ctrl-C → gone, longest, ms': Math.max(...interrupts),
    };
  },
};

async function flood(agent: Client): Promise<string> {
  const { key } = await agent.start(FLOOD, { tty: true });
  return key ?? '';
}

/** Opens the palette repeatedly; returns the delays in ms, except that of the first opening, which loads a module. */
async function click({ page }: BrowserPage): Promise<number[]> {
  const button = page.getByRole('button', { name: 'Commands' });
  const probe = await page.evaluateHandle(watchDialogs);
  const delays: number[] = [];
  for (let count = 0; count <= CLICKS; count += 1) {
    await button.click();
    const painted = probe.evaluate(({ next }) => next());
    delays.push(await within(painted, 'the palette'));
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  }
  return delays.slice(1);
}

/**
 * Runs in the page. `next` resolves with the ms from a click until the dialog opened by the click has been painted. A
 * message sent in a frame arrives after that frame has been painted.
 */
function watchDialogs(): { next: () => Promise<number> } {
  let clickedAt: number | null = null;
  let delay: number | null = null;
  let answer: (() => void) | null = null;
  const click = ({ timeStamp }: MouseEvent): void => void (clickedAt = timeStamp);
  addEventListener('click', click, { capture: true });
  const painted = new MessageChannel();
  painted.port1.addEventListener('message', () => {
    if (clickedAt === null) return;
    delay = performance.now() - clickedAt;
    clickedAt = null;
    answer?.();
  });
  // A port with a listener added by `addEventListener` must be started explicitly.
  painted.port1.start();
  new MutationObserver(() => {
    if (clickedAt !== null && document.querySelector('[role="dialog"]'))
      requestAnimationFrame(() => painted.port2.postMessage(null));
  }).observe(document.body, { childList: true, subtree: true });
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

async function interrupt(browser: BrowserPage, key: string): Promise<number> {
  await browser.focus(key);
  const pid = await browser.pidOf(key);
  const pressed = await browser.page.evaluateHandle(watchInterrupt);
  const gone = goneAtMs(pid);
  await browser.page.keyboard.press('Control+c');
  const at = await within(gone, `the end of process ${pid}`);
  return at - (await pressed.evaluate(({ atMs }) => atMs));
}

/** Runs in the page; records the time of the last press of C, in ms since the epoch. */
function watchInterrupt(): { atMs: number } {
  const seen = { atMs: Number.NaN };
  const press = ({ key, timeStamp }: KeyboardEvent): void => {
    if (key === 'c') seen.atMs = performance.timeOrigin + timeStamp;
  };
  // The capture phase is used, because the terminal would otherwise handle the key first.
  addEventListener('keydown', press, { capture: true });
  return seen;
}

/** Resolves when the process is gone, with the time in ms since the epoch. */
async function goneAtMs(pid: number): Promise<number> {
  while (existsSync(`/proc/${pid}`)) await sleep(LOOK_MS);
  return performance.timeOrigin + performance.now();
}
