// Measures the time from a click on a row to an exact screen, for terminals that have printed over a mebibyte.
import { BrowserPage } from '../rig/browser.ts';
import { Client, within } from '../rig/client.ts';
import type { Measure } from '../rig/measure.ts';
import { percentile } from '../rig/statistics.ts';

const PROCESSES = 10;
/** Number of lines of nine bytes, slightly more than a process's event log retains. */
const LINES = 120_000;
const ROWS = 24;
const SCRIPT = `seq -f %07.0f 1 ${LINES}; echo END; exec sleep 3600`;

/** Final screen: the last lines, END, and the empty line with the cursor. */
const EXPECTED = [
  ...Array.from({ length: ROWS - 2 }, (_, row) => String(LINES - ROWS + 3 + row).padStart(7, '0')),
  'END',
  '',
];

export const pageOpening: Measure = {
  name: 'page-opening',
  about: 'click on a row → exact screen, of terminals that have printed 1 MiB',
  servers: 'console',
  async run(subject) {
    const agent = await Client.open(subject);
    const keys: string[] = [];
    for (let index = 0; index < PROCESSES; index += 1) keys.push(await startPrinted(agent));
    const browser = await BrowserPage.open(subject);
    const first = await open(browser, keys[0] ?? '');
    const others: Opened[] = [];
    for (const key of keys.slice(1)) others.push(await open(browser, key));
    await browser.close();
    agent.close();
    const exact = others.map(({ exactMs }) => exactMs);
    return {
      // The first opening is reported separately, because it also loads the terminal module.
      'the first, ms': first.exactMs,
      'others, something to read p50, ms': percentile(
        others.map(({ readableMs }) => readableMs),
        0.5,
      ),
      'others p50, ms': percentile(exact, 0.5),
      'others, longest, ms': Math.max(...exact),
    };
  },
};

/** Starts a process, and resolves with its key when it has printed everything. */
async function startPrinted(agent: Client): Promise<string> {
  let tail = '';
  let resolve: () => void = () => {};
  const isPrinted = new Promise<void>((done) => (resolve = done));
  const onOutput = (_: number, chunk: () => Buffer): void => {
    tail = (tail + chunk().toString()).slice(-16);
    if (tail.includes('END')) resolve();
  };
  const { key } = await agent.start(['sh', '-c', SCRIPT], { tty: true, onOutput });
  await within(isPrinted, 'the output of a terminal');
  return key ?? '';
}

interface Opened {
  readonly readableMs: number;
  readonly exactMs: number;
}

async function open(browser: BrowserPage, key: string): Promise<Opened> {
  const shown = browser.page.evaluate(watchPane, key);
  await browser.row(key).click();
  const opened = await within(shown, 'the end of the output on the screen');
  const lines = await browser.lines(key);
  const isExact = EXPECTED.every((expected, row) => (lines[row] ?? '').trimEnd() === expected);
  if (!isExact) throw new Error(`the screen differs from the output: ${JSON.stringify(lines)}`);
  return opened;
}

/**
 * Runs in the page. Resolves with the ms from the next click to the first text in this pane, and to the end of the
 * output in it.
 */
function watchPane(key: string): Promise<Opened> {
  return new Promise((resolve) => {
    let clickedAt: number | null = null;
    let readableMs: number | null = null;
    addEventListener('click', ({ timeStamp }) => (clickedAt ??= timeStamp), { capture: true });
    const rows = `[role="region"][data-process-key="${key}"] .xterm-rows`;
    const observer = new MutationObserver(() => {
      const text = document.querySelector(rows)?.textContent.trim() ?? '';
      if (clickedAt === null || text === '') return;
      readableMs ??= performance.now() - clickedAt;
      if (!text.includes('END')) return;
      observer.disconnect();
      resolve({ readableMs, exactMs: performance.now() - clickedAt });
    });
    observer.observe(document.body, { childList: true, subtree: true, characterData: true });
  });
}
