// Searching the output of all processes, and opening the line found.
import { expect, SOON_WAITING, test } from './fixtures.ts';

const sh = (script: string): string[] => ['/bin/sh', '-c', script];
const LINES = 3000;

test('a search finds lines of running and of finished processes, and a hit opens its pane at that line', async ({
  agent,
  console,
}) => {
  const { page } = console;
  const shell = await agent.start(
    sh(`i=0; while [ $i -lt ${LINES} ]; do i=$((i+1)); echo "line $i of the build"; done; exec cat`),
    { tty: true },
  );
  const failed = await agent.start(sh('echo "Needle in the output" >&2; exit 1'));
  await agent.waitOutput(shell.processId, `line ${LINES} of`);
  await page.keyboard.press('Control+Shift+S');
  const dialog = page.getByRole('dialog', { name: 'Search in all output' });
  await page.keyboard.type('needle');
  await expect(dialog.getByRole('status')).toContainText('1 line in 1 process');
  await expect(dialog.locator('mark')).toHaveText('Needle');
  await dialog.getByRole('button', { name: 'Match case' }).click();
  await expect(dialog.getByRole('status')).toContainText('No results');
  await dialog.getByRole('button', { name: 'Match case' }).click();

  await dialog.getByRole('button', { name: 'Regular expression' }).click();
  await dialog.getByLabel('Search for').fill('line 15[0-9] of|(N)eedle in');
  await expect(dialog.getByRole('status')).toContainText('11 lines in 2 processes');
  await dialog.getByLabel('Search for').fill('line (');
  await expect(dialog.getByRole('status')).toContainText(/expression/i);
  await dialog.getByLabel('Search for').fill('line 1[5]7 of');
  await expect(dialog.getByRole('status')).toContainText('1 line in 1 process');
  await page.keyboard.press('ArrowDown');
  await expect(dialog.getByRole('button', { name: 'line 157 of the build' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(dialog).toBeHidden();
  const pane = console.pane(shell.key);
  await expect(pane.locator('.revealed-line')).toBeVisible();
  await expect(pane.locator('.xterm-rows')).toContainText('line 157 of the build');
  await expect(pane.locator('.xterm-rows')).not.toContainText(`line ${LINES} of the build`);
  await expect(pane.getByRole('button', { name: 'Go to the end' })).toBeVisible();
  await console.type(shell.key, 'typed here\n');
  await console.shows(shell.key, 'typed here');

  await console.leaveTerminal(shell.key);
  await page.keyboard.press('Control+Shift+S');
  await dialog.getByLabel('Search for').fill('Needle in');
  await expect(dialog.getByRole('status')).toContainText('1 line in 1 process');
  await page.keyboard.press('Enter');
  await expect(console.pane(failed.key).locator('.log-row.target')).toContainText('Needle in the output');
});

test.describe(() => {
  test.use({ limits: SOON_WAITING });

  test('hits are folded, distinguishable, and open the line that was found or show that it is gone', async ({
    agent,
    console,
  }) => {
    await test.step('many hits of one process are folded, and unfold in place', async () => {
      const { page } = console;
      const many = await agent.start(sh("seq -f 'match %g' 1 45"));
      const one = await agent.start(sh('echo match of another'));
      await expect(console.row(one.key)).toHaveAttribute('data-process-status', 'succeeded');
      await expect(console.row(many.key)).toHaveAttribute('data-process-status', 'succeeded');
      await expect(console.row(many.key)).toContainText(/succeeded.*(just now|\d+m ago)/);
      await page.keyboard.press('Control+Shift+S');
      const dialog = page.getByRole('dialog', { name: 'Search in all output' });
      await page.keyboard.type('match');
      await expect(dialog.getByRole('status')).toContainText('46 lines in 2 processes');
      await expect(dialog.getByRole('button', { name: 'match of another' })).toBeInViewport();
      const more = dialog.getByRole('button', { name: '+42 more in this process' });
      await more.focus();
      await page.keyboard.press('Enter');
      await expect(dialog.getByRole('button', { name: 'match 4', exact: true })).toBeFocused();
      await expect(more).toBeHidden();
      await expect(dialog.locator('.search-hit')).toHaveCount(46);
      await page.keyboard.press('Escape');
      await expect(dialog).toBeHidden();
    });
    await test.step('hits of processes with one name are distinguishable, and a waiting process is marked', async () => {
      const { page } = console;
      const asks = sh('printf "Needle? "; read x');
      const { key } = await agent.start(asks, { tty: true });
      await agent.start(asks, { tty: true });
      await expect(console.row(key)).toContainText('waiting for input');
      await page.keyboard.press('Control+Shift+S');
      const dialog = page.getByRole('dialog', { name: 'Search in all output' });
      await dialog.getByLabel('Search for').fill('needle');
      await expect(dialog.getByRole('region', { name: /PID \d+$/ })).toHaveCount(2);
      await expect(dialog.locator('.status-icon.waiting')).toHaveCount(2);
      await page.keyboard.press('Escape');
      await expect(dialog).toBeHidden();
    });
    await test.step('a hit among identical lines opens the line that was found', async () => {
      const script = `seq -f 'a %g' 1 400; echo twin; seq -f 'b %g' 1 400; echo twin; seq -f 'c %g' 1 400; sleep 1000`;
      const { key, processId } = await agent.start(sh(script), { tty: true });
      await agent.waitOutput(processId, 'c 400');
      const { page } = console;
      const rows = console.pane(key).locator('.xterm-rows');
      for (const [hit, before] of [
        [0, 'a 400'],
        [1, 'b 400'],
      ] as const) {
        await page.keyboard.press('Control+Shift+S');
        const dialog = page.getByRole('dialog', { name: 'Search in all output' });
        await dialog.getByLabel('Search for').fill('twin');
        await expect(dialog.locator('.search-hit')).toHaveCount(2);
        await dialog.locator('.search-hit').nth(hit).click();
        await expect(rows).toContainText(before);
        await expect(rows).toContainText('twin');
      }
    });
    await test.step('a hit whose line has left the terminal is reported as gone', async () => {
      const script = `echo long ago; printf '\\033c\\033[3J'; echo now; sleep 1000`;
      const { key, processId } = await agent.start(sh(script), { tty: true });
      await agent.waitOutput(processId, 'now');
      const { page } = console;
      await page.keyboard.press('Control+Shift+S');
      await page.getByRole('dialog').getByLabel('Search for').fill('long ago');
      await expect(page.getByRole('dialog').getByRole('status')).toContainText('1 line');
      await page.keyboard.press('Enter');
      await expect(console.pane(key).getByRole('alert')).toContainText('no longer on the screen');
    });
  });
});
