// Notifications with buttons: a press reaches the page through the service worker, and the page decides.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { BrowserContext, Page, Worker } from '@playwright/test';
import { setHidden } from './away.ts';
import { ConsolePage, expect, test } from './fixtures.ts';
import { Gateway } from './gateway.ts';

test.use({ permissions: ['clipboard-read', 'clipboard-write', 'notifications'] });

/**
 * Environment with the gateway's PATH. A command with another PATH could not be approved from a notification, since
 * notifications do not show variables.
 */
const AS_GATEWAY = { env: { PATH: process.env['PATH'] ?? '' } };

interface Shown {
  readonly title: string;
  readonly body: string;
  readonly actions: readonly { readonly action: string; readonly title: string }[];
  readonly data: unknown;
}

/** Records notifications of the page's worker instead of showing them; resolves with a function that returns them. */
async function recordShown(page: Page): Promise<() => Promise<readonly Shown[]>> {
  await page.addInitScript(() => {
    const shown: unknown[] = [];
    Object.assign(window, { shownByWorker: shown });
    ServiceWorkerRegistration.prototype.showNotification = (title, options = {}) => {
      shown.push({ title, ...options });
      return Promise.resolve();
    };
  });
  return () => page.evaluate(() => (window as unknown as { shownByWorker: Shown[] }).shownByWorker);
}

/** Presses a notification's button in the worker, as a browser does; resolves with the addresses opened. */
const press = (worker: Worker, { data }: Pick<Shown, 'data'>, action: string): Promise<readonly string[]> =>
  worker.evaluate(
    async ([pressed, name]) => {
      const opened: string[] = [];
      const { clients } = self as unknown as { clients: { openWindow: (url: string) => Promise<null> } };
      clients.openWindow = async (url) => {
        opened.push(url);
        return null;
      };
      const work: Promise<unknown>[] = [];
      const event = Object.assign(new Event('notificationclick'), {
        action: name,
        notification: { data: pressed, close: () => undefined },
        waitUntil: (promise: Promise<unknown>) => work.push(promise),
      });
      self.dispatchEvent(event);
      // A worker may bring a page to the front only after a real press, so this can fail.
      await Promise.allSettled(work);
      return opened;
    },
    [data, action] as const,
  );

/** Enables the buttons in Settings, and resolves with the worker. */
async function withButtons(page: Page, context: BrowserContext): Promise<Worker> {
  await page.getByRole('button', { name: 'Settings', exact: true }).click();
  const notifications = page.getByRole('checkbox', { name: /Browser notifications/ });
  // The box is checked once the browser has reported the permission.
  await notifications.click();
  await expect(notifications).toBeChecked();
  const coming = context.waitForEvent('serviceworker');
  await page.getByRole('checkbox', { name: 'Buttons in notifications' }).check();
  const worker = await coming;
  await expect.poll(() => registrations(page)).toEqual([expect.stringMatching(/\/notifications\/$/)]);
  await page.getByRole('button', { name: 'Done' }).click();
  return worker;
}

const registrations = (page: Page): Promise<readonly string[]> =>
  page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).map(({ scope }) => scope));

test('[AU29] the buttons of a notification approve or decline only a request that is waiting as it was shown', async ({
  page,
  context,
}) => {
  const gateway = await Gateway.start({ flags: ['--approvals', 'always', '--sandbox', 'workspace-write'] });
  try {
    const agent = await gateway.agent();
    const shown = await recordShown(page);
    const console = await ConsolePage.of(page, gateway);
    const worker = await withButtons(page, context);
    await setHidden(console, true);
    const cards = page.getByRole('region', { name: 'Approvals' }).getByRole('article');
    const notified = async (count: number): Promise<Shown> => {
      await expect.poll(async () => (await shown()).length).toBe(count);
      const last = (await shown()).at(-1);
      if (!last) throw new Error('no notification');
      return last;
    };

    const first = agent.start(['echo', 'one'], AS_GATEWAY);
    const approved = await notified(1);
    expect(approved.actions.map(({ title }) => title)).toEqual(['Approve once', 'Decline']);
    expect(approved.body).toMatch(/^echo one\nin \/.*, in a sandbox$/);
    await expect
      .poll(() => Date.now() - (approved.data as { shownAtMs: number }).shownAtMs)
      .toBeGreaterThan(400);
    expect(await press(worker, approved, 'approve')).toEqual([]);
    await first;

    // The text is cut, so the notification offers no approval, and a forged approval does nothing.
    const argv = ['echo', 'x'.repeat(100)];
    const second = agent.start(argv, AS_GATEWAY).then(
      () => 'started',
      (error: unknown) => String(error),
    );
    const long = await notified(2);
    expect(long.actions.map(({ title }) => title)).toEqual(['Show', 'Decline']);
    const waiting = cards.filter({ hasText: 'xxx' });
    await expect(waiting).toHaveAttribute('data-approval-state', 'waiting');
    await expect.poll(() => Date.now() - (long.data as { shownAtMs: number }).shownAtMs).toBeGreaterThan(400);
    await press(worker, long, 'approve');
    await expect(
      page.getByText('Not decided: the request has changed since the notification.'),
    ).toBeVisible();
    // Pressing the first notification again, whose request was already decided, decides nothing else.
    await press(worker, approved, 'approve');
    await expect(page.getByText(/Not decided: this request is no longer waiting/)).toBeVisible();
    // Messages of another shape, or from windows instead of the worker, have no effect.
    await page.evaluate((data) => {
      const { port1 } = new MessageChannel();
      const fake = { action: 'approve', data, pressedAtMs: Date.now() };
      navigator.serviceWorker.dispatchEvent(
        new MessageEvent('message', { data: { kind: 'exec-console/notification' }, ports: [port1] }),
      );
      port1.postMessage(fake);
      window.postMessage(fake, '*');
    }, long.data);
    await expect(waiting).toHaveAttribute('data-approval-state', 'waiting');
    await press(worker, long, 'decline');
    expect(await second).toContain('declined');

    // The worker opens the request in a new page when none is open, and decides nothing.
    const third = agent.start(['echo', 'three'], AS_GATEWAY);
    const opens = await notified(3);
    await page.goto('about:blank');
    const [address = ''] = await press(worker, opens, 'approve');
    await page.goto(address);
    await expect(cards.filter({ hasText: 'echo three' })).toBeFocused();
    await expect(cards.filter({ hasText: 'echo three' })).toHaveAttribute('data-approval-state', 'waiting');
    // A new card ignores keys for a moment.
    await expect(
      cards.filter({ hasText: 'echo three' }).getByRole('button', { name: 'Decline' }),
    ).toHaveAttribute('aria-disabled', 'false');
    await page.keyboard.press('y');
    await expect(cards.filter({ hasText: 'echo three' })).toHaveCount(0);
    await third;

    await page.getByRole('button', { name: 'Settings', exact: true }).click();
    await page.getByRole('checkbox', { name: 'Buttons in notifications' }).uncheck();
    await expect.poll(() => registrations(page)).toEqual([]);
  } finally {
    await gateway.stop();
  }
});

/** Counts the messages that a page receives from workers (`asked`), and its replies, from its next load on. */
async function recordAsked(
  page: Page,
): Promise<() => Promise<{ readonly asked: number; readonly answered: number }>> {
  await page.addInitScript(() => {
    const counts = { asked: 0, answered: 0 };
    Object.assign(window, { askedByWorkers: counts });
    navigator.serviceWorker.addEventListener('message', ({ ports: [port] }) => {
      counts.asked += 1;
      if (!port) return;
      const post = port.postMessage.bind(port) as (message: unknown) => void;
      port.postMessage = (message: unknown) => {
        counts.answered += 1;
        post(message);
      };
    });
  });
  return () =>
    page.evaluate(
      () => (window as unknown as { askedByWorkers: { asked: number; answered: number } }).askedByWorkers,
    );
}

/** Script of another program's worker: until `release`, it offers every page a press that no person has made. */
const STRANGERS_WORKER = `
let isReleased = false;
self.release = () => (isReleased = true);
self.oninstall = (event) => event.waitUntil(self.skipWaiting());
self.onactivate = (event) => event.waitUntil((async () => {
  while (!isReleased) {
    for (const page of await clients.matchAll({ type: 'window', includeUncontrolled: true }))
      page.postMessage({ kind: 'exec-console/notification' }, [new MessageChannel().port2]);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
})());
`;

/** Listens on the gateway's port as another program, whose page replaces the worker; resolves with the new worker. */
async function replaceWorker(context: BrowserContext, url: string): Promise<Worker> {
  const answers: { readonly [path: string]: readonly [type: string, body: string] } = {
    '/': [
      'text/html',
      `<script>
        navigator.serviceWorker.register('/notifications/worker.js', { scope: '/notifications/' }).then(async (registration) => {
          const own = registration.active;
          await registration.update();
          while (registration.active === own) await new Promise((resolve) => setTimeout(resolve, 10));
          document.title = 'replaced';
        });
      </script>`,
    ],
    '/notifications/worker.js': ['text/javascript', STRANGERS_WORKER],
  };
  const stranger = createServer((request, response) => {
    const [type, body] = answers[request.url ?? ''] ?? ['text/plain', ''];
    response.writeHead(body === '' ? 503 : 200, { 'content-type': type }).end(body);
  });
  stranger.listen(Number(new URL(url).port), '127.0.0.1');
  await once(stranger, 'listening');
  const coming = context.waitForEvent('serviceworker');
  const page = await context.newPage();
  await page.goto(url.replace('ws', 'http'));
  // The page stays open, because the browser may end the worker together with the page.
  await expect(page).toHaveTitle('replaced');
  stranger.closeAllConnections();
  stranger.close();
  await once(stranger, 'close');
  return coming;
}

test('[AU35] a worker with which another program replaced the gateway’s decides nothing in an open page, and is replaced when the page reconnects', async ({
  page,
  context,
}) => {
  const flags = ['--approvals', 'always', '--sandbox', 'workspace-write'];
  const former = await Gateway.start({ flags });
  const counts = await recordAsked(page);
  const shown = await recordShown(page);
  const console = await ConsolePage.of(page, former);
  await withButtons(page, context);
  await setHidden(console, true);
  await former.kill();
  const stranger = await replaceWorker(context, former.url);
  await expect.poll(async () => (await counts()).asked).toBeGreaterThan(0);
  const coming = context.waitForEvent('serviceworker');
  const gateway = await former.startAgain(flags);
  try {
    await console.isOnline();
    expect((await counts()).answered).toBe(0);
    const worker = await coming;
    expect((await counts()).answered).toBe(0);
    // The browser may have ended the stranger's worker already.
    await stranger
      .evaluate(() => (self as unknown as { release: () => void }).release())
      .catch(() => undefined);

    const ofNothing = { data: { id: null, isRequest: false, shown: '', shownAtMs: 0 } };
    await expect.poll(() => press(worker, ofNothing, 'show')).toEqual([]);
    const started = (await gateway.agent()).start(['echo', 'one'], AS_GATEWAY);
    await expect.poll(async () => (await shown()).length).toBe(1);
    const [notification] = await shown();
    if (!notification) throw new Error('no notification');
    await expect
      .poll(() => Date.now() - (notification.data as { shownAtMs: number }).shownAtMs)
      .toBeGreaterThan(400);
    expect(await press(worker, notification, 'approve')).toEqual([]);
    await started;
  } finally {
    await gateway.stop();
  }
});

test('the page creates trusted script URLs only for its service worker', async ({ console }) => {
  const errors = await console.page.evaluate(async () => {
    const outcome = async (act: () => unknown): Promise<string> => {
      try {
        await act();
        return 'done';
      } catch (error) {
        return (error as Error).name;
      }
    };
    const { trustedTypes } = window as unknown as {
      trustedTypes: { createPolicy(name: string, rules: object): unknown };
    };
    return Promise.all([
      outcome(() => navigator.serviceWorker.register('./notifications/worker.js')),
      outcome(() => trustedTypes.createPolicy('notification-worker', {})),
      outcome(() => trustedTypes.createPolicy('default', {})),
    ]);
  });
  expect(errors).toEqual(['TypeError', 'TypeError', 'TypeError']);
});
