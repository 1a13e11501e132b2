// Messages that the notification service worker passes to a page, and its behaviour when no page replies.
import { afterEach, expect, it, vi } from 'vitest';
import type { NotificationAnswer, NotificationPress } from './messages.ts';
import {
  passPresses,
  type NotificationClick,
  type WindowPage,
  type WorkerScope,
} from './notification-worker.ts';

const BASE = 'https://host/console/';
const DATA = { id: 'a-1', isRequest: true, shown: 'x', shownAtMs: 1 };

/** A window of the origin that replies `here` to the first message and `answer` to a press; null means no reply. */
class Page implements WindowPage {
  readonly pressed: NotificationPress[] = [];
  isFocused = false;
  readonly url: string;
  readonly #answer: NotificationAnswer | null;
  constructor(answer: NotificationAnswer | null, url = `${BASE}#x`) {
    this.url = url;
    this.#answer = answer;
  }

  postMessage(_message: unknown, [port]: MessagePort[]): void {
    if (this.#answer === null || !port) return;
    port.addEventListener('message', ({ data }: MessageEvent<NotificationPress>) => {
      this.pressed.push(data);
      port.postMessage(this.#answer);
    });
    port.start();
    port.postMessage('here');
  }

  async focus(): Promise<void> {
    this.isFocused = true;
  }
}

/** Presses a button of a notification; returns the URLs opened, and whether the notification was closed. */
async function press(
  action: string,
  pages: readonly Page[],
  data = DATA,
): Promise<{ readonly opened: readonly string[]; readonly isClosed: boolean }> {
  const opened: string[] = [];
  const listeners: ((event: NotificationClick) => void)[] = [];
  const scope: WorkerScope = {
    registration: { scope: `${BASE}notifications/` },
    clients: { matchAll: async () => pages, openWindow: async (url) => opened.push(url) },
    addEventListener: (_type, listener) => void listeners.push(listener),
  };
  passPresses(scope);
  let isClosed = false;
  let work = Promise.resolve<unknown>(undefined);
  for (const listener of listeners)
    listener({
      action,
      notification: { data, close: () => (isClosed = true) },
      waitUntil: (promise) => {
        work = promise;
      },
    });
  await work;
  return { opened, isClosed };
}

afterEach(() => vi.useRealTimers());

it.each([
  ['approve', 'approve'],
  ['decline', 'decline'],
  ['show', 'show'],
  ['', 'show'],
  ['acceptForSession', 'show'],
])(
  'a click on the button “%s” is sent to an open page as “%s”, with the data of the request',
  async (button, action) => {
    const page = new Page('done');
    const { opened, isClosed } = await press(button, [page]);
    expect(page.pressed).toMatchObject([{ action, data: DATA }]);
    expect([opened, isClosed, page.isFocused]).toEqual([[], true, false]);
  },
);

it('a click on a notification is sent to only one of several open pages', async () => {
  const pages = [new Page('done'), new Page('done'), new Page(null)];
  await press('approve', pages);
  expect(pages.flatMap(({ pressed }) => pressed)).toHaveLength(1);
});

it('a page that answers “show” comes to the front', async () => {
  const page = new Page('show');
  await press('approve', [page]);
  expect(page.isFocused).toBe(true);
});

it('a click that the page ignores leaves the notification open', async () => {
  expect(await press('approve', [new Page('ignored')])).toEqual({ opened: [], isClosed: false });
});

it('a click opens the address of the request when no page of the gateway is open', async () => {
  const other = new Page('done', 'https://host/other/');
  const { opened, isClosed } = await press('approve', [other], { ...DATA, id: 'a/1&b=2' });
  expect(opened).toEqual([`${BASE}#request=a%2F1%26b%3D2`]);
  expect([isClosed, other.pressed]).toEqual([true, []]);
});

it('a click opens the page when no open one answers in time', async () => {
  vi.useFakeTimers();
  const pressed = press('approve', [new Page(null)], { ...DATA, isRequest: false });
  await vi.advanceTimersByTimeAsync(1000);
  expect((await pressed).opened).toEqual([BASE]);
});
