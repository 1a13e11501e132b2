// The whole log of a process in its pane: recorded lines above those in memory, from the first line on.
import { ConsolePage, expect, expectAccessible, sh, test } from './fixtures.ts';

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
