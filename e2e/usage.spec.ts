// Usage of processes, requested only for visible rows, and their listening ports.
import { expect, test } from './fixtures.ts';

const SLEEP = ['sleep', '1000'];

test('a listening port is a link, and usage is requested for visible rows only', async ({
  agent,
  console,
  context,
  gateway,
  page,
}) => {
  await test.step('a listening port is a link that opens it', async () => {
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
  await test.step('usage is requested for visible rows only', async () => {
    // Forty processes are then running, including the server of the previous step.
    for (let i = 0; i < 39; i += 1) await agent.start(SLEEP);
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
    await list.evaluate((element) => element.scrollTo(0, 0));
    await page.locator('.process-group-title').click();
    await expect.poll(() => asked.at(-1)).toEqual([]);
  });
});
