// A browser with the console open, and methods for a person's actions.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Browser, CDPSession, Locator, Page } from '@playwright/test';
import type { Subject } from './measure.ts';

/** Window size with room for eight panes. */
const VIEWPORT = { width: 1920, height: 1080 };
const FLAGS = [
  '--no-sandbox',
  '--disable-background-networking',
  '--disable-component-update',
  '--no-first-run',
];

interface PageUse {
  readonly heapMb: number;
  readonly nodes: number;
}

/** Trace event of the browser; `tdur` is the CPU time of a task in µs. */
interface TraceEvent {
  readonly pid: number;
  readonly tid: number;
  readonly tdur?: number;
  readonly args?: { readonly name?: string };
}

export class BrowserPage {
  readonly page: Page;
  readonly #browser: Browser;
  readonly #devtools: CDPSession;

  private constructor(browser: Browser, page: Page, devtools: CDPSession) {
    this.#browser = browser;
    this.page = page;
    this.#devtools = devtools;
  }

  static async open({ pageUrl }: Subject): Promise<BrowserPage> {
    if (pageUrl === null) throw new Error('the server has no page');
    // Playwright is loaded only now: every measure's process imports this file, and a process that has loaded
    // Playwright has slower garbage collections.
    const { chromium } = await import('@playwright/test');
    const executablePath = process.env['CHROMIUM_PATH'];
    const browser = await chromium.launch({ ...(executablePath && { executablePath }), args: FLAGS });
    const context = await browser.newContext({ viewport: VIEWPORT });
    // The TypeScript loader adds calls of `__name` to the probes, so the page must define it.
    await context.addInitScript({ content: 'globalThis.__name = (named) => named;' });
    const page = await context.newPage();
    const devtools = await context.newCDPSession(page);
    await devtools.send('Performance.enable');
    await page.goto(pageUrl);
    await page.locator('[role="status"][data-connection-state="online"]').waitFor();
    return new BrowserPage(browser, page, devtools);
  }

  row(key: string): Locator {
    return this.page.locator(`[role="row"][data-process-key="${key}"]`);
  }

  pane(key: string): Locator {
    return this.page.locator(`[role="region"][data-process-key="${key}"]`);
  }

  async show(key: string): Promise<void> {
    await this.row(key).click();
    await this.pane(key).locator('.xterm-rows').waitFor();
  }

  async showBeside(key: string, other: string, where: 'right' | 'below'): Promise<void> {
    await this.focus(other);
    await this.row(key).focus();
    await this.page.keyboard.press(where === 'right' ? 'v' : 's');
    await this.pane(key).locator('.xterm-rows').waitFor();
  }

  /** Throws unless exactly these panes are visible. */
  async mustShow(keys: readonly string[]): Promise<void> {
    const panes = this.page.locator('[role="region"][data-process-key]');
    const shown = await panes.evaluateAll((all) =>
      all
        .filter((pane) => pane.checkVisibility({ visibilityProperty: true }))
        .map((pane) => pane.getAttribute('data-process-key')),
    );
    if (shown.length !== keys.length || !keys.every((key) => shown.includes(key)))
      throw new Error(`the panes show ${shown.join()} instead of ${keys.join()}`);
  }

  async focus(key: string): Promise<void> {
    await this.pane(key).locator('.xterm').click();
  }

  async pidOf(key: string): Promise<number> {
    const info: object | undefined = await this.page.evaluate(
      (k) => window.execConsole.processes().find((each) => each.key === k),
      key,
    );
    if (!info || !('pid' in info)) throw new Error(`the page does not list process ${key}`);
    return Number(info.pid);
  }

  lines(key: string): Promise<readonly string[]> {
    return this.page.evaluate((k) => window.execConsole.screen(k).lines, key);
  }

  received(key: string): Promise<{ bytes: number; missedBytes: number }> {
    return this.page.evaluate((k) => window.execConsole.received(k), key);
  }

  /** Returns the heap size and the number of nodes after a garbage collection. */
  async use(): Promise<PageUse> {
    await this.#devtools.send('HeapProfiler.collectGarbage');
    const of = await this.#metrics();
    return { heapMb: of('JSHeapUsedSize') / 1e6, nodes: of('Nodes') };
  }

  /** Returns the main thread's load over this time, in percent. */
  async busyPercent(seconds: number): Promise<number> {
    const [before, beforeMs] = [(await this.#metrics())('TaskDuration'), performance.now()];
    await sleep(seconds * 1000);
    const after = (await this.#metrics())('TaskDuration');
    return ((after - before) / ((performance.now() - beforeMs) / 1000)) * 100;
  }

  /**
   * Returns the CPU time in ms of the main thread's longest task during `meanwhile`; CPU time excludes other
   * load on the machine.
   */
  async longestTaskMs(meanwhile: () => Promise<void>): Promise<number> {
    const devtools = await this.#browser.newBrowserCDPSession();
    const events: TraceEvent[] = [];
    devtools.on('Tracing.dataCollected', ({ value }) => events.push(...(value as unknown as TraceEvent[])));
    await devtools.send('Tracing.start', { traceConfig: { includedCategories: ['toplevel'] } });
    await meanwhile();
    const complete = new Promise((resolve) => devtools.once('Tracing.tracingComplete', resolve));
    await devtools.send('Tracing.end');
    await complete;
    const main = events.filter(({ args }) => args?.name === 'CrRendererMain');
    const isMain = (event: TraceEvent): boolean =>
      main.some(({ pid, tid }) => pid === event.pid && tid === event.tid);
    const tasks = events.filter((event) => event.tdur !== undefined && isMain(event));
    return Math.max(...tasks.map(({ tdur = 0 }) => tdur)) / 1000;
  }

  async #metrics(): Promise<(name: string) => number> {
    const { metrics } = await this.#devtools.send('Performance.getMetrics');
    return (name) => metrics.find((metric) => metric.name === name)?.value ?? Number.NaN;
  }

  async close(): Promise<void> {
    await this.#browser.close();
  }
}
