// The list with many rows: a short Needs attention, equal counts everywhere, named threads, and the filter.
import { expect, expectAccessible, sh, test } from './fixtures.ts';

const SLEEP = ['sleep', '1000'];

test('with fourteen running and nine failed, failures fold to one line that marks all of them as seen', async ({
  agent,
  console,
}) => {
  const { page } = console;
  const running = [];
  for (let i = 0; i < 14; i += 1) running.push(await agent.start(SLEEP));
  for (let i = 0; i < 9; i += 1) await agent.start(sh(`exit ${i + 1}`));
  const needs = page.getByRole('row', { name: 'Needs attention' });
  await expect(needs).toContainText('9 failed');
  await page.mouse.move(720, 880);
  const newest = console.row(running.at(-1)?.key ?? '');
  await expect(newest).toBeInViewport({ ratio: 1 });
  await expect(page).toHaveTitle('(9) exec-console');
  const more = page.getByRole('row', { name: '6 more failed' });
  await more.focus();
  await page.keyboard.press('Enter');
  await expect(more).toHaveAttribute('aria-expanded', 'true');
  await expectAccessible(page);
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Mark all as seen' }).click();
  await expect(needs).toHaveCount(0);
  await expect(page).toHaveTitle('exec-console');
  await expect(page.getByRole('button', { name: 'Failed 9' })).toBeVisible();
  await page.reload();
  await expect(newest).toBeVisible();
  await expect(needs).toHaveCount(0);
});

test('counts agree in chips, section, groups, wall and tab title', async ({ agent, console }) => {
  const { page } = console;
  for (let i = 0; i < 2; i += 1) await agent.start(SLEEP);
  const asks = await agent.start(sh("printf 'Go on? '; read answer"), { tty: true });
  await agent.start(sh('exit 3'));
  await agent.start(sh(String.raw`printf '\033]9;approve?\007'; exec sleep 1000`), { tty: true });
  await expect(console.row(asks.key)).toContainText('waits for input');
  const chips = page.getByRole('group', { name: 'Filter by' });
  await expect(chips).toContainText(/Waiting 1\s*Failed 1\s*Running 3/);
  await expect(page.getByRole('row', { name: 'Needs attention' })).toContainText(
    '1 waiting · 1 notified · 1 failed',
  );
  await expect(page.locator('.process-group-title').nth(1)).toContainText('3 running · 1 waiting · 1 failed');
  await expect(page).toHaveTitle('(3) exec-console');
  for (const [chip, count] of [
    ['Waiting 1', 1],
    ['Running 3', 3],
    ['Failed 1', 1],
  ] as const) {
    await chips.getByRole('button', { name: chip }).click();
    await expect(page.getByText(`${count} of 5 shown`)).toBeVisible();
    await chips.getByRole('button', { name: chip }).click();
  }
  await page.getByRole('button', { name: 'Wall', exact: true }).click();
  await expect(page.locator('.wall-bar')).toContainText(/3 running\s*1 waiting/);
});

test('the filter finds a command by its options, and what finds nothing says why and is cleared with one press', async ({
  agent,
  console,
}) => {
  const { page } = console;
  const options = await agent.start(['sleep', '1000', '-q'], { arg0: 'sleep' });
  const other = await agent.start(SLEEP);
  await expect(console.row(other.key)).toBeVisible();
  const field = page.getByLabel('Filter processes');
  await field.fill('sleep -q');
  await expect(console.row(options.key)).toBeVisible();
  await expect(console.row(other.key)).toBeHidden();
  await field.fill('!-q sleep');
  await expect(console.row(other.key)).toBeVisible();
  await expect(console.row(options.key)).toBeHidden();
  await field.fill('sleep -x');
  await expect(page.getByText('No process matches “-x”.')).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Clear filter' }).click();
  await expect(field).toBeFocused();
  await expect(console.row(other.key)).toBeVisible();
});

test('a thread has one heading, called by its first command, start and count, with its id in the tip', async ({
  agent,
  console,
}) => {
  const { page } = console;
  const threadId = '0198f3a2-7c1e-7d3b-9d55-3b6f0f5b1c11';
  const first = await agent.start(sh('true'), { metadata: { threadId } });
  await agent.waitEvent(first.processId, 'process/closed');
  await agent.start(SLEEP, { metadata: { threadId } });
  const broken = await agent.start(sh('exit 4'), { metadata: { threadId } });
  const heading = page.locator('.process-thread');
  await expect(heading).toHaveCount(1);
  await expect(heading).toHaveText(/^true · \d\d:\d\d · 3 commands$/);
  await expect(heading.getByTitle(threadId)).toBeVisible();
  await expect(page.getByText(threadId.slice(-6))).toHaveCount(0);
  await expect(console.row(broken.key)).toContainText('failed · exit 4');
  await heading.click();
  await expect(page.getByText('3 of 3 shown')).toBeVisible();
  // Also the chip calls it by its name.
  await expect(page.getByRole('button', { name: 'Do not filter by thread true' })).toBeVisible();
});
