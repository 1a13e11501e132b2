// A page in the background, and the notifications that it has the browser show.
import type { ConsolePage } from './fixtures.ts';

/** Notifies the page that it is hidden or visible, as a browser would; a test cannot hide a page. */
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

/** Records the notifications that the page has the browser show. */
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
