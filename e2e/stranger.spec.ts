// Another program on a former gateway's port: it receives nothing useful. Rules AU22 to AU25, AU27 and AU32.
import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { connect, createServer, type Socket } from 'node:net';
import { ConsolePage, expect, expectAccessible, test } from './fixtures.ts';
import { Gateway } from './gateway.ts';
import { WITHOUT_KEEPER } from '../server/testing/keeper-tests.ts';

/** Listens on a former gateway's address, records all received data, and answers or forwards it. */
async function strangerAt(
  url: string,
  behave: { readonly answer: string; readonly type?: string } | { readonly passTo: number },
): Promise<{ sent: () => string; close: () => Promise<void> }> {
  const chunks: Buffer[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('data', (chunk) => chunks.push(chunk));
    if ('answer' in behave) {
      const { answer, type = 'application/json' } = behave;
      const status = answer === '' ? 404 : 200;
      const head = `HTTP/1.1 ${status} Answer\r\nContent-Type: ${type}\r\nContent-Length: ${answer.length}\r\nConnection: close\r\n\r\n`;
      socket.on('data', () => socket.end(head + answer));
      return;
    }
    const passed = connect(behave.passTo, '127.0.0.1');
    sockets.add(passed);
    passed.on('error', () => {});
    socket.pipe(passed).pipe(socket);
  });
  server.listen(Number(new URL(url).port), '127.0.0.1');
  await once(server, 'listening');
  return {
    sent: () => Buffer.concat(chunks).toString('latin1'),
    close: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Reply of a program that imitates the gateway. */
const IMITATION = JSON.stringify({ nonce: 'N'.repeat(75), proof: 'P'.repeat(43) });

/** Returns everything that the page stores, as text; a key is represented by whether it can be exported. */
const storedByPage = ({ page }: ConsolePage): Promise<string> =>
  page.evaluate(async () => {
    const databases = await indexedDB.databases();
    const opening = indexedDB.open('exec-console', 1);
    opening.addEventListener('upgradeneeded', () => opening.result.createObjectStore('keys'));
    const database = await new Promise<IDBDatabase>((resolve) =>
      opening.addEventListener('success', () => resolve(opening.result)),
    );
    const asking = database.transaction('keys').objectStore('keys').getAll();
    const keys = await new Promise<Record<string, CryptoKey>[]>((resolve) =>
      asking.addEventListener('success', () => resolve(asking.result as Record<string, CryptoKey>[])),
    );
    database.close();
    const readable = keys.flatMap((each) => Object.values(each)).map(({ extractable }) => extractable);
    return JSON.stringify({ storage: Object.entries(localStorage), databases, keys: readable });
  });

test('[AU22] [AU23] a page stores no readable key or token, and stops when a program imitates its gateway', async ({
  console,
  gateway,
}) => {
  await test.step('[AU22] a page stores a key that cannot be read, and no token', async () => {
    const all = await storedByPage(console);
    expect(all).toContain('"keys":[false,false]');
    expect(all).not.toContain('token');
  });
  await test.step('[AU23] a page stops when a program imitates its gateway, and has sent nothing useful', async () => {
    await gateway.kill();
    const stranger = await strangerAt(gateway.url, { answer: IMITATION });
    const { page } = console;
    await expect(page.getByRole('heading', { name: 'Another program answers at this address' })).toBeVisible({
      timeout: 45_000,
    });
    await expectAccessible(page);
    const asked = stranger.sent();
    expect(asked).toMatch(/^GET \/auth\/challenge\?id=[\w-]{43}&nonce=[\w-]{24} HTTP/m);
    // The page may still load its own modules: the browser verifies their hashes, and the requests contain no
    // secret.
    const requests = asked.match(/^[A-Z]+ .* HTTP\/1\.1\r$/gm) ?? [];
    for (const line of requests) expect(line).toMatch(/^GET \/(auth\/challenge\?|assets\/[\w-]+\.js )/);
    expect(asked).not.toMatch(/upgrade: websocket|authorization|exec-console\.|initialize/i);
    expect(await storedByPage(console)).toContain('"keys":[]');
    await stranger.close();
  });
});

test('[AU32] a page runs no script of another program at its address, and continues without that part', async ({
  console,
  gateway,
}) => {
  const { page } = console;
  const hasRun = (): Promise<boolean> => page.evaluate(() => 'stranger' in document.documentElement.dataset);
  const openSettings = (): Promise<void> => page.getByRole('button', { name: 'Settings' }).click();
  await gateway.kill();
  const script =
    'document.documentElement.dataset.stranger = "has run"; export const SettingsDialog = () => null;';
  const stranger = await strangerAt(gateway.url, { answer: script, type: 'text/javascript' });
  await test.step('a script of the other program is refused, and the page reports that and stays open', async () => {
    await openSettings();
    await expect(page.getByRole('alert')).toContainText('The settings could not be loaded, because the page');
    expect(stranger.sent()).toMatch(/GET \/assets\/settings-dialog/);
    expect(await hasRun()).toBe(false);
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await expect(console.connection).toBeVisible();
  });
  await stranger.close();
  const again = await gateway.startAgain();
  await console.isOnline();
  await test.step('the part opens when the gateway is back', async () => {
    await openSettings();
    await expect(page.getByRole('dialog', { name: 'Settings' })).toBeVisible();
    expect(await hasRun()).toBe(false);
  });
  await again.stop();
});

test('[AU23] a page sends nothing to a program that is not the gateway, and reconnects to the real one', async ({
  console,
  gateway,
}) => {
  await gateway.kill();
  const stranger = await strangerAt(gateway.url, { answer: '' });
  await expect(console.connection).toHaveAttribute('data-connection-state', 'waiting');
  await expect.poll(stranger.sent, { timeout: 45_000 }).toContain('/auth/challenge?id=');
  expect(stranger.sent()).not.toMatch(/upgrade: websocket|authorization|exec-console\./i);
  await stranger.close();
  const again = await gateway.startAgain();
  const tryNow = console.page.getByRole('button', { name: 'Try now' });
  await expect
    .poll(async () => {
      // The page also retries by itself, and then the button is missing.
      await tryNow.evaluateAll((buttons) => buttons.forEach((button) => (button as HTMLElement).click()));
      return console.connection.getAttribute('data-connection-state');
    })
    .toBe('online');
  await again.stop();
});

test('[AU24] a relay to a gateway that has moved to another port cannot sign a page in', async ({
  console,
  gateway,
}) => {
  await gateway.kill();
  const moved = await Gateway.start({ former: { dir: gateway.dir, port: 0 } });
  const stranger = await strangerAt(gateway.url, { passTo: Number(new URL(moved.url).port) });
  await expect.poll(stranger.sent, { timeout: 45_000 }).toContain('Upgrade: websocket');
  await expect.poll(stranger.sent).toMatch(/HTTP[^]*HTTP/);
  await expect(console.connection).not.toHaveAttribute('data-connection-state', 'online');
  expect(stranger.sent()).not.toContain('initialize');
  await stranger.close();
  await moved.stop();
});

test.describe('without a keeper', () => {
  test.use({ flags: WITHOUT_KEEPER });

  test('[AU23] a guest’s token is sent nowhere, and its page stops in the same way', async ({
    agent,
    browser,
    console,
    gateway,
  }) => {
    await agent.start(['/bin/cat'], { tty: true });
    const { url } = await (await gateway.operator()).request<{ url: string }>('console/share', {});
    const guest = await (await browser.newContext()).newPage();
    await guest.goto(url);
    await expect(guest.locator('[role="row"]')).not.toHaveCount(0);
    const token = await guest.evaluate(() => sessionStorage.getItem('exec-console.token'));
    expect(token).toMatch(/^[\w-]{43}$/);
    await gateway.kill();
    const stranger = await strangerAt(gateway.url, { answer: IMITATION });
    await expect(guest.getByRole('heading', { name: 'Another program answers' })).toBeVisible({
      timeout: 45_000,
    });
    expect(stranger.sent()).not.toContain(String(token));
    expect(await guest.evaluate(() => sessionStorage.getItem('exec-console.token'))).toBeNull();
    await stranger.close();
    await console.page.close();
    await guest.context().close();
  });
});

test('[AU22] a token left by an older page is not sent, but removed', async ({ gateway, page }) => {
  const token = gateway.tokenOf.Ada;
  await page.goto(new URL('/favicon.svg', gateway.pageUrl).href);
  await page.evaluate((former) => localStorage.setItem('exec-console.token', former), token);
  const sent: string[] = [];
  page.on('request', (request) =>
    sent.push(JSON.stringify([request.url(), request.headers(), request.postData()])),
  );
  page.on('websocket', (socket) => sent.push(socket.url()));
  await page.goto(new URL('/', gateway.pageUrl).href);
  await expect(page.getByRole('textbox', { name: 'Link or code' })).toBeVisible();
  expect(await page.evaluate(() => localStorage.getItem('exec-console.token'))).toBeNull();
  expect(sent.join('\n')).not.toContain(token);
});

test('[AU25] a sign-in link replaces a signed-in person only after confirmation', async ({
  gateway,
  pageOf,
}) => {
  const { page } = await pageOf('Ada');
  const link = await gateway.freshLink('admin', 'Grace');
  await page.goto(new URL('/favicon.svg', link).href);
  await page.goto(link);
  const question = page.getByRole('group', { name: 'You are already signed in' });
  await expect(question).toContainText('Ada (operator)');
  await expectAccessible(page);
  await question.getByRole('button', { name: 'Stay signed in' }).click();
  await new ConsolePage(page).isOnline();
  const name = (): Promise<string | null> =>
    page.evaluate(
      () => (JSON.parse(localStorage.getItem('exec-console.page') ?? '{}') as { name: string }).name,
    );
  expect(await name()).toBe('Ada');
  // Opens the same link in the open page, as when it is pasted into the address bar.
  await page.evaluate((hash) => (location.hash = hash), new URL(link).hash);
  await question.getByRole('button', { name: 'Sign in with the link' }).click();
  await new ConsolePage(page).isOnline();
  expect(await name()).toBe('Grace');
  // The link was used before, so the page reports that the sign-in is unchanged.
  await page.evaluate((hash) => (location.hash = hash), new URL(link).hash);
  await question.getByRole('button', { name: 'Sign in with the link' }).click();
  await expect(page.getByRole('alert')).toHaveText(
    /^This link has expired or was already used\. You are signed in as before\./,
  );
  expect(await name()).toBe('Grace');
});

for (const script of ['/w.js', '/notifications/worker.js'])
  test(`[AU27] a service worker that a stranger has left at ${script} is removed when the gateway is back`, async ({
    console,
    gateway,
  }) => {
    const { page } = console;
    await gateway.kill();
    const answers: { readonly [path: string]: readonly [type: string, body: string] } = {
      '/': [
        'text/html',
        `<title>stranger</title><script>navigator.serviceWorker.register("${script}", { scope: "/" }).then(() => navigator.serviceWorker.ready).then(() => (document.title = "registered"))</script>`,
      ],
      [script]: [
        'text/javascript',
        'onfetch = (event) => event.respondWith(new Response("<title>left over</title>", { headers: { "content-type": "text/html" } }))',
      ],
    };
    const stranger = createHttpServer(({ url = '' }, response) => {
      const [type, body] = answers[url] ?? ['text/plain', ''];
      const headers = { 'cache-control': 'max-age=31536000', 'service-worker-allowed': '/' };
      response.writeHead(200, { 'content-type': type, ...headers }).end(body);
    });
    stranger.listen(Number(new URL(gateway.url).port), '127.0.0.1');
    await once(stranger, 'listening');
    await page.goto(gateway.pageUrl);
    await expect(page).toHaveTitle('registered');
    stranger.closeAllConnections();
    stranger.close();
    await once(stranger, 'close');
    const again = await gateway.startAgain();
    await page.reload();
    // The worker may serve its own page once more, until the browser has checked the worker's script.
    await expect(page).toHaveTitle(/exec-console/);
    await expect
      .poll(() => page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length))
      .toBe(0);
    await again.stop();
  });
