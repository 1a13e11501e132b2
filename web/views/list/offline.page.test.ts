// The list while the page is offline, or while the gateway does not respond: the last known state, with stopped clocks.
import { it, vi } from 'vitest';
import { expect, newPage, sh, type TestPage } from '../../testing/page.ts';

const SLEEP = ['sleep', '1000'];

/** Cuts the connection, and refuses new ones until the returned function is called. */
async function cut({ gateway: { fake }, connection }: TestPage): Promise<() => void> {
  fake.isUp = false;
  fake.socket.cut();
  await expect(connection).toHaveAttribute('data-connection-state', 'waiting');
  return () => {
    fake.isUp = true;
  };
}

it('a row shows the last known state while offline, and its time stops', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() });
  const later = (ms: number) => vi.setSystemTime(Date.now() + ms);
  const page = await newPage().load();
  const { key } = page.agent.start(SLEEP);
  const done = page.agent.start(['true']);
  done.ends();
  const [row, group] = [page.row(key), page.locator('.process-group-title')];
  const time = row.locator('.process-row-time');
  await expect(row).toContainText('running');
  await expect(page.row(done.key)).toHaveAttribute('data-exit-code', '0');
  later(61_000);
  await expect(time).toHaveText(/^1m 0/);

  const heal = await cut(page);
  await expect(row).toContainText('last known: running');
  await expect(page.row(done.key)).not.toContainText('last known');
  await expect(group).toContainText('last known: 1 running');
  await expect(page.connection).toHaveText(/^Offline · retrying in \d+s$/);
  // The phone bar shows the outage, since a pane hides the list there, and the pane of an ended process has no note.
  await expect(page.locator('.phone-bar')).toContainText('Offline');
  const before = (await time.element()).textContent;
  const waited = (await page.connection.element()).textContent;
  later(120_000);
  // Other parts of the page continue to work, and their clocks run.
  await expect(page.connection).not.toHaveText(waited);
  await page.row(done.key).click();
  await expect(page.pane(done.key)).toBeVisible();
  await expect(time).toHaveText(before);
  await expect(row).not.toContainText(/idle [2-9]m/);

  heal();
  await page.isOnline();
  await expect(row).not.toContainText('last known');
  await expect(page.locator('.phone-bar')).not.toContainText('Offline');
  await expect(group).not.toContainText('last known');
  await expect(time).not.toHaveText(before);
});

it('a failure that is opened offline stays unseen until its output is shown', async () => {
  const page = await newPage().load();
  const failed = page.agent.start(sh('echo broken; exit 1'));
  failed.prints('broken\n');
  failed.ends(1);
  await expect(page.row(failed.key)).toContainText('unseen');
  const heal = await cut(page);
  const pane = await page.open(failed.key);
  await page.leaveList();
  await expect(page.row(failed.key)).toContainText('unseen');
  heal();
  await page.isOnline();
  await expect(pane.locator('.log-view')).toContainText('broken');
  await expect(page.row(failed.key)).not.toContainText('unseen');
});

it('a gateway that does not respond is shown as such, clocks stop, and its buttons are disabled', async () => {
  const page = await newPage().load();
  const { key } = page.agent.start(SLEEP, { tty: true });
  const pane = await page.open(key);
  await expect(pane.getByRole('button', { name: 'Terminate' })).toBeEnabled();
  const { fake } = page.gateway;
  fake.socket.isSilent = true;
  await expect(page.connection).toHaveText(/^Not responding for \d+s$/);
  await expect(page.connection).toHaveAttribute('data-connection-state', 'silent');
  for (const name of ['Interrupt', 'Terminate', 'Take control'])
    await expect(pane.getByRole('button', { name })).toBeDisabled();
  await expect(page.getByRole('button', { name: 'New process' }).first()).toBeDisabled();
  await expect(page.row(key)).toContainText('last known: running');
  const time = page.row(key).locator('.process-row-time');
  const textOf = async (of: typeof time): Promise<string> => (await of.element()).textContent;
  const [before, since] = [await textOf(time), await textOf(page.connection)];
  await expect(page.connection).not.toHaveText(since);
  await expect(time).toHaveText(before);
  // Everything sent while the gateway was silent is lost, so a new message is needed.
  fake.socket.isSilent = false;
  fake.notifyAll({});
  await page.isOnline();
  await expect(pane.getByRole('button', { name: 'Terminate' })).toBeEnabled();
  await expect(page.row(key)).not.toContainText('last known');
});
