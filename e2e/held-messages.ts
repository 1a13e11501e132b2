// Holds back messages between a page and its gateway until a test releases them.
import type { Page } from '@playwright/test';

interface HeldMessages {
  readonly hold: () => void;
  /** Forwards the held messages, and later ones until the next `hold`. */
  readonly release: () => void;
}

/**
 * Resolves with functions that hold and release the messages that `from` sends and that contain `text`, on
 * connections that the page opens from now on.
 */
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
