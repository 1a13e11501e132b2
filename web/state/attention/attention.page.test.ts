// Attention signals of a page in the background: the tab’s title and icon, browser notifications, and the
// activity while no page was open.
import { it, vi } from 'vitest';
import { expect, newPage, setHidden, sh } from '../../testing/page.ts';
import { recordNotifications } from '../../testing/notifications.ts';

const title = (): string => document.title;
const icon = (): string => document.querySelector('link[rel="icon"]')?.getAttribute('href') ?? '';

it('the tab’s title and icon show how many processes need attention until each is viewed', async () => {
  const page = await newPage().load();
  await expect.poll(title).toBe('exec-console');
  const failed = page.agent.start(sh('exit 3'));
  failed.ends(3);
  await expect.poll(title).toBe('(1) exec-console');
  expect(icon()).toMatch(/favicon-attention/);
  const notifier = page.agent.start(sh('build; exec cat'), { tty: true });
  notifier.notifies('Build: done');
  await expect.poll(title).toBe('(2) exec-console');
  await page.open(failed.key);
  await expect.poll(title).toBe('(1) exec-console');
  await page.open(notifier.key);
  await expect.poll(title).toBe('exec-console');
  expect(icon()).toMatch(/favicon\.svg/);
});

it('a row and its pane show a program’s progress, and its notification until it is viewed', async () => {
  const page = await newPage().load();
  const process = page.agent.start(sh('read x'), { tty: true });
  const { key } = process;
  process.report({ progress: { state: 'normal', percent: 42 } });
  await expect(page.row(key)).toContainText('42%');
  process.report({ progress: { state: 'error', percent: 80 } });
  process.notifies('needs approval');
  await expect(page.row(key)).toContainText('80%');
  await expect(page.row(key)).toContainText('needs approval');
  const pane = await page.open(key);
  await expect(pane.getByTitle('The program reports an error in its progress')).toHaveText('80%');
  await expect(page.row(key)).not.toContainText('needs approval');
  process.ends();
  await expect(page.row(key)).not.toContainText('80%');
});

it('notifications are shown while the page is hidden, for the chosen causes, with escaped text', async () => {
  const shown = recordNotifications();
  const page = await newPage().load();
  await page.getByRole('button', { name: 'Settings' }).click();
  await page.getByRole('checkbox', { name: /Browser notifications/ }).check();
  await page.getByRole('checkbox', { name: 'a terminal bell rings' }).uncheck();
  await page.getByRole('button', { name: 'Done' }).click();
  page.agent.start(sh('exit 4')).ends(4);
  await expect.poll(title).toBe('(1) exec-console');
  setHidden(true);
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const notifier = page.agent.start(sh('exec cat'), { tty: true });
  notifier.rings();
  notifier.notifies('deploy \u202edone');
  await expect.poll(title).toBe('(2) exec-console');
  vi.advanceTimersByTime(1000);
  vi.useRealTimers();
  expect(shown).toHaveLength(1);
  expect(shown[0]).toMatch(/deploy \\u202edone$/);
  setHidden(false);
  page.agent.start(sh('exit 5')).ends(5);
  await expect.poll(title).toBe('(3) exec-console');
  expect(shown).toHaveLength(1);
});

it('a page that was closed shows the activity since it was last viewed, and opens processes that need attention', async () => {
  const page = await newPage().load();
  page.agent.start(sh('exit 0')).ends();
  await expect(page.getByText('succeeded').first()).toBeVisible();
  page.close();
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 2 * 3_600_000 });
  page.agent.start(sh('exit 0')).ends();
  const failed = page.agent.start(sh('exit 9'));
  failed.ends(9);
  await page.load();
  const card = page.getByRole('region', { name: 'While you were away' });
  await expect(card).toContainText('2 started · 2 ended, 1 failed');
  await expect(card).toContainText('2h');
  await card.getByRole('button', { name: /failed · exit 9/ }).click();
  await expect(page.pane(failed.key)).toBeVisible();
  await card.getByRole('button', { name: 'Dismiss activity' }).click();
  await expect(card).toBeHidden();
});

it('a notification survives a reload and reaches pages opened later, until it is seen', async () => {
  const page = await newPage().load();
  const notifier = page.agent.start(sh('exec sleep 1000'), { tty: true });
  notifier.notifies('approve it?');
  const { key } = notifier;
  await expect(page.row(key)).toContainText('approve it?');
  await page.reload();
  await expect(page.row(key)).toContainText('approve it?');
  await expect(page.getByRole('row', { name: 'Needs attention' })).toContainText('1 notified');
  await expect.poll(title).toBe('(1) exec-console');
  const stored = Object.entries(localStorage);
  // Loads the page with only these stored entries, as in a browser that has them.
  const loadWith = async (entries: typeof stored): Promise<void> => {
    page.close();
    for (const storage of [localStorage, sessionStorage]) storage.clear();
    for (const [name, value] of entries) localStorage.setItem(name, value);
    await page.load();
  };
  await loadWith([]);
  await expect(page.row(key)).toContainText('approve it?');
  const pane = await page.open(key);
  await expect(page.row(key)).not.toContainText('approve it?');
  await pane.getByRole('button', { name: 'Close tab' }).click();
  await page.reload();
  await expect(page.row(key)).toBeVisible();
  await expect.poll(title).toBe('exec-console');
  await expect(page.row(key)).not.toContainText('approve it?');
  await loadWith(stored);
  await expect(page.row(key)).toContainText('approve it?');
});
