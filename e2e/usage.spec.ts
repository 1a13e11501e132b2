// Usage of processes: visible at a glance, requested only for visible rows, and a runaway found with two
// keys.
import { ConsolePage, expect, test } from './fixtures.ts';
import { heldMessages } from './held-messages.ts';

const SLEEP = ['sleep', '1000'];
const BUSY = ['/bin/sh', '-c', 'while :; do :; done'];

test('a runaway among fifty is found with the keyboard alone', async ({ agent, console }) => {
  const { page } = console;
  for (let i = 0; i < 20; i += 1) await agent.start(SLEEP);
  const runaway = await agent.start(['/bin/sh', '-c', 'while :; do :; done']);
  for (let i = 0; i < 29; i += 1) await agent.start(SLEEP);
  await expect(page.getByRole('button', { name: 'Running 50' })).toBeVisible();
  await page.keyboard.press('b');
  await expect(console.row(runaway.key)).toBeFocused();
  await expect(console.row(runaway.key)).toHaveAttribute('aria-rowindex', '1');
  await expect(console.row(runaway.key)).toContainText(/CPU [1-9]\d+%/);
  await page.keyboard.press('Enter');
  await expect(console.pane(runaway.key)).toBeVisible();
  await agent.request('process/terminate', { processId: runaway.processId });
});

test('a key pressed right after b waits for the busiest row, and moving on before cancels it', async ({
  agent,
  gateway,
  page,
}) => {
  const usage = await heldMessages(page, 'gateway', '"console/usageChanged"');
  const console = await ConsolePage.of(page, gateway);
  const busy = await agent.start(['/bin/sh', '-c', 'while :; do :; done']);
  const second = await agent.start(SLEEP);
  const first = await agent.start(SLEEP);
  await expect(console.row(first.key)).toBeVisible();
  usage.hold();
  await page.keyboard.press('b');
  await page.keyboard.press('Enter');
  await expect(page.getByText('Measuring CPU, then Enter')).toBeVisible();
  usage.release();
  await expect(console.pane(busy.key)).toBeVisible();
  await page.getByRole('button', { name: 'Busiest first' }).click();
  await console.row(second.key).focus();
  usage.hold();
  await page.keyboard.press('b');
  await page.keyboard.press('j');
  await expect(console.row(first.key)).toBeFocused();
  await page.keyboard.press('j');
  await expect(console.row(second.key)).toBeFocused();
  usage.release();
  await expect(console.row(busy.key)).toHaveAttribute('aria-rowindex', '1');
  await expect(console.row(second.key)).toBeFocused();
  await agent.request('process/terminate', { processId: busy.processId });
});

test('no row has the focus while only some visible rows have been measured', async ({
  agent,
  gateway,
  page,
}) => {
  const usage = await heldMessages(page, 'page', '"console/usage"');
  await ConsolePage.of(page, gateway);
  const busy = await agent.start(BUSY);
  for (let i = 0; i < 39; i += 1) await agent.start(SLEEP);
  await expect(page.getByRole('button', { name: 'Running 40' })).toBeVisible();
  // Usage is requested for visible rows only, until the list is first sorted by it.
  await expect(page.locator('[role="row"][data-process-key]').first()).toContainText('CPU 0%');
  usage.hold();
  await page.keyboard.press('b');
  await expect(page.getByText('Measuring CPU')).toBeVisible();
  for (const key of ['x', 'x']) await page.keyboard.press(key);
  // The list is ordered after a short delay, by the usage known by then.
  await expect(page.getByRole('row').first()).toContainText('CPU');
  await expect(page.locator('[role="row"]:focus')).toHaveCount(0);
  await expect(page.locator('[data-process-status="terminating"]')).toHaveCount(0);
  usage.release();
  await agent.waitEvent(busy.processId, 'process/closed');
  await expect(page.getByRole('button', { name: 'Running 39' })).toBeVisible();
});

test('b x x terminates the busiest of forty, some measured before, and nothing else', async ({
  agent,
  console,
}) => {
  const { page } = console;
  const busy = await agent.start(BUSY);
  for (let i = 0; i < 39; i += 1) await agent.start(SLEEP);
  await expect(page.getByRole('row').filter({ hasText: 'CPU 0%' }).first()).toBeVisible();
  for (const key of ['b', 'x', 'x']) await page.keyboard.press(key);
  await agent.waitEvent(busy.processId, 'process/closed');
  await expect(page.getByRole('button', { name: 'Running 39' })).toBeVisible();
  // The focus moves to a neighbouring row; the report names the ended process and links to it.
  await expect(page.locator('[role="row"]:focus')).toHaveCount(1);
  const report = page.getByRole('status', { name: 'Result' });
  await expect(report).toContainText('Terminated `while :; do :; done`');
  await expect(report.getByRole('button', { name: 'Restart' })).toBeVisible();
});

test('the busiest order stays current, with the focus at its top, until a key is pressed', async ({
  agent,
  console,
}) => {
  const { page } = console;
  const turns = ['/bin/sh', '-c', 'read x; while :; do :; done'];
  const first = await agent.start(turns, { tty: true });
  const second = await agent.start(turns, { tty: true });
  await expect(console.row(second.key)).toBeVisible();
  await page.keyboard.press('b');
  await agent.write({ processId: first.processId }, '\n');
  await expect(console.row(first.key)).toBeFocused();
  await expect(console.row(first.key)).toHaveAttribute('aria-rowindex', '1');
  await page.keyboard.press('Shift');
  await agent.request('process/signal', { processId: first.processId, signal: 'interrupt' });
  await agent.write({ processId: second.processId }, '\n');
  await expect(console.row(second.key)).toBeFocused();
  await page.keyboard.press('x');
  await expect(console.row(second.key)).toContainText(
    'Press x again to terminate `read x; while :; do :; done`',
  );
  await page.keyboard.press('x');
  await agent.waitEvent(second.processId, 'process/closed');
});

test('usage is requested for visible rows only', async ({ agent, gateway, page, console }) => {
  for (let i = 0; i < 40; i += 1) await agent.start(SLEEP);
  await expect(page.getByRole('button', { name: 'Running 40' })).toBeVisible();
  // The table of all processes, shown while no pane is open, would have visible rows too.
  await page.locator('.process-row').first().click();
  await expect(page.locator('.pane')).toBeVisible();
  const asked: string[][] = [];
  page.on('websocket', (socket) =>
    socket.on('framesent', ({ payload }) => {
      const { method, params } = JSON.parse(String(payload)) as {
        method?: string;
        params?: { keys: string[] };
      };
      if (method === 'console/usage' && params) asked.push(params.keys);
    }),
  );
  await page.goto(new URL('/', gateway.pageUrl).href);
  await console.isOnline();
  const list = page.locator('.process-list-rows');
  await expect.poll(() => asked.at(-1)?.length ?? 0).toBeGreaterThan(5);
  const first = asked.at(-1) ?? [];
  expect(first.length).toBeLessThan(30);
  await list.evaluate((element) => element.scrollTo(0, element.scrollHeight));
  await expect.poll(() => asked.at(-1)?.some((key) => !first.includes(key))).toBe(true);
  expect(asked.at(-1)?.length).toBeLessThan(30);
  // Rows of a collapsed group are not requested.
  await list.evaluate((element) => element.scrollTo(0, 0));
  await page.locator('.process-group-title').click();
  await expect.poll(() => asked.at(-1)).toEqual([]);
});

test('a listening port is a link that opens it', async ({ agent, console, context }) => {
  const script = `const s = require('http').createServer((_, r) => r.end('hello')).listen(0, '127.0.0.1', () => console.log('on', s.address().port))`;
  const { key, processId } = await agent.start([process.execPath, '-e', script]);
  await agent.waitOutput(processId, '\n');
  const port = /on (\d+)/.exec(agent.output(processId).toString())?.[1] ?? '';
  const link = console.row(key).getByRole('link', { name: `Open port ${port}` });
  await expect(link).toHaveAttribute('href', `http://127.0.0.1:${port}`);
  await expect(link).toHaveAttribute('rel', /noopener/);
  await console.row(key).focus();
  await console.page.keyboard.press('Tab');
  await expect(link).toBeFocused();
  const opened = context.waitForEvent('page');
  await console.page.keyboard.press('Enter');
  await expect((await opened).locator('body')).toHaveText('hello');
  await expect(console.pane(key)).toBeHidden();
});
