// The answer to a browser that looks for a service worker of this origin. The page has none: one that is registered is left
// over from another program that once had the port, and would go on answering in the gateway's place.
import type { IncomingMessage, ServerResponse } from 'node:http';

/** The end of any such worker: it takes its place, goes, and has its pages loaded from the gateway, past the browser's cache. */
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

/** True for a request for the script of a worker, which browsers mark and pages cannot. */
export const asksForWorker = ({ headers }: IncomingMessage): boolean =>
  headers['service-worker'] === 'script';

export function endWorker(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/javascript; charset=utf-8', 'cache-control': 'no-store' });
  response.end(END);
}
