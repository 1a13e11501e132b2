// Fixtures of the browser tests: a gateway, an agent, a signed-in page, and methods for people's actions.
import { createHash } from 'node:crypto';
import {
  test as base,
  type BrowserContext,
  type BrowserContextOptions,
  type Locator,
  type Page,
} from '@playwright/test';
import type { Limits } from '../server/config.ts';
import type { TestClient } from '../server/testing/test-client.ts';
import type { ScreenText } from '../web/screen/terminal/buffer-text.ts';
import { axeFindings } from './axe.ts';
import { expect } from './expect.ts';
import { Gateway, noKeepersLeft, PEOPLE, Proxy } from './gateway.ts';

interface Size {
  readonly rows: number;
  readonly cols: number;
}

/** `window.execConsole`, the interface for tests and scripts documented in `docs/automation.md`. */
interface ExecConsole {
  processes(): {
    key: string;
    session: string;
    argv: string[];
    state: string;
    size: Size | null;
    outputBytes: number;
  }[];
  open(key: string): void;
  text(key: string): string;
  screen(key: string): ScreenText;
  write(key: string, text: string): Promise<unknown>;
  received(key: string): { bytes: number; sha256: string; missedBytes: number };
  replayScreen(key: string): ScreenText | null;
}

declare global {
  interface Window {
    execConsole: ExecConsole;
  }
}

/** Limits with which a terminal is reported as waiting for input after 0.3 s instead of 3 s. */
export const SOON_WAITING: Partial<Limits> = {
  waitingQuietMs: 300,
  waitingLookMs: 100,
  waitingAgainMs: 300,
};

export class ConsolePage {
  readonly page: Page;
  constructor(page: Page) {
    this.page = page;
  }

  /** Signs a page in at this gateway; resolves when the page is online. */
  static async of(page: Page, gateway: Gateway): Promise<ConsolePage> {
    await page.goto(gateway.pageUrl);
    const console = new ConsolePage(page);
    await console.isOnline();
    await expect(console.connection).toBeVisible();
    return console;
  }

  row(key: string): Locator {
    return this.page.locator(`[role="row"][data-process-key="${key}"]`);
  }
  pane(key: string): Locator {
    return this.page.locator(`[role="region"][data-process-key="${key}"]`);
  }
  get connection(): Locator {
    return this.page.locator('[role="status"][data-connection-state]');
  }

  async isOnline(): Promise<void> {
    await expect(this.connection).toHaveAttribute('data-connection-state', 'online');
  }

  async open(key: string): Promise<Locator> {
    await this.row(key).click();
    await expect(this.pane(key)).toBeVisible();
    return this.pane(key);
  }

  /** Closes all panes, which restores the initial layout. */
  async closePanes(): Promise<void> {
    const close = this.page.getByRole('button', { name: 'Close tab' });
    while ((await close.count()) > 0) await close.first().click();
  }

  async text(key: string): Promise<string> {
    await this.#isMade(key);
    return this.page.evaluate((k) => window.execConsole.text(k), key);
  }
  async screen(key: string): Promise<ScreenText> {
    await this.#isMade(key);
    return this.page.evaluate((k) => window.execConsole.screen(k), key);
  }
  async received(key: string): Promise<{ bytes: number; sha256: string; missedBytes: number }> {
    await this.#isMade(key);
    return this.page.evaluate((k) => window.execConsole.received(k), key);
  }
  /** Resolves when the pane's terminal exists; it may be created later than the pane. */
  async #isMade(key: string): Promise<void> {
    await this.pane(key).locator('.pane-views').waitFor({ state: 'attached' });
  }

  /** Resolves with the number of output bytes that the page's list shows; 0 if the process is not listed. */
  printed(key: string): Promise<number> {
    return this.page.evaluate(
      (of) => window.execConsole.processes().find((process) => process.key === of)?.outputBytes ?? 0,
      key,
    );
  }

  async shows(key: string, text: string | RegExp): Promise<void> {
    const pattern = typeof text === 'string' ? new RegExp(escape(text)) : text;
    await expect.poll(() => this.text(key)).toMatch(pattern);
  }

  /** Resolves with the process's size once it differs from `former`. */
  async sizeOtherThan(key: string, former: Size): Promise<Size> {
    const handle = await this.page.waitForFunction(
      ([k, { rows, cols }]) => {
        const size = window.execConsole.processes().find((process) => process.key === k)?.size;
        return size && (size.rows !== rows || size.cols !== cols) ? size : null;
      },
      [key, former] as const,
    );
    const size = await handle.jsonValue();
    if (!size) throw new Error('invariant violation: waited for a size and got none');
    return size;
  }

  /** Clicks a terminal, so that keys go to its program. */
  async typeInto(key: string): Promise<void> {
    await this.pane(key).locator('.xterm').click();
    await expect(this.pane(key)).toHaveClass(/typing/);
  }

  /** Focuses the pane instead of its terminal, so that keys go to the page. */
  async leaveTerminal(key: string): Promise<void> {
    await this.pane(key).focus();
    await expect(this.pane(key)).not.toHaveClass(/typing/);
  }

  async type(key: string, text: string): Promise<void> {
    await this.pane(key).locator('.xterm').click();
    await this.page.keyboard.type(text);
  }

  /** Starts a process from the dialog, and resolves with its key. */
  async start(command: string, options: { tty?: boolean } = {}): Promise<string> {
    const before = await this.page.evaluate(() => window.execConsole.processes().map(({ key }) => key));
    await this.page.getByRole('button', { name: 'New process' }).first().click();
    const dialog = this.page.getByRole('dialog');
    await dialog.getByLabel('Command', { exact: true }).fill(command);
    if (options.tty === false) await dialog.getByRole('radio', { name: /pipes/i }).check();
    await dialog.getByRole('button', { name: 'Start' }).click();
    await expect(dialog).toBeHidden();
    const key = await this.page.waitForFunction(
      // An agent's processes may appear meanwhile, so only the console's own ones are considered.
      (known) =>
        window.execConsole
          .processes()
          .find(({ key, session }) => session === 'console' && !known.includes(key))?.key,
      before,
    );
    return String(await key.jsonValue());
  }
}

const escape = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

export const sh = (script: string): string[] => ['/bin/sh', '-c', script];

/** Resolves when all pending changes of the page have been drawn. */
export const drawn = (page: Page): Promise<unknown> =>
  page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));

/** Expects no axe violations. Terminals are skipped; their text for screen readers has separate tests. */
export async function expectAccessible(page: Page): Promise<void> {
  // Elements have too little contrast while fading in.
  await page.evaluate(() =>
    Promise.allSettled(
      document
        .getAnimations()
        .filter(({ effect }) => effect?.getTiming().iterations !== Number.POSITIVE_INFINITY)
        .map(({ finished }) => finished),
    ),
  );
  expect(await axeFindings(page)).toEqual([]);
}

export const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

interface Fixtures {
  /** Limits for the gateway that replace the defaults. */
  limits: Partial<Limits>;
  flags: readonly string[];
  gateway: Gateway;
  agent: TestClient;
  network: Proxy;
  /** A signed-in page with a direct connection. */
  console: ConsolePage;
  /** A signed-in page that connects through `network`. */
  proxied: ConsolePage;
  /** Opens another page of the same browser, which uses the same credential. */
  secondPage: () => Promise<ConsolePage>;
  /** Opens another person's page in a separate browser context, with these `options`. */
  pageOf: (name: keyof typeof PEOPLE, options?: BrowserContextOptions) => Promise<ConsolePage>;
}

export const test = base.extend<Fixtures, { keepersEnd: void }>({
  keepersEnd: [
    // oxlint-disable-next-line no-empty-pattern
    async ({}, provide) => {
      await provide();
      await noKeepersLeft();
    },
    { scope: 'worker', auto: true },
  ],
  limits: [{}, { option: true }],
  flags: [[], { option: true }],
  gateway: async ({ limits, flags }, provide) => {
    const gateway = await Gateway.start({ limits, flags });
    await provide(gateway);
    await gateway.stop();
  },
  agent: async ({ gateway }, provide) => provide(await gateway.agent()),
  network: async ({ gateway }, provide) => {
    const network = await Proxy.before(gateway.url);
    await provide(network);
    network.close();
  },
  console: async ({ gateway, page }, provide) => provide(await ConsolePage.of(page, gateway)),
  proxied: async ({ gateway, page, network }, provide) => {
    await page.goto(network.through(gateway.pageUrl));
    const console = new ConsolePage(page);
    await console.isOnline();
    await provide(console);
  },
  pageOf: async ({ browser, gateway }, provide) => {
    const contexts: BrowserContext[] = [];
    await provide(async (name, options = {}) => {
      const context = await browser.newContext(options);
      contexts.push(context);
      const page = await context.newPage();
      await page.goto(await gateway.freshLink(PEOPLE[name], name));
      const console = new ConsolePage(page);
      await console.isOnline();
      return console;
    });
    for (const context of contexts) await context.close();
  },
  secondPage: async ({ context, gateway }, provide) => {
    await provide(async () => {
      const page = await context.newPage();
      await page.goto(new URL('/', gateway.pageUrl).href);
      const console = new ConsolePage(page);
      await console.isOnline();
      return console;
    });
  },
});

export { expect };
