// Several processes at once: mouse selection, one confirmation for all, and a report that names refusals.
import { it, vi } from 'vitest';
import { expect, newPage, sh, type TestPage } from '../../testing/page.ts';

/** Starts three processes one after another, so that their order is known: newest first. */
const startThree = (page: TestPage): [string, string, string] =>
  ['one', 'two', 'three'].map((name) => page.agent.start(sh(`exec sleep 1000 # ${name}`)).key) as [
    string,
    string,
    string,
  ];

const bar = (page: TestPage) => page.getByRole('toolbar', { name: 'Selection' });
const report = (page: TestPage) => page.getByRole('status', { name: 'Result' });

async function expectSelected(page: TestPage, keys: readonly string[]): Promise<void> {
  const selected = page.locator('[role="row"][aria-selected="true"]');
  await expect(selected).toHaveCount(keys.length);
  for (const key of keys) await expect(page.row(key)).toHaveAttribute('aria-selected', 'true');
}

it('clicks with Ctrl and Shift select rows, and steps also apply to selected rows that the filter hides', async () => {
  const page = await newPage().load();
  const [one, two, three] = startThree(page);
  await page.row(one).click({ modifiers: ['ControlOrMeta'] });
  await page.row(three).click({ modifiers: ['Shift'] });
  await expectSelected(page, [one, two, three]);
  await page.row(two).click({ modifiers: ['ControlOrMeta'] });
  await expectSelected(page, [one, three]);
  await expect(page.pane(one)).toHaveCount(0);
  await page.getByLabel('Filter processes').fill('two');
  await expect(page.row(one)).toHaveCount(0);
  await expect(bar(page)).toContainText('2 selected');
  await bar(page).getByRole('button', { name: 'Interrupt' }).click();
  await expect(report(page)).toHaveText(/^2 ended/);
  await expect(page.row(two)).toHaveAttribute('data-process-status', 'running');
  await bar(page).getByRole('button', { name: 'Clear selection' }).click();
  await expect(bar(page)).toHaveCount(0);
});

it('one confirmation covers all processes, and the next step needs none', async () => {
  const page = await newPage().load();
  startThree(page);
  const stubborn = page.agent.start(sh('trap "" TERM; echo ready; while :; do sleep 0.1; done # stubborn'));
  stubborn.ignoresTerm = true;
  await expect(page.row(stubborn.key)).toBeVisible();
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 134 * 60_000 });
  await page.row(stubborn.key).focus();
  await page.keyboard.press('Control+a');
  await bar(page).getByRole('button', { name: 'Terminate' }).click();
  const question = page.getByRole('button', {
    name: /^Terminate 4 processes \(“.* and 1 more\)\? The longest has run for 2h 1[34]m$/,
  });
  await expect(question).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(question).toHaveCount(0);
  await expect(bar(page)).toContainText('4 selected');
  await bar(page).getByRole('button', { name: 'Terminate' }).click();
  await page.keyboard.press('Enter');
  await expect(report(page)).toContainText('3 ended, 1 still running');
  await report(page).getByRole('button', { name: 'Kill the rest' }).click();
  await expect(page.row(stubborn.key)).toContainText(/killed by \S+/);
});

it('the report names refused processes', async () => {
  const page = await newPage().load();
  startThree(page);
  page.gateway.answer('process/signal', () => new Error('unknown method process/nothing'));
  const heading = page.locator('.process-group-title').filter({ hasText: '3 running' });
  await heading.getByRole('button', { name: /^Actions for / }).click();
  await page.getByRole('menuitem', { name: 'Interrupt all 3' }).click();
  await expect(report(page)).toHaveText(
    /^3 refused \(.*process\/nothing.*\): exec sleep 1000 # three, exec sleep 1000 # two, exec sleep 1000 # one$/,
  );
});

it('an observer cannot select rows', async () => {
  const page = newPage();
  page.gateway.role = 'observer';
  await page.load();
  const { key } = page.agent.start(sh('exec sleep 1000'));
  await page.row(key).focus();
  await expect(page.getByRole('button', { name: /^Actions for / })).toHaveCount(0);
  await expect(page.getByRole('treegrid')).toHaveAttribute('aria-multiselectable', 'false');
  await page.keyboard.press('Control+a');
  await expectSelected(page, []);
});

it('an observer has no buttons that act on a process', async () => {
  const page = newPage();
  page.gateway.role = 'observer';
  await page.load();
  const { key } = page.agent.start(sh('echo ready; cat'), { tty: true });
  const pane = await page.open(key);
  for (const name of ['Interrupt', 'Terminate', 'Take control'])
    await expect(pane.getByRole('button', { name })).toHaveCount(0);
  await pane.getByRole('button', { name: 'More' }).click();
  await expect(pane.getByRole('menuitem').first()).toBeVisible();
  await expect(pane.getByRole('menuitem', { name: /^(Interrupt|Terminate|Kill|Suspend|Quit)/ })).toHaveCount(
    0,
  );
});

it('a report disappears by itself, but not while the focus is in it', async () => {
  const page = await newPage().load();
  const { key } = page.agent.start(sh('exec sleep 1000'));
  await expect(page.row(key)).toBeVisible();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true });
  await page.row(key).click({ modifiers: ['ControlOrMeta'] });
  await bar(page).getByRole('button', { name: 'Terminate' }).click();
  const restart = report(page).getByRole('button', { name: 'Restart' });
  await expect(restart).toBeVisible();
  await restart.focus();
  vi.advanceTimersByTime(60_000);
  await expect(restart).toBeVisible();
  await page.row(key).focus();
  await expect.poll(() => document.activeElement?.getAttribute('data-process-key')).toBe(key);
  vi.advanceTimersByTime(30_000);
  await expect(report(page)).toHaveText('');
});
