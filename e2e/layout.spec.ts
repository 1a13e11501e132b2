// Tabs and splits by mouse and keyboard; changing panes does not affect processes.
import type { Locator } from '@playwright/test';
import type { TestClient } from '../server/testing/test-client.ts';
import { type ConsolePage, expect, sh, test } from './fixtures.ts';

/** Returns the box of a drawn element; fails if it is not drawn. */
async function boxOf(of: Locator) {
  const box = await of.boundingBox();
  if (!box) throw new Error('the element is not drawn');
  return box;
}

/** Opens two terminals, and moves the second one beside or below the first with `arrow`; resolves with both. */
async function twoPanes(agent: TestClient, console: ConsolePage, arrow: 'ArrowRight' | 'ArrowDown') {
  const one = await agent.start(['/bin/cat', 'one'], { tty: true });
  const two = await agent.start(['/bin/cat', 'two'], { tty: true });
  await console.open(one.key);
  await console.open(two.key);
  await console.leaveTerminal(two.key);
  await console.page.keyboard.press(`Control+Alt+Shift+${arrow}`);
  await expect(console.pane(one.key)).toBeVisible();
  return [one, two] as const;
}

test('a pane can be dragged to edges, into the middle and along the tabs, and keeps its terminal', async ({
  agent,
  console,
}) => {
  const { page } = console;
  const names = ['one', 'two', 'three'];
  const script = (name: string) =>
    `echo begin ${name}; while read x; do echo "$x of ${name}"; stty size; done`;
  const started = [];
  for (const name of names) started.push(await agent.start(sh(script(name)), { tty: true }));
  const [one, two, three] = started.map(({ key }) => key) as [string, string, string];
  for (const key of [one, two, three]) await console.open(key);
  await console.shows(three, 'begin three');
  // A terminal that was recreated would have a new element without this attribute.
  for (const key of [one, two, three]) {
    await console.page.evaluate((k) => {
      window.execConsole.open(k);
    }, key);
    await console
      .pane(key)
      .locator('.terminal-host')
      .evaluate((host) => host.setAttribute('data-same', 'yes'));
  }
  const sizes = () => page.evaluate(() => window.execConsole.processes().map(({ size }) => size));
  const before = await sizes();
  const place = async (key: string) => boxOf(console.pane(key));

  const whole = await place(three);
  const rightEdge = { x: whole.width - 20, y: whole.height / 2 };
  await page
    .getByRole('tab', { name: /begin two/ })
    .dragTo(console.pane(three), { targetPosition: rightEdge });
  await expect(console.pane(two)).toBeVisible();
  await expect(console.pane(three)).toBeVisible();
  expect((await place(two)).x).toBeGreaterThan((await place(three)).x);

  const box = await place(two);
  await console
    .row(one)
    .dragTo(console.pane(two), { targetPosition: { x: box.width / 2, y: box.height - 20 } });
  await expect(page.getByRole('tablist')).toHaveCount(3);
  expect((await place(one)).y).toBeGreaterThan((await place(two)).y);
  expect(Math.round((await place(one)).x)).toBe(Math.round((await place(two)).x));

  const target = await place(three);
  const middle = { x: target.width / 2, y: target.height / 2 };
  await page.getByRole('tab', { name: /begin one/ }).dragTo(console.pane(three), { targetPosition: middle });
  await expect(page.getByRole('tablist')).toHaveCount(2);
  const firstBar = page.getByRole('tablist').first();
  await page.getByRole('tab', { name: /begin two/ }).dragTo(firstBar, { targetPosition: { x: 4, y: 10 } });
  await expect(page.getByRole('tablist')).toHaveCount(1);
  await expect(page.getByRole('tab')).toHaveText([/begin two/, /begin three/, /begin one/]);

  expect(await sizes()).toEqual(before);
  for (const [index, { key, processId }] of started.entries()) {
    await console.row(key).click();
    await agent.write({ processId }, 'after\n');
    await console.shows(key, `after of ${names[index]}`);
    await console.shows(key, /\n24 80\n/);
    await expect(console.pane(key).locator('[data-same="yes"]')).toBeVisible();
    expect(await console.received(key)).toMatchObject({ missedBytes: 0 });
  }
});

test('panes are divided, maximized and kept in view, and a drag from another window moves none', async ({
  agent,
  console,
}) => {
  await test.step('a divider moves by mouse and keys, and leaves every pane a readable size', async () => {
    const { page } = console;
    const [one] = await twoPanes(agent, console, 'ArrowRight');
    const divider = page.getByRole('separator', { name: 'Divider between panes' });
    await expect(divider).toHaveAttribute('aria-valuenow', '50');
    await divider.focus();
    await page.keyboard.press('ArrowLeft');
    await expect(divider).toHaveAttribute('aria-valuenow', '47');
    await page.keyboard.press('Home');
    const least = await divider.getAttribute('aria-valuemin');
    await expect(divider).toHaveAttribute('aria-valuenow', String(least));
    expect((await boxOf(console.pane(one.key))).width).toBeGreaterThanOrEqual(310);
    const at = await boxOf(divider);
    await page.mouse.move(at.x, at.y + at.height / 2);
    await page.mouse.down();
    await page.mouse.move(at.x + 200, at.y + at.height / 2, { steps: 4 });
    await page.mouse.up();
    expect((await boxOf(divider)).x).toBeGreaterThan(at.x + 190);
    await divider.dblclick();
    await expect(divider).toHaveAttribute('aria-valuenow', '50');
  });
  await console.closePanes();
  await test.step('a drag from another window moves nothing here, even after a drag within this one', async () => {
    const { page } = console;
    const one = await agent.start(['/bin/sleep', '1001']);
    const two = await agent.start(['/bin/sleep', '1002']);
    await console.open(one.key);
    const middle = await boxOf(console.pane(one.key));
    await console.row(two.key).hover();
    await page.mouse.down();
    await page.mouse.move(middle.x + 40, middle.y + 200, { steps: 4 });
    await page.keyboard.press('Escape');
    await page.mouse.up();
    /** Returns true when the pane accepts a drag from another window, simulated with a browser's events. */
    const isTaken = (): Promise<boolean> =>
      console.pane(one.key).evaluate((pane) => {
        const dataTransfer = new DataTransfer();
        dataTransfer.setData('application/x-exec-console-pane', 'of another window');
        const event = new DragEvent('dragover', { bubbles: true, cancelable: true, dataTransfer });
        pane.dispatchEvent(event);
        return event.defaultPrevented;
      });
    expect(await isTaken()).toBe(false);
  });
  await console.closePanes();
  await test.step('a pane can be maximized and restored, and a reload keeps the layout', async () => {
    const { page } = console;
    const [one, two] = await twoPanes(agent, console, 'ArrowDown');
    const { height } = await boxOf(console.pane(two.key));
    await page.getByRole('button', { name: 'Maximize this pane' }).last().click();
    await expect(console.pane(one.key)).toBeHidden();
    expect((await boxOf(console.pane(two.key))).height).toBeGreaterThan(height * 1.8);
    await page.reload();
    await console.isOnline();
    await expect(console.pane(two.key)).toBeVisible();
    await expect(console.pane(one.key)).toBeHidden();
    await page.getByRole('button', { name: 'Maximize this pane' }).click();
    await expect(console.pane(one.key)).toBeVisible();
    expect((await boxOf(console.pane(two.key))).height).toBe(height);
  });
  await console.closePanes();
  await test.step('two panes fit side by side in a small window; in a smaller one the focused pane stays visible', async () => {
    const { page } = console;
    await page.setViewportSize({ width: 1024, height: 700 });
    const [left, right] = [await agent.start(['/bin/cat', 'l']), await agent.start(['/bin/cat', 'r'])];
    await console.open(left.key);
    await console.open(right.key);
    await page.keyboard.press('Control+Alt+Shift+ArrowRight');
    for (const { key } of [left, right]) await expect(console.pane(key)).toBeInViewport({ ratio: 1 });
    await page.setViewportSize({ width: 900, height: 700 });
    for (const { key } of [left, right, left]) {
      await console.row(key).click();
      await expect(console.pane(key)).toBeInViewport({ ratio: 0.99 });
    }
  });
});

test('a pane without room for a split becomes a tab, and a small window scrolls', async ({
  agent,
  console,
}) => {
  const { page } = console;
  for (let index = 0; index < 8; index += 1) {
    const { key } = await agent.start(['/bin/cat', `${index}`], { tty: true });
    await console.open(key);
    await console.leaveTerminal(key);
    await page.keyboard.press('Control+Alt+Shift+ArrowRight');
    await console.leaveTerminal(key);
    await page.keyboard.press('Control+Alt+Shift+ArrowDown');
  }
  const panes = page.locator('[role="region"][data-process-key]:visible');
  for (const pane of await panes.all()) {
    const { width, height } = await boxOf(pane);
    expect(width).toBeGreaterThanOrEqual(310);
    expect(height).toBeGreaterThanOrEqual(160);
  }
  await expect(page.getByRole('tab')).toHaveCount(8);
  await expect(page.getByRole('alert')).toContainText('No room');
  await page.setViewportSize({ width: 800, height: 420 });
  const stage = page.locator('.panes');
  expect(await stage.evaluate((element) => element.scrollWidth > element.clientWidth)).toBe(true);
  for (const pane of await panes.all()) expect((await boxOf(pane)).width).toBeGreaterThanOrEqual(310);
});

test('a hidden tab draws nothing, and shows all its output when it is selected', async ({
  agent,
  console,
}) => {
  const { page } = console;
  const script = 'while read x; do echo "got $x"; done';
  const one = await agent.start(sh(script), { tty: true });
  const two = await agent.start(sh('cat # two'), { tty: true });
  await console.open(one.key);
  await agent.write({ processId: one.processId }, 'first\n');
  await expect(console.pane(one.key).locator('.xterm-rows')).toContainText('got first');
  await console.open(two.key);
  await expect(console.pane(one.key)).toBeHidden();
  const changes = await page.evaluateHandle((key) => {
    const rows = document.querySelector(`[role="region"][data-process-key="${key}"] .xterm-rows`);
    const seen = { count: 0 };
    const observer = new MutationObserver((records) => (seen.count += records.length));
    if (rows) observer.observe(rows, { subtree: true, childList: true, characterData: true });
    return seen;
  }, one.key);
  await agent.write({ processId: one.processId }, 'second\nthird\n');
  await console.shows(one.key, 'got third');
  expect(await changes.evaluate(({ count }) => count)).toBe(0);
  await expect(page.getByRole('tab', { name: /new output$/ })).toHaveCount(1);
  await console.row(one.key).click();
  await expect(console.pane(one.key).locator('.xterm-rows')).toContainText('got third');
  expect(await changes.evaluate(({ count }) => count)).toBeGreaterThan(0);
  await expect(page.getByRole('tab', { name: /new output$/ })).toHaveCount(0);
});

test('a layout can be saved under a name, loaded, renamed and deleted', async ({ agent, console }) => {
  const { page } = console;
  const one = await agent.start(['/bin/sleep', '1001']);
  const two = await agent.start(['/bin/sleep', '1002']);
  await console.open(one.key);
  await console.open(two.key);
  await console.leaveTerminal(two.key);
  await page.keyboard.press('Control+Alt+Shift+ArrowRight');
  const layouts = page.getByRole('dialog', { name: 'Layouts' });
  const show = async () => {
    await page.keyboard.press('Control+Shift+P');
    await page.keyboard.type('layouts');
    await page.keyboard.press('Enter');
    await expect(layouts).toBeVisible();
  };
  await show();
  await page.keyboard.type('sleepers');
  await page.keyboard.press('Enter');
  await expect(layouts.getByRole('button', { name: 'Load sleepers' })).toContainText(
    '2 processes in 2 panes',
  );
  await layouts.getByRole('button', { name: 'Rename sleepers' }).click();
  await page.keyboard.press('Control+a');
  await page.keyboard.type('night');
  await page.keyboard.press('Enter');
  await expect(layouts.getByRole('button', { name: 'Load night' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(layouts).toBeHidden();

  for (const key of [one.key, two.key]) {
    await console.row(key).click();
    await console.pane(key).getByRole('button', { name: 'Close tab' }).click();
  }
  await expect(page.getByRole('tab')).toHaveCount(0);
  await page.reload();
  await console.isOnline();
  await expect(console.row(one.key)).toBeVisible();
  await page.keyboard.press('Control+Shift+P');
  await page.keyboard.type('night');
  await page.keyboard.press('Enter');
  await expect(console.pane(one.key)).toBeVisible();
  await expect(console.pane(two.key)).toBeVisible();
  await show();
  await layouts.getByRole('button', { name: 'Delete night' }).click();
  await expect(layouts.getByRole('button', { name: /^Load/ })).toHaveCount(0);
});

test('a process opens beside another from the palette, and is duplicated from a pane’s menu', async ({
  agent,
  console,
}) => {
  const { page } = console;
  const one = await agent.start(['/bin/sleep', '1001']);
  const two = await agent.start(['/bin/sleep', '1002']);
  const three = await agent.start(['/bin/sleep', '1003'], { tty: true });
  await console.open(one.key);
  await page.keyboard.press('Control+Shift+P');
  await page.keyboard.type('1002');
  await expect(page.getByRole('dialog')).toContainText('to open beside');
  await page.keyboard.press('Control+Enter');
  await expect(console.pane(two.key)).toBeVisible();
  await expect(console.pane(one.key)).toBeVisible();

  await console.pane(two.key).getByRole('button', { name: 'More' }).click();
  await console
    .pane(two.key)
    .getByRole('menuitem', { name: /process below/ })
    .click();
  const which = page.getByRole('dialog', { name: 'Open beside' });
  await expect(which.getByRole('combobox')).toBeFocused();
  await expect(which.getByRole('option')).toHaveCount(2);
  await page.keyboard.type('1003');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('tablist')).toHaveCount(3);
  const [above, below] = [await boxOf(console.pane(two.key)), await boxOf(console.pane(three.key))];
  expect(below.y).toBeGreaterThan(above.y);
  expect(Math.round(below.x)).toBe(Math.round(above.x));

  await page.keyboard.press('Control+Shift+P');
  await page.keyboard.type('duplicate');
  await page.keyboard.press('Enter');
  const again = page.getByRole('dialog', { name: 'Duplicate and edit' });
  await expect(again.getByLabel('Command')).toHaveValue('/bin/sleep 1003');
  await again.getByRole('button', { name: 'Start' }).click();
  await expect(page.getByRole('row', { name: /sleep 1003/ })).toHaveCount(2);
});
