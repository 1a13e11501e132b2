// Simulates a page in the background, and records its notifications.
import type { ConsolePage } from './fixtures.ts';

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

/** Records the notifications that the page shows. */
export async function recordNotifications(console: ConsolePage): Promise<() => Promise<string[]>> {
  await console.page.addInitScript(() => {
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
  await console.page.reload();
  await console.isOnline();
  return () =>
    console.page.evaluate(() => (window as unknown as { shownNotifications: string[] }).shownNotifications);
}

/** Hides the page, whose clock the test can advance from then on. */
export async function leave(console: ConsolePage): Promise<void> {
  await console.page.clock.install();
  await console.page.reload();
  await console.isOnline();
  await setHidden(console, true);
}
