// A pane's header, buttons and log margin: visible, labelled, and within its size.
import type { Locator } from '@playwright/test';
import { expect, sh, test } from './fixtures.ts';

test('a pane shows its whole command, facts without gaps, labelled buttons, and marks of stderr', async ({
  agent,
  console,
}) => {
  await test.step('Interrupt and Terminate are labelled, coloured and apart from Close, on desktop and phone', async () => {
    const { page } = console;
    const { key } = await agent.start(['sleep', '1000'], { tty: true });
    const pane = await console.open(key);
    const quiet = await pane
      .getByRole('button', { name: 'More' })
      .evaluate((each) => getComputedStyle(each).color);
    for (const size of [page.viewportSize() ?? { width: 1440, height: 900 }, { width: 390, height: 844 }]) {
      await page.setViewportSize(size);
      for (const name of ['Interrupt', 'Terminate']) {
        const button = pane.getByRole('button', { name, exact: true });
        await expect(button.getByText(name)).toBeVisible();
        await expect(button).toBeInViewport({ ratio: 1 });
        expect(await button.evaluate((each) => getComputedStyle(each).color)).not.toBe(quiet);
      }
      const terminate = await pane.getByRole('button', { name: 'Terminate', exact: true }).boundingBox();
      const close = await pane.getByRole('button', { name: 'Close tab' }).boundingBox();
      if (!terminate || !close) throw new Error('the element is not visible');
      expect(close.x - terminate.x - terminate.width).toBeGreaterThanOrEqual(28);
    }
  });
  await console.page.setViewportSize({ width: 1440, height: 900 });
  await test.step('a label is shown with the command in the header if there is room, and alone otherwise', async () => {
    const { page } = console;
    const command = ': make release; exec sleep 1000';
    const { key } = await agent.start(sh(command), { label: 'The release' });
    const pane = await console.open(key);
    await expect(pane.locator('.pane-title')).toHaveText('The release');
    const shown = pane.locator('.pane-command');
    await expect(shown).toHaveText(command);
    await expect(shown).toBeInViewport({ ratio: 1 });
    expect(await shown.evaluate((each) => each.scrollWidth <= each.clientWidth)).toBe(true);
    await page.setViewportSize({ width: 740, height: 700 });
    const isOut = () =>
      shown.evaluate((each) => {
        const [own, facts] = [each.getBoundingClientRect(), each.parentElement?.getBoundingClientRect()];
        return !facts || own.top >= facts.bottom;
      });
    await expect.poll(isOut).toBe(true);
    await expect(pane.locator('.pane-title')).toHaveText('The release');
  });
  await console.page.setViewportSize({ width: 1440, height: 900 });
  await test.step('a header and a tab show the whole command where there is room', async () => {
    const command = 'npm run build -- --mode production';
    const { key } = await agent.start(sh(`: ${command}; exec sleep 1000`));
    const pane = await console.open(key);
    for (const text of [pane.locator('.pane-title'), console.page.locator('.tab.shown .tab-text')]) {
      await expect(text).toContainText(command);
      expect(
        await text.evaluate(
          (each) => each.scrollWidth <= each.clientWidth && each.scrollHeight <= each.clientHeight + 2,
        ),
      ).toBe(true);
    }
  });
  await test.step('the facts of a row leave no gaps, at any width', async () => {
    const script = 'echo a line that is as long as half of a row and longer; exit 3';
    const { key } = await agent.start(sh(script));
    await expect(console.row(key)).toContainText('failed');
    const holes = await console
      .row(key)
      .locator('.process-row-details')
      .evaluate((row) => {
        const top = row.getBoundingClientRect().bottom;
        const parts = [...row.querySelectorAll('.status-word, .process-row-meta > *')]
          .map((each) => each.getBoundingClientRect())
          .filter((box) => box.width > 1 && box.top < top - 4);
        return parts.slice(1).map((box, at) => box.left - (parts[at]?.right ?? 0));
      });
    expect(holes.length).toBeGreaterThan(0);
    expect(Math.max(...holes)).toBeLessThanOrEqual(8);
  });
  await test.step('stderr has a mark, keeps its colours, and can be shown alone', async () => {
    const script = `echo out one; printf 'plain err\\n\\033[32mgreen err\\033[0m\\n' >&2; sleep 0.5; echo out two; exec sleep 1000`;
    const { key } = await agent.start(sh(script));
    const pane = await console.open(key);
    const row = (text: string) => pane.locator('.log-rows .log-row', { hasText: text });
    await expect(row('out two')).toBeVisible();
    const colourOf = (text: string) =>
      row(text)
        .locator('.log-text')
        .evaluate((each) => getComputedStyle(each).color);
    expect(await colourOf('plain err')).toBe(await colourOf('out one'));
    await expect(row('plain err')).toHaveCSS('background-color', 'rgba(0, 0, 0, 0)');
    const mark = (text: string) => row(text).locator('.log-stream');
    await expect(mark('out one')).toHaveCSS('background-color', 'rgba(0, 0, 0, 0)');
    await expect(mark('plain err')).not.toHaveCSS('background-color', 'rgba(0, 0, 0, 0)');
    const only = pane.getByRole('button', { name: 'Show stderr only' });
    await only.click();
    await expect(row('out one')).toHaveCount(0);
    await expect(row('green err')).toBeVisible();
    await expect(pane.locator('.log-rows .log-row')).toHaveCount(2);
    await pane.locator('.log-view').focus();
    await console.page.keyboard.press('Control+a');
    await console.page.keyboard.press('Control+Shift+C');
    await expect
      .poll(() => console.page.evaluate(() => navigator.clipboard.readText()))
      .toBe('plain err\ngreen err');
    // The active filter is visible however narrow the pane is, and can be removed.
    await console.page.setViewportSize({ width: 390, height: 844 });
    await expect(only).toBeVisible();
    await expect(pane.getByText('Only stderr is shown · 2 lines hidden')).toBeVisible();
    await pane.getByRole('button', { name: 'Show all lines' }).click();
    await expect(row('out one')).toBeVisible();
    await expect(only).toBeHidden();
  });
  await console.page.setViewportSize({ width: 1440, height: 900 });
  await test.step('Shift-click on line numbers selects a range, which can be copied and has a link', async () => {
    const { page } = console;
    const { key } = await agent.start(sh('seq -f "line %g" 1 20; exec sleep 1000'));
    const pane = await console.open(key);
    const number = (of: number) =>
      pane.locator('.log-row', { hasText: new RegExp(`line ${of}$`) }).locator('.log-number');
    await number(7).click();
    await number(4).click({ modifiers: ['Shift'] });
    await expect(pane.locator('.log-row.target')).toHaveCount(4);
    expect(new URL(page.url()).hash).toBe(`#${key}:L4-L7`);
    for (const keys of ['Control+c', 'Control+Shift+C']) {
      await page.evaluate(() => navigator.clipboard.writeText(''));
      await page.keyboard.press(keys);
      await expect
        .poll(() => page.evaluate(() => navigator.clipboard.readText()))
        .toBe('line 4\nline 5\nline 6\nline 7');
    }
    await expect(console.row(key)).toHaveAttribute('data-process-status', 'running');
    await page.reload();
    await expect(pane.locator('.log-row.target')).toHaveCount(4);
    await number(9).click();
    await expect(pane.locator('.log-row.target')).toHaveCount(1);
    expect(new URL(page.url()).hash).toBe(`#${key}:L9`);
  });
});

test('panes of splits have little above their output, with all their buttons and marks, and the active tab is visible', async ({
  agent,
  console,
}) => {
  await test.step('a pane in a split has at most 48 px above its output, and its buttons are visible', async () => {
    const { page } = console;
    const tty = await agent.start(['sleep', '1001'], { tty: true });
    const pipe = await agent.start(sh('echo out; exec sleep 1002'));
    await console.open(tty.key);
    await console.open(pipe.key);
    await page.keyboard.press('Control+Alt+Shift+ArrowRight');
    await expect(page.getByRole('tablist')).toHaveCount(2);
    for (const { key } of [tty, pipe]) {
      const place = await page.locator('.pane-place', { has: console.pane(key) }).boundingBox();
      const body = await console.pane(key).locator('.pane-body').boundingBox();
      if (!place || !body) throw new Error('the element is not visible');
      expect(body.y - place.y).toBeLessThanOrEqual(48);
      for (const name of ['Interrupt', 'Terminate', 'Close tab'])
        await expect(console.pane(key).getByRole('button', { name, exact: true })).toBeInViewport({
          ratio: 1,
        });
    }
  });
  await console.closePanes();
  await test.step('a narrow pane of a split shows its mark and all its buttons', async () => {
    const { page } = console;
    const started = [];
    for (let index = 0; index < 4; index += 1)
      started.push(await agent.start(sh(`: quarter ${index} of a page; exec sleep 1000`), { tty: true }));
    await console.open(started[0]?.key ?? '');
    for (const [at, key] of ['v', 's', 'v'].entries()) {
      await console.row(started[at + 1]?.key ?? '').focus();
      await page.keyboard.press(key);
    }
    const narrow = console.pane(started[3]?.key ?? '');
    await expect(narrow).toBeFocused();
    const bounds = await narrow.boundingBox();
    expect(bounds?.width).toBeLessThan(380);
    const right = (bounds?.x ?? 0) + (bounds?.width ?? 0);
    for (const button of await narrow.locator('.pane-header button:visible').all()) {
      const box = await button.boundingBox();
      expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThan(right);
    }
    await expect(narrow.locator('.pane-header .status-icon').first()).toBeInViewport({ ratio: 1 });
    expect(
      await narrow
        .locator('.pane-about')
        .evaluate((about) => about.getBoundingClientRect().width >= 16 && about.clientWidth >= 16),
    ).toBe(true);
  });
  await console.closePanes();
  await test.step('a pane in a split shows its command in the header where the tab cuts it, and its idle time within the terminal', async () => {
    const { page } = console;
    for (let index = 0; index < 5; index += 1) {
      const { key } = await agent.start(sh(`: build-${index} of many; exec sleep 1000`));
      await console.open(key);
    }
    const silent = await agent.start(['sleep', '1001'], { tty: true });
    const pane = await console.open(silent.key);
    await page.keyboard.press('Control+Alt+Shift+ArrowRight');
    await expect(page.getByRole('tablist')).toHaveCount(2);
    await expect(page.locator('.pane-title:visible')).toContainText(': build-4');
    const [note, screen] = [pane.getByText('No output yet'), pane.locator('.xterm-screen')];
    await expect
      .poll(async () => {
        const [inner, outer] = [await note.boundingBox(), await screen.boundingBox()];
        if (!inner || !outer) return Infinity;
        const off = [
          inner.x + inner.width / 2 - outer.x - outer.width / 2,
          inner.y + inner.height / 2 - outer.y - outer.height / 2,
        ];
        return Math.max(...off.map(Math.abs));
      })
      .toBeLessThan(3);
  });
  await console.closePanes();
  await test.step('the active tab is visible in its bar, even when the window becomes smaller', async () => {
    const { page } = console;
    for (let index = 0; index < 8; index += 1) {
      const { key } = await agent.start(sh(`sleep 1000 # a long name of the process number ${index}`));
      await console.open(key);
    }
    const active = page.getByRole('tab', { selected: true });
    await expect(active).toBeInViewport({ ratio: 1 });
    await page.setViewportSize({ width: 900, height: 700 });
    await expect(active).toBeInViewport({ ratio: 0.99 });
  });
});

/** Returns the visible part of each title. */
const seenTitles = (titles: Locator): Promise<string[]> =>
  titles.evaluateAll((elements) =>
    elements.map((element) => {
      const cut = element.querySelector('.short-title-cut') ?? element;
      const isCut = element.scrollHeight > element.clientHeight + 2;
      const drawn = isCut ? getComputedStyle(cut, '::before').content : 'none';
      const text = drawn === 'none' ? element.textContent : drawn.slice(1, -1);
      const letter = Number.parseFloat(getComputedStyle(element).fontSize) * 0.6;
      return text.slice(0, Math.floor((isCut ? cut : element).clientWidth / letter) - 1);
    }),
  );

test('a title that is cut shows the part that differs, and is whole where there is room', async ({
  agent,
  console,
}) => {
  const { page } = console;
  for (let index = 0; index < 10; index += 1) {
    const { key } = await agent.start(sh(`: build of the part ${index} of ten; exec sleep 1000`));
    await console.open(key);
  }
  const tabs = page.getByRole('tab');
  await expect(tabs).toHaveCount(10);
  const rows = page.locator('.process-row .short-title');
  expect(new Set(await seenTitles(rows)).size).toBe(10);
  const whole = [
    await agent.start(sh('cd /repo/app && npm test')),
    await agent.start(sh('cd /repo/app && npm ci')),
  ];
  for (const { key } of whole) {
    await expect(console.row(key)).toBeVisible();
    const [title] = await seenTitles(console.row(key).locator('.short-title'));
    expect(title).toMatch(/^cd \/repo\/app && npm \w/);
  }
  expect(new Set(await seenTitles(tabs.locator('.tab-text'))).size).toBe(10);
  await page.getByRole('button', { name: 'Wall', exact: true }).click();
  const names = page.locator('.wall-name');
  await expect(names).toHaveCount(10);
  await expect(names.first()).toHaveText(': build of the part 9 of ten; exec sleep 1000');
  await expect.poll(async () => new Set(await seenTitles(names)).size).toBe(10);
  await page.setViewportSize({ width: 390, height: 844 });
  await expect.poll(async () => new Set(await seenTitles(names)).size).toBe(10);
});
