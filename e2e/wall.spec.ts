// The wall: all running processes at a glance, without affecting any of them.
import type { Locator } from '@playwright/test';
import { expect, expectAccessible, sh, SOON_WAITING, test } from './fixtures.ts';

/** Resolves with the number of different colours in a tile: 1 if it is blank, 0 if it has no size yet. */
const colours = (tile: Locator): Promise<number> =>
  tile.locator('canvas').evaluate((canvas: HTMLCanvasElement) => {
    const context = canvas.getContext('2d');
    if (!context || canvas.width === 0) return 0;
    const { data } = context.getImageData(0, 0, canvas.width, canvas.height);
    const seen = new Set<string>();
    for (let at = 0; at < data.length; at += 4) seen.add(`${data[at]} ${data[at + 1]} ${data[at + 2]}`);
    return seen.size;
  });

test('the wall shows running processes live, and a click opens the pane', async ({ agent, console }) => {
  const script = String.raw`printf '\033[41mred\033[0m\r\n'; while read x; do printf '\033[42m%s\033[0m\r\n' "$x"; done`;
  const tty = await agent.start(sh(script), { tty: true });
  const pipe = await agent.start(sh('echo plain; sleep 1000'));
  const done = await agent.start(['/bin/true']);
  await agent.waitEvent(done.processId, 'process/closed');
  const { page } = console;
  await page.getByRole('button', { name: 'Wall' }).click();
  const tile = (key: string): Locator => page.locator(`.wall-tile[data-process-key="${key}"]`);
  await expect(page.getByRole('list', { name: 'Running processes' }).getByRole('button')).toHaveCount(2);
  await expect.poll(() => colours(tile(tty.key))).toBeGreaterThan(2);
  await expect.poll(() => colours(tile(pipe.key))).toBeGreaterThan(1);
  const before = await colours(tile(tty.key));
  await agent.write({ processId: tty.processId }, 'green\n');
  await expect.poll(() => colours(tile(tty.key))).toBeGreaterThan(before);
  const infos = await page.evaluate(() => window.execConsole.processes());
  expect(infos.find(({ key }) => key === tty.key)).toMatchObject({
    size: { rows: 24, cols: 80 },
    watchers: 0,
  });
  await tile(tty.key).click();
  await expect(console.pane(tty.key)).toBeVisible();
  await expect(page.locator('.wall')).toBeHidden();
});

test('a tile returns after a lost connection, and disappears when its process ends', async ({
  agent,
  proxied,
  network,
}) => {
  const { key, processId } = await agent.start(sh('echo first; while read x; do echo $x; done'), {
    pipeStdin: true,
  });
  const { page } = proxied;
  await page.getByRole('button', { name: 'Wall' }).click();
  const tile = page.locator(`.wall-tile[data-process-key="${key}"]`);
  await expect.poll(() => colours(tile)).toBeGreaterThan(1);
  const picture = (): Promise<string> =>
    tile.locator('canvas').evaluate((c: HTMLCanvasElement) => c.toDataURL());
  const before = await picture();
  network.cut();
  await expect(proxied.connection).not.toHaveAttribute('data-connection-state', 'online');
  network.heal();
  await proxied.isOnline();
  await agent.write({ processId }, 'second\n');
  await expect.poll(picture).not.toBe(before);
  await agent.request('process/terminate', { processId });
  await expect(tile).toBeHidden();
  await expect(page.getByText('Nothing is running')).toBeVisible();
});

test.describe(() => {
  test.use({ limits: SOON_WAITING });

  test('waiting processes come first on the wall and are marked, and busy ones show their usage', async ({
    agent,
    console,
  }) => {
    const { page } = console;
    const busy = await agent.start(sh('while :; do :; done'));
    const idle = await agent.start(['/bin/sleep', '1001']);
    const asks = await agent.start(sh('printf "name? "; read x'), { tty: true });
    await page.getByRole('button', { name: 'Wall' }).click();
    const tiles = page.getByRole('list', { name: 'Running processes' }).getByRole('button');
    await expect(tiles.first()).toHaveAttribute('data-process-key', asks.key, { timeout: 15_000 });
    await expect(tiles.first()).toContainText('waiting for input');
    const [frame, picture] = [tiles.first(), tiles.first().locator('canvas')];
    const [outer, inner] = [await frame.boundingBox(), await picture.boundingBox()];
    // Nothing covers the tile's 2 px frame.
    expect(inner?.x).toBe((outer?.x ?? 0) + 2);
    expect(inner?.width).toBe((outer?.width ?? 0) - 4);
    await expect(tiles.nth(1)).toHaveAttribute('data-process-key', idle.key);
    await expect(tiles.nth(1)).toContainText('sleep 1001');
    await expect(tiles.nth(2)).toHaveAttribute('data-process-key', busy.key);
    await expect(tiles.nth(2)).toContainText(/CPU [1-9]\d*%/);
    for (const theme of ['dark', 'light'] as const) {
      await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
      await expectAccessible(page);
    }
  });
});

test('fifty tiles fit at once, each with its last lines, and the chosen size is remembered', async ({
  agent,
  console,
}) => {
  const { page } = console;
  await page.setViewportSize({ width: 1440, height: 900 });
  for (let i = 0; i < 50; i += 1) await agent.start(sh(`seq 1 ${i + 1}; sleep 1000`));
  await page.getByRole('button', { name: 'Wall' }).click();
  const wall = page.getByRole('list', { name: 'Running processes' });
  const tiles = wall.getByRole('button');
  await expect(tiles).toHaveCount(50);
  const inSight = (): Promise<number> =>
    wall.evaluate((element) => {
      const { top, bottom } = element.getBoundingClientRect();
      return [...element.querySelectorAll('button')].filter((tile) => {
        const box = tile.getBoundingClientRect();
        return box.top >= top && box.bottom <= bottom && box.width >= 150;
      }).length;
    });
  await expect.poll(inSight).toBe(50);
  for (const at of [0, 49]) await expect.poll(() => colours(tiles.nth(at))).toBeGreaterThan(1);
  await expectAccessible(page);
  await page.keyboard.press('+');
  await page.keyboard.press('+');
  await expect.poll(inSight).toBeLessThan(30);
  await expect(page.getByRole('button', { name: 'Fit all tiles' })).toHaveAttribute('aria-pressed', 'false');
  await page.reload();
  await page.getByRole('button', { name: 'Wall' }).click();
  await expect(tiles).toHaveCount(50);
  await expect.poll(inSight).toBeLessThan(30);
  await page.keyboard.press('-');
  await expect.poll(inSight).toBeGreaterThan(30);
  await page.getByRole('button', { name: 'Increase tile size' }).click();
  await expect.poll(inSight).toBeLessThan(30);
  await page.keyboard.press('0');
  await expect.poll(inSight).toBe(50);
  await tiles.first().focus();
  await page.keyboard.press('ArrowRight');
  await expect(tiles.nth(1)).toBeFocused();
  await page.keyboard.press('End');
  await expect(tiles.last()).toBeFocused();
  await page.keyboard.press('ArrowUp');
  await expect(tiles.nth(43)).toBeFocused();
});

test('a tile names the process that its keys end, confirms in place, and then moves the focus to its neighbour', async ({
  agent,
  console,
}) => {
  const { page } = console;
  const first = await agent.start(sh('exec sleep 1000 # first'));
  const second = await agent.start(sh('exec sleep 1000 # second'));
  await page.getByRole('button', { name: 'Wall', exact: true }).click();
  const tile = (key: string): Locator => page.locator(`.wall-tile[data-process-key="${key}"]`);
  const item = page.locator('.wall-item').filter({ has: tile(second.key) });
  await tile(second.key).focus();
  await page.keyboard.press('x');
  await expect(item).toContainText('Press x again to terminate “exec sleep 1000 # second”');
  await page.clock.setFixedTime(Date.now() + 134 * 60_000);
  await page.keyboard.press('x');
  const question = item.getByRole('button', { name: /^Terminate “.*second”\? It has run for 2h 1[34]m$/ });
  await expect(question).toBeFocused();
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await expect(tile(second.key)).toBeFocused();
  for (const key of ['x', 'x', 'Enter']) await page.keyboard.press(key);
  await expect(tile(second.key)).toHaveCount(0);
  await expect(tile(first.key)).toBeFocused();
});
