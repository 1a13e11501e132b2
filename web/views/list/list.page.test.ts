// The list: processes that need attention first, filters and chips, and clearing of finished processes.
import { it } from 'vitest';
import { expect, newPage, sh } from '../../testing/page.ts';

const SLEEP = sh('sleep 1000');

it('the list shows waiting processes first, then unseen failures, then running and then finished processes', async () => {
  const page = await newPage().load();
  const failed = page.agent.start(sh('echo broken; exit 3'));
  failed.prints('broken\n');
  failed.ends(3);
  const asks = page.agent.start(sh("printf 'Overwrite? [y/N] '; read answer"), { tty: true });
  asks.asks('Overwrite? [y/N] ');
  const done = page.agent.start(sh('echo fine'));
  done.ends();
  const runs = page.agent.start(SLEEP);
  await expect(page.row(done.key)).toHaveAttribute('data-process-status', 'succeeded');
  await expect(page.row(asks.key)).toContainText('waiting for input');
  await expect(page.row(failed.key)).toContainText('failed · exit 3');
  await expect(page.row(failed.key)).toContainText('broken');
  await expect.poll(() => page.keys()).toEqual([asks.key, failed.key, runs.key, done.key]);
  await expect(page.row(failed.key)).toContainText('unseen');

  // A seen failure belongs among the finished ones, but no row moves while the pointer is on the list.
  await page.open(failed.key);
  await page.leaveList();
  await expect(page.row(failed.key)).not.toContainText('unseen');
  await expect.poll(() => page.keys()).toEqual([asks.key, runs.key, done.key, failed.key]);
  await page.reload();
  await expect.poll(() => page.keys()).toEqual([asks.key, runs.key, done.key, failed.key]);
});

it('a failure behind another tab or the wall stays unseen', async () => {
  const page = await newPage().load();
  const behind = page.agent.start(sh('read x; exit 3'));
  const walled = page.agent.start(sh('read x; exit 3'));
  const { key } = page.agent.start(SLEEP);
  await page.open(behind.key);
  await page.open(key);
  behind.ends(3);
  await expect(page.row(behind.key)).toContainText('unseen');
  await page.open(behind.key);
  await page.leaveList();
  await expect(page.row(behind.key)).not.toContainText('unseen');

  await page.open(walled.key);
  await page.getByRole('button', { name: 'Wall', exact: true }).click();
  walled.ends(3);
  await expect(page.row(walled.key)).toContainText('unseen');
  await page.getByRole('button', { name: 'Wall', exact: true }).click();
  await page.leaveList();
  await expect(page.row(walled.key)).not.toContainText('unseen');
});

it('processes that need attention are listed above all groups, name their agent, and are reached first by j', async () => {
  const page = await newPage().load();
  const { keyboard, agent: one } = page;
  const other = page.gateway.agent();
  const asks = other.start(sh("printf 'Go on? '; read answer"), { tty: true });
  asks.asks('Go on? ');
  const broken = other.start(sh('kill -SEGV $$'));
  broken.ends(0, { exitCode: null, signal: 'SIGSEGV' });
  const runs = one.start(SLEEP);
  for (let i = 0; i < 7; i += 1) one.start(sh(`echo ${i}`)).ends();
  await expect(page.getByRole('row', { name: '2 more finished' })).toBeVisible();
  const needs = page.getByRole('row', { name: 'Needs attention' });
  await expect(needs).toContainText('1 waiting · 1 failed');
  const chips = page.getByRole('group', { name: 'Filter by' });
  // Each process is counted once.
  await expect(chips).toContainText(/Waiting 1\s*Failed 1\s*Running 1\s*Succeeded 7/);
  await expect(page.row(broken.key)).toHaveAttribute('aria-level', '2');
  await expect(page.row(broken.key)).toContainText(/test · (\d\d:\d\d:\d\d|2)/);
  await page.leaveList();
  await needs.focus();
  await keyboard.press('j');
  await expect(page.row(asks.key)).toBeFocused();
  await keyboard.press('j');
  await expect(page.row(broken.key)).toBeFocused();
  await keyboard.press('j');
  await keyboard.press('j');
  await expect(page.row(runs.key)).toBeFocused();
  await page.open(broken.key);
  await page.leaveList();
  await expect(needs).not.toContainText('failed');
});

it('scripts with the same beginning are shortened to their difference in rows and tabs', async () => {
  const page = await newPage().load();
  const [first, second] = ['first', 'second'].map((name) =>
    page.agent.start(sh(`cd /tmp && sleep 1000 && echo ${name}`)),
  );
  await page.open(first?.key ?? '');
  for (const [place, name] of [
    [page.row(first?.key ?? ''), 'first'],
    [page.row(second?.key ?? ''), 'second'],
    [page.getByRole('tab'), 'first'],
  ] as const) {
    await expect(place).toContainText(`cd /tmp && sleep 1000 && echo ${name}`);
    const cut = place.locator('.short-title-cut');
    await expect(cut).toHaveAttribute('data-short', `cd… 1000 && echo ${name}`);
    await expect(cut).toHaveAttribute('data-tight', `cd… ${name}`);
  }
});

it('chips and words narrow the list, and can be removed', async () => {
  const page = await newPage().load();
  const runs = page.agent.start(SLEEP, { metadata: { threadId: 'one' } });
  const failed = page.agent.start(sh('exit 2'));
  failed.ends(2);
  page.agent.start(sh('true')).ends();
  await expect(page.row(failed.key)).toHaveAttribute('data-process-status', 'failed');
  const chips = page.getByRole('group', { name: 'Filter by' });
  await chips.getByRole('button', { name: 'Failed 1' }).click();
  await expect(page.row(failed.key)).toBeVisible();
  await expect(page.row(runs.key)).toBeHidden();
  await expect(page.getByText('1 of 3 shown')).toBeVisible();
  await chips.getByRole('button', { name: 'Running 1' }).click();
  await expect(page.getByText('2 of 3 shown')).toBeVisible();
  const field = page.getByLabel('Filter processes');
  await expect(field).toHaveValue('status:failed status:running');
  await field.fill('thread:one -status:failed');
  await expect(page.getByText('1 of 3 shown')).toBeVisible();
  await expect(page.row(runs.key)).toBeVisible();
  await chips.getByRole('button', { name: 'Remove filter thread one' }).click();
  await expect(field).toHaveValue('-status:failed');
  await page.getByRole('button', { name: 'Show all' }).click();
  await expect(page.row(failed.key)).toBeVisible();
  await field.fill('nothing like it');
  await expect(page.getByText('No process matches “nothing”.')).toBeVisible();
});

it('hidden characters of a name are visible in the filter, too', async () => {
  const page = await newPage().load();
  const { key } = page.agent.start(SLEEP, { metadata: { toolCallId: 'a\u202eb', threadId: 'c\u202ed' } });
  page.agent.start(SLEEP);
  await page
    .row(key)
    .getByRole('button', { name: String.raw`a\u202eb` })
    .click();
  const field = page.getByLabel('Filter processes');
  await expect(field).toHaveValue(String.raw`call:a\u202eb`);
  await expect(page.getByText('1 of 2 shown')).toBeVisible();
  await field.fill('\u202enothing');
  await expect(page.getByText(String.raw`No process matches “\u202enothing”.`)).toBeVisible();
  await field.fill('');
  await expect(page.locator('datalist option[value^="thread:"]')).toHaveAttribute(
    'value',
    String.raw`thread:c\u202ed`,
  );
});

it('finished processes are cleared from the list, even after a reload, and can be restored', async () => {
  const page = await newPage().load();
  const runs = page.agent.start(sh('read x'));
  const done = page.agent.start(sh('echo done'));
  done.ends();
  const failed = page.agent.start(sh('exit 1'));
  failed.ends(1);
  await page.getByRole('button', { name: 'Clear 2 finished' }).click();
  await expect(page.row(done.key)).toBeHidden();
  await expect(page.row(failed.key)).toBeHidden();
  await expect(page.row(runs.key)).toBeVisible();
  await expect(page.getByText('2 cleared')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Undo' })).toBeFocused();
  await page.reload();
  await expect(page.row(runs.key)).toBeVisible();
  await expect(page.row(done.key)).toBeHidden();
  runs.ends();
  await expect(page.row(runs.key)).not.toHaveAttribute('data-process-status', 'running');
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(page.row(done.key)).toBeVisible();
  await expect(page.row(failed.key)).toBeVisible();
});

it('a lost process that is still running is not offered for clearing', async () => {
  const page = await newPage().load();
  const lost = page.agent.start(sh('read x'));
  lost.report({ state: 'lost', stillRunning: true });
  await expect(page.row(lost.key)).toHaveAttribute('data-process-status', 'lost');
  await expect(page.getByRole('button', { name: /^Clear/ })).toHaveCount(0);
  page.agent.start(['true']).ends();
  await page.getByRole('button', { name: 'Clear 1 finished' }).click();
  await expect(page.getByRole('button', { name: /^Clear/ })).toHaveCount(0);
  await expect(page.row(lost.key)).toBeVisible();
});

it('a row shows the exit code of its process', async () => {
  const page = await newPage().load();
  const [good, bad] = [page.agent.start(['true']), page.agent.start(sh('exit 42'))];
  good.ends();
  bad.ends(42);
  await expect(page.row(good.key)).toHaveAttribute('data-process-status', 'succeeded');
  await expect(page.row(good.key)).toHaveAttribute('data-exit-code', '0');
  await expect(page.row(bad.key)).toHaveAttribute('data-process-status', 'failed');
  await expect(page.row(bad.key)).toHaveAttribute('data-exit-code', '42');
});

it('rows keep their places while the list is being read, even when processes end and start', async () => {
  const page = await newPage().load();
  const below = page.agent.start(sh('read x; exit 1'));
  const above = page.agent.start(SLEEP);
  await expect.poll(() => page.keys()).toEqual([above.key, below.key]);
  await page.row(above.key).hover();
  below.ends(1);
  await expect(page.row(below.key)).toHaveAttribute('data-process-status', 'failed');
  expect(page.keys()).toEqual([above.key, below.key]);
  await page.leaveList();
  await expect.poll(() => page.keys()).toEqual([below.key, above.key]);
});
