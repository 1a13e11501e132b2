// The whole log of a process in its pane: recorded lines above those in memory, from the first line on.
import { ConsolePage, expect, expectAccessible, sh, test } from './fixtures.ts';
import { heldMessages } from './held-messages.ts';

const LINES = 400_000;
const SCRIPT = `seq -f 'line %.0f of the log' ${LINES}; read x`;

test('a log shows its first line and any other by number, and keeps following the end', async ({
  page,
  gateway,
}) => {
  const agent = await gateway.agent();
  const { key } = await agent.start(sh(SCRIPT), { tty: false, pipeStdin: true });
  const console = await ConsolePage.of(page, gateway);
  await console.open(key);
  const log = console.pane(key).getByRole('group', { name: 'Log' });
  const row = (line: number) => log.locator('.log-row', { hasText: `line ${line} of the log` });
  await expect(row(LINES)).toContainText(String(LINES));
  await expect(log).not.toContainText('skipped');

  await log.press('Home');
  await expect(row(1).locator('.log-number')).toHaveText('1');
  await expect(row(20).locator('.log-number')).toHaveText('20');
  await page.mouse.wheel(0, 5000);
  await log.press('End');
  await expect(row(LINES).locator('.log-number')).toHaveText(String(LINES));

  await page.evaluate((hash) => (location.hash = hash), `#${key}:L123456-L123458`);
  await expect(row(123_456)).toHaveClass(/target/);
  await expect(row(123_458)).toHaveClass(/target/);
  await expect(row(123_459)).not.toHaveClass(/target/);
  await row(123_450).locator('a.log-number').click();
  expect(new URL(page.url()).hash).toBe(`#${key}:L123450`);
  await expectAccessible(page);
});

test('a search of a log finds recorded lines, shows its progress, and ends when its bar is closed', async ({
  page,
  gateway,
}) => {
  const asked: string[] = [];
  page.on('websocket', (socket) => {
    socket.on('framesent', ({ payload }) => {
      if (String(payload).includes('console/historySearch')) asked.push(String(payload));
    });
  });
  const answers = await heldMessages(page, 'gateway', '"searchedBytes"');
  const agent = await gateway.agent();
  const { key } = await agent.start(sh(SCRIPT), { tty: false, pipeStdin: true });
  const console = await ConsolePage.of(page, gateway);
  await console.open(key);
  const pane = console.pane(key);
  await expect(pane.locator('.log-row', { hasText: `line ${LINES} of` })).toBeVisible();
  await pane.getByRole('button', { name: 'Search in this pane' }).click();
  const bar = pane.getByRole('search');
  await bar.getByLabel('Search for').fill('line 123456 of');
  await expect(pane.locator('mark.present')).toHaveText('line 123456 of');
  await expect(bar.getByRole('status')).toHaveText('1 of 1');

  answers.hold();
  await bar.getByLabel('Search for').fill('line 0 of');
  await expect(bar.getByRole('status')).toHaveText('Searched 0%');
  await bar.getByLabel('Search for').press('Escape');
  await expect(bar).toBeHidden();
  const before = asked.length;
  answers.release();
  await pane.getByRole('button', { name: 'Search in this pane' }).click();
  await bar.getByLabel('Search for').fill('line 234567 of');
  await expect(pane.locator('mark.present')).toHaveText('line 234567 of');
  expect(asked.slice(before).every((each) => each.includes('line 234567 of'))).toBe(true);
});
