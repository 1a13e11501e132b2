// Being told without looking: the tab's title and icon, the browser's notifications, and the sum of an absence.
import { recordNotifications, setHidden } from './away.ts';
import { expect, test } from './fixtures.ts';

const sh = (script: string): string[] => ['/bin/sh', '-c', script];

test('the tab counts what needs somebody, until they have looked', async ({ agent, console }) => {
  const { page } = console;
  await expect(page).toHaveTitle('exec-console');
  const failed = await agent.start(sh('exit 3'));
  await expect(page).toHaveTitle('(1) exec-console');
  await expect(page.locator('link[rel="icon"]')).toHaveAttribute('href', /favicon-attention/);
  const told = await agent.start(sh(String.raw`printf '\033]777;notify;Build;done\007'; exec cat`), {
    tty: true,
  });
  await expect(page).toHaveTitle('(2) exec-console');
  await console.open(failed.key);
  await expect(page).toHaveTitle('(1) exec-console');
  await console.open(told.key);
  await expect(page).toHaveTitle('exec-console');
  await expect(page.locator('link[rel="icon"]')).toHaveAttribute('href', /favicon\.svg/);
});

test('a row and its pane say how far a program has come, and what it wants, until somebody looks', async ({
  agent,
  console,
}) => {
  const script = String.raw`printf '\033]9;4;1;42\007'; read x; printf '\033]9;4;2;80\007\033]9;needs %s\007' approval; read x`;
  const { key, processId } = await agent.start(sh(script), { tty: true });
  await expect(console.row(key)).toContainText('42 %');
  await agent.write({ processId }, '\n');
  await expect(console.row(key)).toContainText('80 %');
  await expect(console.row(key)).toContainText('needs approval');
  const pane = await console.open(key);
  await expect(pane.getByTitle('It says that something went wrong on its way')).toHaveText('80 %');
  await expect(console.row(key)).not.toContainText('needs approval');
  await agent.write({ processId }, '\n');
  await expect(console.row(key)).not.toContainText('80 %');
});

test('notifications come while nobody looks, of what was chosen, as text that cannot lie', async ({
  agent,
  console,
}) => {
  const shown = await recordNotifications(console);
  const { page } = console;
  await page.getByRole('button', { name: 'Settings' }).click();
  await page.getByRole('checkbox', { name: /Browser notifications/ }).check();
  await page.getByRole('checkbox', { name: 'a bell rings' }).uncheck();
  await page.getByRole('button', { name: 'Done' }).click();
  await agent.start(sh('exit 4'));
  await expect(page).toHaveTitle('(1) exec-console');
  await setHidden(console, true);
  const script = String.raw`printf '\007\033]9;deploy \342\200\256done\007'; exec cat`;
  await agent.start(sh(script), { tty: true });
  await expect.poll(shown).toHaveLength(1);
  expect((await shown())[0]).toMatch(/deploy \\u202edone$/);
  await setHidden(console, false);
  await agent.start(sh('exit 5'));
  await expect(page).toHaveTitle('(3) exec-console');
  expect(await shown()).toHaveLength(1);
});

test('an absence is summed up: counted, and what needs somebody by name', async ({ agent, console }) => {
  const { page } = console;
  await page.clock.install();
  await page.reload();
  await console.isOnline();
  await setHidden(console, true);
  await agent.start(sh('exit 0'));
  const failed = await agent.start(sh('exit 7'));
  await expect(page).toHaveTitle('(1) exec-console');
  await page.clock.fastForward('08:00:00');
  await setHidden(console, false);
  const card = page.getByRole('region', { name: 'While you were away' });
  await expect(card).toContainText('2 started · 2 ended, 1 failed');
  await expect(card).toContainText('8 h');
  await card.getByRole('button', { name: /failed · exit 7/ }).click();
  await expect(console.pane(failed.key)).toBeVisible();
  await card.getByRole('button', { name: 'Dismiss what happened' }).click();
  await expect(card).toBeHidden();
});

test('a page that was closed is told what happened since it was last seen', async ({ agent, console }) => {
  const { page } = console;
  await agent.start(sh('exit 0'));
  await expect(page.getByText('succeeded').first()).toBeVisible();
  // As if it had been closed two hours ago.
  await page.evaluate(() => {
    const kept = JSON.parse(localStorage.getItem('exec-console.seen-change') ?? '{}') as { atMs: number };
    window.addEventListener('pagehide', () =>
      localStorage.setItem(
        'exec-console.seen-change',
        JSON.stringify({ ...kept, atMs: kept.atMs - 7_200_000 }),
      ),
    );
  });
  await page.goto('about:blank');
  await agent.start(sh('exit 9'));
  await page.goBack();
  await console.isOnline();
  const card = page.getByRole('region', { name: 'While you were away' });
  await expect(card).toContainText('1 started · 1 ended, 1 failed');
  await expect(card).toContainText('2 h');
});
