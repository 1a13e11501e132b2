// The list: no important text is cut, and of ten thousand rows only the visible ones are drawn.
import { ConsolePage, expect, SOON_WAITING, test } from './fixtures.ts';

const sh = (script: string): string[] => ['/bin/sh', '-c', script];
const SLEEP = sh('sleep 1000');

test.describe(() => {
  test.use({ limits: SOON_WAITING });

  test('no important text of rows and tabs is cut', async ({ agent, console }) => {
    await test.step('a confirmation is shown in full, an error has half of its row, and chips move nothing', async () => {
      const { page } = console;
      const runs = await agent.start(SLEEP);
      const asks = await agent.start(sh("printf 'Overwrite the file? [y/N] '; read x"), { tty: true });
      const failed = await agent.start(sh('echo "ERROR: not found: tests/test_module_number_7.py"; exit 4'));
      const line = (key: string) => console.row(key).locator('.process-row-line');
      await expect(console.row(asks.key)).toContainText('waiting for input');
      await expect(console.row(failed.key)).toContainText('failed · exit 4');
      // Usage figures must have arrived before their absence from the other row is checked.
      await expect(console.row(runs.key)).toContainText('CPU');
      await expect(console.row(asks.key)).not.toContainText('CPU');
      expect(await line(asks.key).evaluate((element) => element.scrollWidth > element.clientWidth)).toBe(
        false,
      );
      const share = await line(failed.key).evaluate(
        (element) => element.clientWidth / (element.parentElement?.clientWidth ?? 0),
      );
      expect(share).toBeGreaterThan(0.49);

      const rows = page.locator('.process-list-rows');
      const before = await rows.boundingBox();
      await page.getByLabel('Filter processes').fill('-folder:nowhere -command:nothing -label:none');
      await expect(page.getByRole('group', { name: 'Filter by' }).getByRole('button')).toHaveCount(6);
      expect(await rows.boundingBox()).toEqual(before);
    });
    await test.step('tabs of one name show in full the part that differs', async () => {
      for (let index = 0; index < 9; index += 1) {
        await console.open((await agent.start(['/bin/sleep', '1000'])).key);
      }
      const shown = console.page.locator('.tab .tab-distinction');
      await expect(shown).toHaveCount(9);
      const cut = await shown.evaluateAll(
        (all) => all.filter((each) => each.scrollWidth > each.clientWidth).length,
      );
      expect(cut).toBe(0);
    });
  });
});

const MANY = 10_000;

test('ten thousand finished rows are drawn only where visible, and keys move through all of them', async ({
  agent,
  gateway,
  page,
}) => {
  const { key } = await agent.start(SLEEP);
  // The page receives ten thousand ended processes in addition to the real one.
  await page.routeWebSocket(
    (url) => url.pathname === '/',
    (ws) => {
      const server = ws.connectToServer();
      server.onMessage((message) => {
        const shown = JSON.parse(String(message)) as {
          result?: { processes?: object[]; sessions?: object[] };
        };
        const [known] = shown.result?.sessions ? (shown.result.processes ?? []) : [];
        if (!known) return ws.send(message);
        const done = { ...known, state: 'closed', exitCode: 0, exitedAtMs: Date.now() };
        const many = Array.from({ length: MANY }, (_, i) => ({ ...done, key: `k${i}`, startedAtMs: i }));
        ws.send(JSON.stringify({ ...shown, result: { ...shown.result, processes: [known, ...many] } }));
      });
    },
  );
  const console = await ConsolePage.of(page, gateway);
  const grid = page.getByRole('treegrid', { name: 'Processes' });
  const older = page.getByRole('row', { name: '9,995 more finished' });
  await expect(grid).toHaveAttribute('aria-rowcount', '8');
  await older.click();
  await expect(older).toHaveAttribute('aria-expanded', 'true');
  await expect(grid).toHaveAttribute('aria-rowcount', String(MANY + 3));
  expect(await page.getByRole('row').count()).toBeLessThan(60);
  await console.row(key).focus();
  await page.keyboard.press('End');
  await expect(console.row('k0')).toBeFocused();
  await expect(console.row('k0')).toHaveAttribute('aria-rowindex', String(MANY + 3));
  await page.keyboard.press('k');
  await expect(console.row('k1')).toBeFocused();
  expect(await page.getByRole('row').count()).toBeLessThan(60);
  // The focused row stays focused while it is scrolled out of view, so the next key continues from it.
  await page.locator('.process-list-rows').evaluate((list) => list.scrollTo(0, 0));
  await expect(console.row(key)).toBeVisible();
  await page.keyboard.press('k');
  await expect(console.row('k2')).toBeFocused();
  await expect(console.row('k2')).toBeInViewport();
  await page.getByLabel('Filter processes').fill('status:running');
  await expect(console.row(key)).toBeVisible();
});
