// A whole story: an agent's build runs away; a person in another tab is notified, finds it, stops it, and
// sees proof.
import { recordNotifications, setHidden } from './away.ts';
import { ConsolePage, expect, sh, test } from './fixtures.ts';

/** A runaway build: busy workers, endless output, and a trap that ignores SIGINT and SIGTERM. */
const RUNAWAY = `trap 'echo "build: still cleaning up"' INT TERM
printf '\\033]9;build: out of memory, retrying\\007'
for i in 1 2; do sh -c 'while :; do :; done' & echo "worker $!"; done
while :; do echo "retrying module $i after $? ms"; done`;

function exists(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

test('a runaway among thirty is reported, found, interrupted and terminated with proof, by keyboard alone', async ({
  agent,
  gateway,
  page,
}) => {
  const shown = await recordNotifications(page);
  const console = await ConsolePage.of(page, gateway);
  for (let i = 0; i < 29; i += 1) await agent.start(sh(`exec sleep ${1000 + i}`), { tty: i % 2 === 0 });
  await expect(page.getByRole('button', { name: 'Running 29' })).toBeVisible();
  await page.getByRole('button', { name: 'Settings' }).click();
  await page.getByRole('checkbox', { name: /Browser notifications/ }).check();
  await page.getByRole('button', { name: 'Done' }).click();

  await setHidden(console, true);
  const { key, processId } = await agent.start(['/bin/bash', '-c', RUNAWAY], { tty: true });
  await expect(page).toHaveTitle(/^\(1\) /);
  await expect.poll(shown).toEqual([expect.stringContaining('build: out of memory, retrying')]);
  const workers = [
    ...agent
      .output(processId)
      .toString()
      .matchAll(/worker (\d+)/g),
  ].map(([, pid]) => Number(pid));
  expect(workers).toHaveLength(2);
  for (const pid of workers) expect(exists(pid)).toBe(true);

  await setHidden(console, false);
  await page.keyboard.press('b');
  await expect(console.row(key)).toBeFocused();
  await expect(console.row(key)).toHaveAttribute('aria-rowindex', '1');
  await page.keyboard.press('i');
  await page.keyboard.press('i');
  await expect(console.row(key)).toContainText(/interrupted by \S+/);
  await expect(console.row(key)).toHaveAttribute('data-process-status', 'running');
  await page.keyboard.press('Enter');
  const pane = console.pane(key);
  await expect(pane).toBeFocused();
  await page.keyboard.press('Control+Shift+L');
  await expect(console.row(key)).toBeFocused();
  await page.keyboard.press('x');
  await page.keyboard.press('x');
  await expect(console.row(key)).toHaveAttribute('data-process-status', 'terminating');
  await expect(pane.getByText(/^SIGKILL in \ds$/)).toBeVisible();
  await expect(pane.getByText('everything ended', { exact: true })).toBeVisible();
  await expect(pane).toContainText(/terminated by \S+/);
  for (const pid of workers) await expect.poll(() => exists(pid)).toBe(false);
  await expect(page.getByRole('button', { name: 'Running 29' })).toBeVisible();
  await expect(page).toHaveTitle('exec-console');
});
