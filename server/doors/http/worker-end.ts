// The answer to a browser that requests a service worker of this origin. The page has none: a registered one is left
// over from another program that had the port before, and would go on answering instead of the gateway.
import type { IncomingMessage, ServerResponse } from 'node:http';

/**
 * Script that ends any such worker: it replaces the worker, unregisters, and reloads its pages from the gateway, past
 * the browser's cache.
 */
const END = `self.addEventListener('install', () => self.skipWaiting());
self.addEventListener('activate', (event) => {
  const end = async () => {
    const pages = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
    await self.registration.unregister();
    for (const page of pages) {
      await fetch(page.url, { cache: 'reload' });
      await page.navigate(page.url);
    }
  };
  event.waitUntil(end());
});
`;

/** True for a request for a worker's script, which browsers mark and pages cannot. */
export const asksForWorker = ({ headers }: IncomingMessage): boolean =>
  headers['service-worker'] === 'script';

export function endWorker(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/javascript; charset=utf-8', 'cache-control': 'no-store' });
  response.end(END);
}
