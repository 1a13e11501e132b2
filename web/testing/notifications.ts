// Records browser notifications for a test: each as `title: body`, in order.
import { vi } from 'vitest';

/**
 * Replaces the browser's notifications with ones that need no permission; returns a list to which each one is
 * added when it is shown.
 */
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
