// What a page and its gateway tell each other, held back by a test until it has done something else.
import type { Page } from '@playwright/test';

interface HeldMessages {
  readonly hold: () => void;
  /** Lets through what was held, and all that comes. */
  readonly release: () => void;
}

/** Of the connections that the page opens from now on: what `from` sends and has `text` in it, while it is held. */
export async function heldMessages(
  page: Page,
  from: 'page' | 'gateway',
  text: string,
): Promise<HeldMessages> {
  let release = (): void => {};
  let held = Promise.resolve();
  await page.routeWebSocket(/.*/, (route) => {
    const server = route.connectToServer();
    const [source, target] = from === 'page' ? [route, server] : [server, route];
    source.onMessage(async (message) => {
      if (String(message).includes(text)) await held;
      target.send(message);
    });
  });
  return {
    hold() {
      held = new Promise((resolve) => (release = resolve));
    },
    release: () => release(),
  };
}
