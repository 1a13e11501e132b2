// The page loaded in happy-dom with an in-memory gateway: the fixture of page tests, and methods for people's actions.
import { afterEach, beforeEach, vi } from 'vitest';
import type { ExecClientOptions } from '../../client/create-client.ts';
import { installBrowser, resetBrowser } from './browser.ts';
import { hold, Locator, newUser, press, type } from './locator.ts';
import { expect } from './matchers.ts';
import { PageGateway, type PageAgent } from './page-gateway.ts';

export { comeIntoView, setMedia } from './browser.ts';
export { expect } from './matchers.ts';
export { sh } from './page-gateway.ts';
export { Locator } from './locator.ts';

/**
 * Functions that end the page: they remove its listeners from the window and the document, unmount it, and close its
 * connection.
 */
let endings: (() => void)[] = [];
let root: HTMLElement | null = null;

installBrowser();
for (const target of [window, document]) {
  const add = target.addEventListener.bind(target);
  target.addEventListener = (
    name: string,
    listener: EventListenerOrEventListenerObject,
    options?: boolean | AddEventListenerOptions,
  ) => {
    add(name, listener, options);
    if (root) endings.push(() => target.removeEventListener(name, listener, options));
  };
}

/** One page with one gateway. */
export class TestPage extends Locator {
  readonly gateway = new PageGateway();
  readonly agent: PageAgent = this.gateway.agent();
  readonly keyboard = { press, type, hold };
  /** True when this browser has a credential; set it before `load`. */
  isSignedIn = true;

  constructor() {
    super('the page', () => [document.documentElement]);
  }

  /** Loads the page; if signed in, resolves once it is online. */
  async load(): Promise<this> {
    await this.#load();
    if (this.isSignedIn) await this.isOnline();
    return this;
  }

  async reload(): Promise<void> {
    this.close();
    await this.load();
  }

  close(): void {
    unload();
  }

  async #load(): Promise<void> {
    newUser();
    root = document.createElement('div');
    root.id = 'root';
    document.head.innerHTML = '<title>exec-console</title><link rel="icon" href="./favicon.svg" />';
    document.body.replaceChildren(root);
    vi.resetModules();
    const { isSignedIn, gateway } = this;
    vi.doMock('../state/page/credential.ts', async (original) => ({
      ...(await original<object>()),
      whyInsecure: () => null,
      readCredential: () => Promise.resolve(isSignedIn ? { id: 'own' } : null),
      openSocket: () => gateway.fake.dial(),
    }));
    // A browser discards the page when it is left, so the test unmounts it.
    vi.doMock('react-dom/client', async (original) => {
      const { createRoot } = await original<typeof import('react-dom/client')>();
      return {
        createRoot: (element: Element) => {
          const made = createRoot(element);
          endings.push(() => made.unmount());
          return made;
        },
      };
    });
    vi.doMock('../../client/create-client.ts', async (original) => {
      const { createExecClient } = await original<typeof import('../../client/create-client.ts')>();
      return {
        createExecClient: (options: ExecClientOptions) => {
          const client = createExecClient(options);
          endings.push(() => client.connection.close());
          return client;
        },
      };
    });
    await import('../main.tsx');
  }

  async isOnline(): Promise<void> {
    await expect(this.connection).toHaveAttribute('data-connection-state', 'online');
  }

  get connection(): Locator {
    return this.locator('[role="status"][data-connection-state]');
  }
  row(key: string): Locator {
    return this.locator(`[role="row"][data-process-key="${key}"]`);
  }
  pane(key: string): Locator {
    return this.locator(`[role="region"][data-process-key="${key}"]`);
  }

  async open(key: string): Promise<Locator> {
    await this.row(key).click();
    await expect(this.pane(key)).toBeVisible();
    return this.pane(key);
  }

  /** Returns the keys of the rows in screen order. */
  keys(): string[] {
    return this.locator('[role="row"][data-process-key]')
      .all()
      .toSorted((a, b) => Number(a.getAttribute('aria-rowindex')) - Number(b.getAttribute('aria-rowindex')))
      .map((row) => row.getAttribute('data-process-key') ?? '');
  }

  /** Moves the pointer off the list, so that its rows can move. */
  leaveList(): Promise<void> {
    return this.locator('main').hover();
  }
}

/** Creates a page with a new gateway; the pages of a test share the browser's storage. */
export const newPage = (): TestPage => new TestPage();

/** Notifies the page that it is hidden or visible, as a browser would. */
export function setHidden(isHidden: boolean): void {
  const value = isHidden ? 'hidden' : 'visible';
  Object.defineProperty(document, 'visibilityState', { configurable: true, value });
  Object.defineProperty(document, 'hasFocus', { configurable: true, value: () => !isHidden });
  document.dispatchEvent(new Event('visibilitychange'));
}

beforeEach(() => {
  resetBrowser();
  setHidden(false);
  localStorage.clear();
  sessionStorage.clear();
});

afterEach(() => {
  unload();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

function unload(): void {
  window.dispatchEvent(new Event('pagehide'));
  for (const end of endings.toReversed()) end();
  endings = [];
  root = null;
  document.body.replaceChildren();
}
