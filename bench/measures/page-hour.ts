// Measures the growth of a page's memory use over an hour's output of a busy build, printed as fast as possible.
import { BrowserPage } from '../rig/browser.ts';
import { Client, within } from '../rig/client.ts';
import type { Followed } from '../rig/followed.ts';
import type { Measure } from '../rig/measure.ts';
import { LINE } from '../rig/programs.ts';

/** Output before the first reading, to fill the scrollback. */
const WARM_MB = 20;
/** Time limit: printing a gigabyte into a terminal takes 15 seconds, more on a busy machine. */
const LIMIT_MS = 600_000;

export const pageHour: Measure = {
  name: 'page-hour',
  about: 'memory of a page before and after an hour of output (--megabytes), all of it accounted for',
  servers: 'console',
  async run(subject, { megabytes }) {
    const agent = await Client.open(subject);
    const script = `stty -echo; ${flood(WARM_MB)}; read x; ${flood(megabytes)}; read x`;
    const hour = await agent.start(['bash', '-c', script], { tty: true });
    const browser = await BrowserPage.open(subject);
    const key = hour.key ?? '';
    await browser.show(key);
    await printed(hour, browser, WARM_MB);
    const before = await browser.use();
    const startedAtMs = performance.now();
    await agent.write(hour, '\n');
    await printed(hour, browser, WARM_MB + megabytes);
    const passedSeconds = (performance.now() - startedAtMs) / 1000;
    const after = await browser.use();
    const { bytes, missedBytes } = await browser.received(key);
    await browser.close();
    agent.close();
    if (bytes + missedBytes !== hour.bytes)
      throw new Error(`the page received ${bytes} and skipped ${missedBytes} of ${hour.bytes} bytes`);
    return {
      'printed, MB': hour.bytes / 1e6,
      'drawn, MB': bytes / 1e6,
      'took, s': passedSeconds,
      'heap before, MB': before.heapMb,
      'heap after, MB': after.heapMb,
      'heap, +MB': after.heapMb - before.heapMb,
      'more elements': after.nodes - before.nodes,
    };
  },
};

const flood = (megabytes: number): string => `yes ${LINE} | head -c ${megabytes}000000`;

/**
 * Returns the number of bytes that a terminal outputs for this many megabytes of lines: it turns each line end into
 * two bytes.
 */
const inTerminal = (megabytes: number): number =>
  megabytes * 1e6 + Math.floor((megabytes * 1e6) / (LINE.length + 1));

/** Resolves when the first `megabytes` of output have arrived in the page, or were reported to it as skipped. */
async function printed(process: Followed, browser: BrowserPage, megabytes: number): Promise<void> {
  const all = inTerminal(megabytes);
  const key = process.key ?? '';
  const isThere = browser.page.waitForFunction(
    ([k, expected]) => {
      const { bytes, missedBytes } = window.execConsole.received(k);
      return bytes + missedBytes >= expected;
    },
    [key, all] as const,
    { timeout: LIMIT_MS, polling: 200 },
  );
  await within(isThere, `${megabytes} MB of output in the page`, LIMIT_MS);
}
