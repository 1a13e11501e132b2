// Facts in a pane's header and terminal at every width: shown whole or omitted, and readable.
import type { Locator } from '@playwright/test';
import { expect, sh, test } from './fixtures.ts';

/** Returns the visible words of a header, and those among them that are cut. */
const facts = (pane: Locator): Promise<{ shown: string[]; cut: string[] }> =>
  pane.locator('.pane-header').evaluate((header) => {
    const all = [...header.querySelectorAll<HTMLElement>('.pane-status > *, .pane-facts > *')];
    const isIn = (element: HTMLElement): boolean => {
      const outer = element.parentElement?.getBoundingClientRect();
      const own = element.getBoundingClientRect();
      return outer !== undefined && own.width > 0 && own.top < outer.bottom - 1;
    };
    const isCut = (element: HTMLElement): boolean => {
      const outer = element.parentElement?.getBoundingClientRect();
      const own = element.getBoundingClientRect();
      return (
        element.scrollWidth > element.clientWidth + 1 || (outer !== undefined && own.right > outer.right + 1)
      );
    };
    const shown = all.filter(isIn);
    return {
      shown: shown.map((element) => element.innerText),
      cut: shown.filter(isCut).map((element) => element.innerText),
    };
  });

test('a header shows each fact whole or not at all, and a terminal of another size than its pane is enlarged', async ({
  agent,
  console,
  pageOf,
}) => {
  await test.step('a header shows each fact whole or not at all, and omits the status last', async () => {
    const { page } = console;
    const { key } = await agent.start(sh('printf "%s" "a rather long command line"; read x'), { tty: true });
    const pane = await console.open(key);
    for (const width of [1440, 1280, 1024, 900, 800, 740]) {
      await page.setViewportSize({ width, height: 720 });
      await expect.poll(async () => (await facts(pane)).cut, `at ${width}`).toEqual([]);
      const { shown } = await facts(pane);
      expect(shown[0], `at ${width}`).toMatch(/running|waiting for input/);
      const title = pane.locator('.pane-title');
      // The tab shows the whole command at these widths, so the header omits the title and shows more facts.
      if (width > 1200) {
        await expect(title).toBeHidden();
        expect(shown, `at ${width}`).toContain('No sandbox');
      } else if (await title.isVisible()) {
        expect((await title.boundingBox())?.width, `at ${width}`).toBeGreaterThan(60);
      }
    }
    await page.setViewportSize({ width: 1920, height: 720 });
    await expect(pane.locator('.pane-title')).toBeVisible();
    await expect.poll(async () => (await facts(pane)).shown).toContain('80×24');
  });
  await test.step('a terminal of another size than its pane is enlarged and centred at the top, and is not resized', async () => {
    const { page } = console;
    await page.setViewportSize({ width: 1440, height: 900 });
    const { key } = await agent.start(sh('printf here; read x'), { tty: true });
    const pane = await console.open(key);
    await console.shows(key, 'here');
    const lies = (): Promise<{ left: number; right: number; above: number }> =>
      pane.locator('.terminal-host').evaluate((host) => {
        const outer = host.getBoundingClientRect();
        const screen = host.querySelector('.xterm-screen')?.getBoundingClientRect() ?? outer;
        return {
          left: screen.left - outer.left,
          right: outer.right - screen.right,
          above: screen.top - outer.top,
        };
      });
    const letter = (): Promise<number> =>
      pane
        .locator('.xterm-rows')
        .evaluate((element) => Number.parseFloat(getComputedStyle(element).fontSize));
    await expect.poll(letter).toBe(16);
    const { left, right, above } = await lies();
    expect(Math.abs(left - right)).toBeLessThan(20);
    expect(above).toBeLessThan(20);
    const infos = await page.evaluate(() => window.execConsole.processes());
    expect(infos.find((info) => info.key === key)?.size).toEqual({ rows: 24, cols: 80 });
  });
  await test.step('a header shows time, watchers and sandbox of a long command, whose title shrinks first', async () => {
    const { page } = console;
    await page.setViewportSize({ width: 1440, height: 900 });
    const long = 'for i in 1 2 3; do echo "a command that is longer than any header and any tab"; done';
    const { key } = await agent.start(sh(`${long}; ${long}; exec sleep 1000`));
    const pane = await console.open(key);
    await (await pageOf('Olga')).open(key);
    await expect(pane.getByRole('button', { name: /^Also watched by Olga/ })).toBeInViewport({ ratio: 1 });
    const { shown, cut } = await facts(pane);
    expect(cut).toEqual([]);
    expect(shown).toContain('No sandbox');
    expect(shown.join(' ')).toMatch(/\d+s/);
    const title = pane.locator('.pane-title');
    await expect(title).toBeInViewport({ ratio: 1 });
    expect(await title.evaluate((each) => each.scrollWidth > each.clientWidth)).toBe(true);
  });
});

test('a pane on a phone has readable letters, shows how its process ended, and covers no line', async ({
  agent,
  pageOf,
}) => {
  const touch = { viewport: { width: 390, height: 844 }, hasTouch: true };
  const phone = await pageOf('Ada', { ...touch, isMobile: true });
  const small = await pageOf('Ada', touch);
  await test.step('80 columns scroll sideways on a phone, in readable letters', async () => {
    const { key } = await agent.start(sh('echo here; read x'), { tty: true });
    for (const deviceScaleFactor of [1, 2, 3]) {
      const console =
        deviceScaleFactor === 1
          ? phone
          : await pageOf('Ada', { ...touch, deviceScaleFactor, isMobile: true });
      await console.page.evaluate((k) => window.execConsole.open(k), key);
      await console.shows(key, 'here');
      const host = console.pane(key).locator('.terminal-host');
      await expect(host).toHaveClass(/scaled/);
      await expect(host).toHaveClass(/zoomed/);
      const letter = await host
        .locator('.xterm-rows')
        .evaluate((element) => Number.parseFloat(getComputedStyle(element).fontSize));
      expect(letter).toBeGreaterThanOrEqual(10);
      expect(letter).toBeLessThanOrEqual(16);
    }
  });
  await test.step('a terminal on a phone has readable letters, and shows the part with the cursor', async () => {
    const script = 'read x; stty -echo; head -c 70 /dev/zero | tr "\\0" x; read x';
    const { key, processId } = await agent.start(sh(script), { tty: true });
    await agent.request('process/resize', { processId, rows: 24, cols: 120 });
    await agent.write({ processId }, 'go\n');
    await small.page.evaluate((k) => window.execConsole.open(k), key);
    const host = small.pane(key).locator('.terminal-host');
    await small.shows(key, 'xxxx');
    const at = (): Promise<{ letter: number; cursor: number; width: number }> =>
      host.evaluate((element) => {
        const screen = element.querySelector('.xterm-screen')?.getBoundingClientRect();
        const own = element.getBoundingClientRect();
        const cell = (screen?.width ?? 0) / 120;
        return { letter: cell / 0.6, cursor: (screen?.left ?? 0) - own.left + 70 * cell, width: own.width };
      });
    await expect.poll(async () => (await at()).letter).toBeGreaterThanOrEqual(7.9);
    await expect
      .poll(async () => {
        const { cursor, width } = await at();
        return cursor >= 0 && cursor < width;
      })
      .toBe(true);
  });
  await test.step('a pane on a phone shows how a process without a terminal ended', async () => {
    const { key, processId } = await agent.start(sh('echo begun; exec sleep 1000'));
    await small.page.evaluate((k) => window.execConsole.open(k), key);
    const pane = small.pane(key);
    await expect(pane).toBeVisible();
    await agent.request('process/terminate', { processId });
    const status = pane.locator('.pane-status');
    await expect(status).toContainText(/killed|terminated|SIGKILL/);
    await expect.poll(async () => (await facts(pane)).cut).toEqual([]);
    expect((await status.boundingBox())?.width).toBeGreaterThan(60);
  });
  await test.step('no button covers the lines of a log on a phone', async () => {
    const { key } = await agent.start(sh('seq 1 500; exec sleep 1000'));
    await phone.page.evaluate((k) => window.execConsole.open(k), key);
    const pane = phone.pane(key);
    await phone.shows(key, '500');
    await expect(pane.getByRole('button', { name: 'Increase text size' })).toHaveCount(0);
    await pane.getByRole('button', { name: 'Terminal', exact: true }).tap();
    await expect(pane.getByRole('button', { name: 'Increase text size' })).toBeVisible();
  });
});

test('the offline notice of a pane covers no line, and nothing in its foot overlaps', async ({
  agent,
  proxied,
  network,
}) => {
  const { page } = proxied;
  await page.setViewportSize({ width: 1280, height: 720 });
  const { key } = await agent.start(sh('echo begun; read x'), { tty: true });
  const ended = await agent.start(sh('echo over'), { tty: true });
  const endedPane = await proxied.open(ended.key);
  await expect(endedPane).toHaveAttribute('data-output-complete', 'true');
  const pane = await proxied.open(key);
  await proxied.shows(key, 'begun');
  network.cut();
  const notice = pane.getByText('Offline: keys are not sent');
  await expect(notice).toBeVisible();
  await expect(page.getByRole('button', { name: 'Try now' })).toBeVisible();
  await expect(proxied.row(key)).toContainText('last known: running');
  await expect(proxied.row(key).locator('.status-dot')).toHaveCSS('background-color', 'rgba(0, 0, 0, 0)');
  const overlapping = await page.locator('.sidebar-foot').evaluate((foot) => {
    const boxes = [...foot.querySelectorAll('[role="status"], button')].map((element) =>
      element.getBoundingClientRect(),
    );
    const right = foot.getBoundingClientRect().right;
    return boxes.filter(
      (a, index) =>
        a.right > right ||
        boxes
          .slice(index + 1)
          .some((b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom),
    ).length;
  });
  expect(overlapping).toBe(0);
  const height = async (): Promise<number> =>
    (await page.locator('.sidebar-foot').boundingBox())?.height ?? 0;
  const usual = await height();
  await page.getByRole('separator', { name: 'Width of the list' }).focus();
  await page.keyboard.press('ArrowLeft');
  expect(await height(), 'the foot of a narrower list stays on one line').toBe(usual);
  const [noticeBox, body] = [await notice.boundingBox(), await pane.locator('.pane-body').boundingBox()];
  if (!noticeBox || !body) throw new Error('invariant violation: a visible element has no box');
  expect(noticeBox.y + noticeBox.height).toBeLessThanOrEqual(body.y);
  // An ended process has no further output, so its pane shows no offline note.
  await proxied.open(ended.key);
  await expect(endedPane.getByText('Offline')).toHaveCount(0);
  await expect(endedPane.locator('.pane-terminal')).toHaveCSS('opacity', '1');
});
