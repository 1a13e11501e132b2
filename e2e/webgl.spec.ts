// Drawing with WebGL as a setting: contexts are leased to visible terminals, returned, and leased again.
import type { Page } from '@playwright/test';
import { expect, sh, test } from './fixtures.ts';

/** Returns the brightness of the brightest pixel of a picture, from 0 to 255. */
async function brightest(page: Page, picture: Buffer): Promise<number> {
  // A separate page has no content security policy, which would forbid fetching the picture.
  const other = await page.context().newPage();
  const found = await other.evaluate(async (data) => {
    const bitmap = await createImageBitmap(await (await fetch(`data:image/png;base64,${data}`)).blob());
    const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d');
    context?.drawImage(bitmap, 0, 0);
    const bytes = context?.getImageData(0, 0, bitmap.width, bitmap.height).data;
    return bytes?.reduce((most, byte, at) => (at % 4 === 3 ? most : Math.max(most, byte)), 0) ?? 0;
  }, picture.toString('base64'));
  await other.close();
  return found;
}

test.beforeEach(({ page }) =>
  page.addInitScript(() => localStorage.setItem('exec-console.renderer', 'webgl')),
);

test('a pane draws readably with WebGL, falls back when its context is lost, and gets another one', async ({
  agent,
  console,
}) => {
  await test.step('a pane draws with WebGL, falls back when its context is lost, and gets another one', async () => {
    const { key } = await agent.start(sh('echo here; read x'), { tty: true });
    const pane = await console.open(key);
    await console.shows(key, 'here');
    const canvas = pane.locator('.xterm-screen canvas');
    const rows = pane.locator('.xterm-rows');
    await expect(canvas.first()).toBeAttached();
    await expect(rows).toHaveCount(0);
    const losses = await canvas.evaluateAll((elements: HTMLCanvasElement[]) =>
      elements.map((element) =>
        element.getContext('webgl2')?.getExtension('WEBGL_lose_context')?.loseContext(),
      ),
    );
    expect(losses.length).toBeGreaterThan(0);
    // The rows exist only briefly, so each frame is checked.
    await console.page.waitForFunction(() =>
      document.querySelector('.xterm-rows')?.textContent?.includes('here'),
    );
    await expect(rows).toHaveCount(0);
    await expect(canvas.first()).toBeAttached();
  });
  await test.step('letters with too little contrast are drawn readably', async () => {
    const { page } = console;
    await page.emulateMedia({ colorScheme: 'dark' });
    const script = String.raw`printf '\033[?25l\033[38;2;24;24;24mHHHH'; read x`;
    const { key } = await agent.start(sh(script), { tty: true });
    const pane = await console.open(key);
    await console.shows(key, 'HHHH');
    await expect(pane.locator('.xterm-screen canvas').first()).toBeAttached();
    const host = pane.locator('.terminal-host');
    await expect.poll(async () => brightest(page, await host.screenshot())).toBeGreaterThan(100);
  });
});

test('a closed pane releases its context', async ({ agent, console }) => {
  // A context that was not released would make the browser drop an earlier one.
  const lost: string[] = [];
  console.page.on('console', (message) => {
    if (/context/i.test(message.text())) lost.push(message.text());
  });
  const { key } = await agent.start(sh('echo here; read x'), { tty: true });
  for (let i = 0; i < 20; i += 1) {
    const pane = await console.open(key);
    await expect(pane.locator('.xterm-screen canvas').first()).toBeAttached();
    await pane.getByRole('button', { name: 'Close tab' }).click();
    await expect(pane).toBeHidden();
  }
  expect(lost).toEqual([]);
});
