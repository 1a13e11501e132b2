// Notifications while nobody is viewing: each stays until seen, and a card summarizes the absence.
import { leftPage, setHidden } from './away.ts';
import { expect, SOON_WAITING, test } from './fixtures.ts';

const sh = (script: string): string[] => ['/bin/sh', '-c', script];

test.describe(() => {
  test.use({ limits: SOON_WAITING });

  test('dismissing the "While you were away" card keeps unopened failures under "Needs attention"', async ({
    agent,
    gateway,
    page,
  }) => {
    const console = await leftPage(page, gateway);
    await agent.start(sh("printf 'Go on? '; read answer"), { tty: true });
    const reported = await agent.start(sh(String.raw`printf '\033]9;approve it\007'; exec sleep 1000`), {
      tty: true,
    });
    for (const each of ['red', 'green'])
      await agent.start(sh(`: a build with a name that is long and alike ${each}; exit 42`));
    await expect(page).toHaveTitle('(4) exec-console');
    await page.clock.fastForward('08:00:00');
    await setHidden(console, false);
    const card = page.getByRole('region', { name: 'While you were away' });
    await expect(card).toContainText('1 waiting for input · 1 notified');
    const items = card.getByRole('listitem');
    await expect(items.nth(0)).toContainText('waiting for input');
    await expect(items.nth(1)).toContainText('approve it');
    for (const width of [1440, 390]) {
      await page.setViewportSize({ width, height: 844 });
      if (width === 1440) await card.getByRole('button', { name: '1 more' }).click();
      await expect(items).toHaveCount(4);
      await expect(items.nth(2)).toContainText(/green.*failed · exit 42.*\d\d:\d\d/);
      // Each item has one line, with names distinguishable even if they begin alike.
      const heights = await items.evaluateAll((rows) =>
        rows.map((row) => row.getBoundingClientRect().height),
      );
      expect(Math.max(...heights)).toBeLessThan(30);
      for (const [at, name] of ['green', 'red'].entries()) {
        await expect(items.nth(2 + at).locator('.away-name')).toHaveText(new RegExp(`^: ?… ${name};`));
        const width =
          (
            await items
              .nth(2 + at)
              .locator('.away-name')
              .boundingBox()
          )?.width ?? 0;
        expect(width).toBeGreaterThan(60);
      }
    }
    await page.setViewportSize({ width: 1440, height: 900 });
    await card.getByRole('button', { name: 'Dismiss activity' }).click();
    await expect(card).toBeHidden();
    await expect(page).toHaveTitle('(4) exec-console');
    await expect(page.getByRole('row', { name: 'Needs attention' })).toContainText(
      '1 waiting · 1 notified · 2 failed',
    );
    await console.open(reported.key);
    await expect(page).toHaveTitle('(3) exec-console');
  });
});

test.describe(() => {
  test.use({ limits: SOON_WAITING });

  test('the "While you were away" card names waiting processes first, counts the rest, and leaves room for the list', async ({
    agent,
    gateway,
    page,
  }) => {
    const console = await leftPage(page, gateway);
    const asks = await agent.start(sh("printf 'Go on? '; read answer"), { tty: true });
    await expect(console.row(asks.key)).toContainText('waiting for input');
    for (let i = 0; i < 9; i += 1) await agent.start(sh(`exit ${i + 1}`));
    await expect(page).toHaveTitle('(10) exec-console');
    await page.clock.fastForward('08:00:00');
    await setHidden(console, false);
    const card = page.getByRole('region', { name: 'While you were away' });
    await expect(card).toContainText('9 ended, 9 failed · 1 waiting for input');
    const items = card.getByRole('listitem');
    await expect(items).toHaveCount(3);
    await expect(items.first()).toContainText(/waiting for input.*test.*\d\d:\d\d/);
    await expect(card.getByRole('button', { name: '7 more' })).toBeVisible();
    expect((await card.boundingBox())?.height).toBeLessThan(170);
    await card.getByRole('button', { name: '7 more' }).click();
    await expect(items).toHaveCount(10);
    expect((await card.boundingBox())?.height).toBeLessThan(450);
  });
});
