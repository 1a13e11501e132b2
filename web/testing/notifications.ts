// The browser's notifications as a test sees them: each as `title: body`, in their order.
import { vi } from 'vitest';

/** Stands in for a browser that shows notifications without asking; returns those that are shown from then on. */
export function recordNotifications(): readonly string[] {
  const shown: string[] = [];
  class Recorded extends EventTarget {
    static readonly permission = 'granted';
    static requestPermission = (): Promise<string> => Promise.resolve('granted');
    constructor(head: string, { body = '' }: NotificationOptions = {}) {
      super();
      shown.push(`${head}: ${body}`);
    }
  }
  vi.stubGlobal('Notification', Recorded);
  return shown;
}
