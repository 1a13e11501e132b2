// The page below a path, behind a reverse proxy that strips the path, and as an installed app.
import { once } from 'node:events';
import { createServer, request, type IncomingMessage } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { ConsolePage, expect, test } from './fixtures.ts';
import { Gateway } from './gateway.ts';

const PATH = '/console/';

/** Starts a proxy that strips the path like a typical nginx, forwards WebSockets, and passes on the Host header. */
async function startProxy() {
  let target = 0;
  const strip = ({ url = '' }: IncomingMessage): string | null =>
    url.startsWith(PATH) ? `/${url.slice(PATH.length)}` : null;
  const proxy = createServer((from, response) => {
    const path = strip(from);
    if (path === null) {
      response.writeHead(404).end();
      return;
    }
    const { method, headers } = from;
    const onward = request({ host: '127.0.0.1', port: target, path, method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(response);
    });
    onward.on('error', () => response.destroy());
    from.pipe(onward);
  });
  proxy.on('upgrade', (from, socket) => {
    const path = strip(from);
    const onward = connect(target, '127.0.0.1', () => {
      const lines = Object.entries(from.headers).map(([name, value]) => `${name}: ${String(value)}`);
      onward.write([`GET ${path} HTTP/1.1`, ...lines, '', ''].join('\r\n'));
      socket.pipe(onward).pipe(socket);
    });
    for (const end of [socket, onward]) end.on('error', () => onward.destroy());
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  return {
    // Browsers resolve all names below localhost to this machine.
    url: `http://agents.localhost:${(proxy.address() as AddressInfo).port}${PATH}`,
    to: ({ url }: Gateway) => (target = Number(new URL(url).port)),
    close: () => {
      proxy.closeAllConnections();
      proxy.close();
    },
  };
}

test('the printed link opens a page that works behind a reverse proxy with a path', async ({ page }) => {
  const proxy = await startProxy();
  const gateway = await Gateway.start({ flags: ['--public-url', proxy.url] });
  proxy.to(gateway);
  try {
    expect(gateway.pageUrl).toMatch(`${proxy.url}#code=`);
    const console = await ConsolePage.of(page, gateway);
    const key = await console.start('echo below-a-path; read x');
    await console.shows(key, 'below-a-path');
    await page.reload();
    await console.isOnline();
    await console.shows(key, 'below-a-path');
  } finally {
    await gateway.stop();
    proxy.close();
  }
});

test('a reverse proxy without --public-url is rejected, and the page can be installed with its manifest and all icons', async ({
  page,
  gateway,
}) => {
  await test.step('a reverse proxy without --public-url is rejected', async () => {
    const proxy = await startProxy();
    proxy.to(gateway);
    try {
      expect((await page.goto(proxy.url))?.status()).toBe(421);
    } finally {
      proxy.close();
    }
  });
  await test.step('the page can be installed: its manifest and all its icons load', async () => {
    await page.goto(gateway.pageUrl);
    const link = await page.locator('link[rel="manifest"]').getAttribute('href');
    const url = new URL(link ?? '', page.url());
    const manifest = (await (await page.request.get(url.href)).json()) as {
      display: string;
      icons: { src: string; type: string; sizes: string }[];
    };
    expect(manifest.display).toBe('standalone');
    expect(manifest.icons.map(({ sizes }) => sizes)).toEqual(expect.arrayContaining(['192x192', '512x512']));
    for (const { src, type } of manifest.icons) {
      const icon = await page.request.get(new URL(src, url).href);
      expect([icon.status(), icon.headers()['content-type']]).toEqual([200, type]);
    }
  });
});
