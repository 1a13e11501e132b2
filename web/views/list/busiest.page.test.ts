// The busiest process, found by keys: the order by CPU usage, and keys that wait until it has been measured.
import { it } from 'vitest';
import { expect, newPage, sh, type TestPage } from '../../testing/page.ts';
import { PageUsage } from '../../testing/page-usage.ts';

const SLEEP = ['sleep', '1000'];
const BUSY = sh('while :; do :; done');

/** Loads a page whose gateway reports usage. */
async function measuredPage(): Promise<TestPage & { readonly usage: PageUsage }> {
  const page = newPage();
  const usage = new PageUsage(page.gateway);
  return Object.assign(await page.load(), { usage });
}

/** Returns the keys of the processes that the page has ended. */
const ended = ({ gateway }: TestPage): string[] =>
  [...gateway.processes.values()].filter(({ info }) => info.endedBy !== null).map(({ key }) => key);

const running = (page: TestPage, count: number) => page.getByRole('button', { name: `Running ${count}` });

it('a runaway among fifty is found with the keyboard alone', async () => {
  const page = await measuredPage();
  for (let i = 0; i < 20; i += 1) page.agent.start(SLEEP);
  const { key } = page.agent.start(BUSY);
  page.usage.set(key, 0.97);
  for (let i = 0; i < 29; i += 1) page.agent.start(SLEEP);
  await expect(running(page, 50)).toBeVisible();
  await page.keyboard.press('b');
  await expect(page.row(key)).toBeFocused();
  await expect(page.row(key)).toHaveAttribute('aria-rowindex', '1');
  await expect(page.row(key)).toContainText(/CPU [1-9]\d+%/);
  await page.keyboard.press('Enter');
  await expect(page.pane(key)).toBeVisible();
});

it('a key pressed right after b waits for the busiest row, and is cancelled if the person moves before that', async () => {
  const page = await measuredPage();
  const { usage, keyboard } = page;
  const busy = page.agent.start(BUSY);
  usage.set(busy.key, 0.97);
  const second = page.agent.start(SLEEP);
  const first = page.agent.start(SLEEP);
  usage.hold();
  await expect(page.row(first.key)).toBeVisible();
  await keyboard.press('b');
  await keyboard.press('Enter');
  await expect(page.getByText('Measuring CPU, then Enter')).toBeVisible();
  usage.release();
  await expect(page.pane(busy.key)).toBeVisible();
  await page.getByRole('button', { name: 'Busiest first' }).click();
  await page.row(second.key).focus();
  usage.hold();
  await keyboard.press('b');
  await keyboard.press('j');
  await expect(page.row(first.key)).toBeFocused();
  await keyboard.press('j');
  await expect(page.row(second.key)).toBeFocused();
  usage.release();
  await expect(page.row(busy.key)).toHaveAttribute('aria-rowindex', '1');
  await expect(page.row(second.key)).toBeFocused();
});

it('no row has the focus while only some visible rows have been measured', async () => {
  const page = await measuredPage();
  const busy = page.agent.start(BUSY);
  page.usage.set(busy.key, 0.97);
  for (let i = 0; i < 39; i += 1) page.agent.start(SLEEP);
  await expect(running(page, 40)).toBeVisible();
  // Usage is requested only for visible rows until the list is first sorted by usage.
  await expect(page.locator('[role="row"][data-process-key]').first()).toContainText('CPU 0%');
  const release = page.gateway.hold('console/usage');
  await page.keyboard.press('b');
  await expect(page.getByText('Measuring CPU')).toBeVisible();
  for (const key of ['x', 'x']) await page.keyboard.press(key);
  // The rows requested before are measured again, the others not yet.
  page.usage.measure();
  // The list is ordered after a short delay, by the usage known by then.
  await expect(page.getByRole('row').first()).toContainText('CPU');
  await expect(page.locator('[role="row"]:focus')).toHaveCount(0);
  expect(ended(page)).toEqual([]);
  release();
  await expect.poll(() => ended(page)).toEqual([busy.key]);
  await expect(running(page, 39)).toBeVisible();
});

it('b x x terminates the busiest of forty, some measured before, and nothing else', async () => {
  const page = await measuredPage();
  const busy = page.agent.start(BUSY);
  page.usage.set(busy.key, 0.97);
  for (let i = 0; i < 39; i += 1) page.agent.start(SLEEP);
  await expect(page.locator('[role="row"][data-process-key]').first()).toContainText('CPU 0%');
  for (const key of ['b', 'x', 'x']) await page.keyboard.press(key);
  await expect.poll(() => ended(page)).toEqual([busy.key]);
  await expect(running(page, 39)).toBeVisible();
  await expect(page.locator('[role="row"]:focus')).toHaveCount(1);
  const report = page.getByRole('status', { name: 'Result' });
  await expect(report).toContainText('Terminated “while :; do :; done”');
  await expect(report.getByRole('button', { name: 'Restart' })).toBeVisible();
});

it('the busiest order stays current, with the focus at its top, until a key is pressed', async () => {
  const page = await measuredPage();
  const turns = sh('read x; while :; do :; done');
  const first = page.agent.start(turns, { tty: true });
  const second = page.agent.start(turns, { tty: true });
  await expect(page.row(second.key)).toBeVisible();
  await page.keyboard.press('b');
  page.usage.set(first.key, 0.97);
  await expect(page.row(first.key)).toBeFocused();
  await expect(page.row(first.key)).toHaveAttribute('aria-rowindex', '1');
  await page.keyboard.press('Shift');
  page.usage.set(first.key, 0);
  page.usage.set(second.key, 0.97);
  await expect(page.row(second.key)).toBeFocused();
  await page.keyboard.press('x');
  await expect(page.row(second.key)).toContainText(
    'Press x again to terminate “read x; while :; do :; done”',
  );
  await page.keyboard.press('x');
  await expect.poll(() => ended(page)).toEqual([second.key]);
});
