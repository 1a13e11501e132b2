// Removes a service worker that another program left at the gateway's address; without this script in its
// place, the worker would continue to answer instead of the gateway.

export interface LeftWorker {
  readonly registration: { unregister(): Promise<unknown> };
  readonly clients: {
    matchAll(options: {
      type: 'window';
      includeUncontrolled: true;
    }): Promise<readonly { readonly url: string; navigate(url: string): Promise<unknown> }[]>;
  };
  skipWaiting(): Promise<void>;
  addEventListener(
    type: 'install' | 'activate',
    listener: (event: { waitUntil(work: Promise<unknown>): void }) => void,
  ): void;
}

/** Unregisters the worker once it is active, and reloads all pages of the origin, bypassing the browser's cache. */
export function endWorker(scope: LeftWorker): void {
  scope.addEventListener('activate', (event) => event.waitUntil(end(scope)));
}

async function end({ registration, clients }: LeftWorker): Promise<void> {
  const pages = await clients.matchAll({ type: 'window', includeUncontrolled: true });
  await registration.unregister();
  for (const page of pages) {
    await fetch(page.url, { cache: 'reload' });
    await page.navigate(page.url);
  }
}
