// Simulates a page in the background, and records its notifications.
import type { Page } from '@playwright/test';
import { ConsolePage } from './fixtures.ts';
import type { Gateway } from './gateway.ts';

/** Notifies the page that it is hidden or visible, since a test can't hide it. */
export async function setHidden(console: ConsolePage, isHidden: boolean): Promise<void> {
  await console.page.evaluate((hidden) => {
    Object.defineProperty(document, 'visibilityState', {
      configurable: true,
      value: hidden ? 'hidden' : 'visible',
    });
    Object.defineProperty(document, 'hasFocus', { configurable: true, value: () => !hidden });
    document.dispatchEvent(new Event('visibilitychange'));
  }, isHidden);
}

/** Records the notifications of a page from its next load on; resolves with a function that returns them. */
export async function recordNotifications(page: Page): Promise<() => Promise<string[]>> {
  await page.addInitScript(() => {
    const shown: string[] = [];
    Object.assign(window, { shownNotifications: shown });
    class Recorded extends EventTarget {
      static readonly permission = 'granted';
      static requestPermission = () => Promise.resolve('granted');
      constructor(title: string, { body = '' }: NotificationOptions = {}) {
        super();
        shown.push(`${title}: ${body}`);
      }
      close(): void {}
    }
    Object.assign(window, { Notification: Recorded });
  });
  return () =>
    page.evaluate(() => (window as unknown as { shownNotifications: string[] }).shownNotifications);
}

/** Opens a page and hides it; the test can then advance the page's clock. */
export async function leftPage(page: Page, gateway: Gateway): Promise<ConsolePage> {
  await page.clock.install();
  const console = await ConsolePage.of(page, gateway);
  await setHidden(console, true);
  return console;
}
