// Several people at one console: names, control, and viewing without effect.
import { expect, expectAccessible, sh, test, type ConsolePage } from './fixtures.ts';

const SHELL = ['/bin/bash', '--norc', '--noprofile', '-i'];
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

const control = (of: ConsolePage, key: string, pressed: boolean) =>
  of.pane(key).getByRole('button', { name: 'Take control', pressed });

test('people are shown with what they watch, and control is taken, given and released by name', async ({
  agent,
  console,
  pageOf,
  secondPage,
}) => {
  await expect(console.page.getByRole('button', { name: '1 person' })).toBeVisible();
  const ada = await pageOf('Ada');
  const phone = await pageOf('Olga', PHONE);
  await test.step('every page shows who is connected', async () => {
    const tab = await secondPage();
    await console.page.getByRole('button', { name: '3 people' }).click();
    const people = console.page.getByRole('dialog', { name: '3 people' });
    await expect(people.getByRole('listitem')).toHaveCount(3);
    await expect(people.getByRole('listitem').first()).toContainText('operator (you)');
    await expect(people.getByRole('listitem').first()).toContainText('2 tabs');
    await expect(people.getByRole('listitem').filter({ hasText: 'Ada' })).toContainText('operator');
    await expect(people.getByRole('listitem').filter({ hasText: 'Olga' })).toContainText('observer');
    await expectAccessible(console.page);
    await console.page.keyboard.press('Escape');
    await expect(people).toBeHidden();
    await phone.page.getByRole('button', { name: '3 people' }).tap();
    await expect(phone.page.getByRole('dialog', { name: '3 people' })).toBeVisible();
    await phone.page.keyboard.press('Escape');
    await tab.page.close();
  });
  await test.step('control is taken, given and released by name, while an observer on a phone changes nothing', async () => {
    const { key, processId } = await agent.start(SHELL, { tty: true });
    await console.open(key);
    await ada.open(key);
    await phone.row(key).tap();
    await expect(phone.pane(key)).toBeVisible();
    await agent.write({ processId }, 'stty size\n');
    for (const page of [console, ada, phone]) await page.shows(key, /\b24 80\b/);

    await control(console, key, false).click();
    await expect(control(console, key, true)).toBeVisible();
    const size = await console.sizeOtherThan(key, { rows: 24, cols: 80 });
    await expect(ada.pane(key).getByText('operator is in control', { exact: true })).toBeVisible();
    await expect(phone.pane(key).getByText('operator is in control', { exact: true })).toBeAttached();

    await ada.page.setViewportSize({ width: 1100, height: 700 });
    await control(ada, key, false).click();
    await expect(console.pane(key).getByText('Ada is in control', { exact: true })).toBeVisible();
    await expect(console.pane(key).getByRole('status', { name: 'Hint' })).toHaveText('Ada is in control now');
    await expect(control(console, key, false)).toBeVisible();
    const adas = await console.sizeOtherThan(key, size);

    await ada.pane(key).getByRole('button', { name: 'Change who has control' }).click();
    const menu = ada.pane(key).getByRole('menu', { name: 'Change who has control' });
    await expect(menu.getByRole('menuitem')).toHaveText(['Release control', 'Give control to operator']);
    await expectAccessible(ada.page);
    await menu.getByRole('menuitem', { name: 'Give control to operator' }).click();
    await expect(control(console, key, true)).toBeVisible();
    await console.sizeOtherThan(key, adas);

    await control(console, key, true).click();
    await expect(ada.pane(key).getByText('operator is in control', { exact: true })).toBeHidden();
    // Rotating the phone to landscape and back does not resize the program's terminal.
    const known = await phone.page.evaluate(() => window.execConsole.processes()[0]?.size);
    await phone.page.setViewportSize({ width: 844, height: 390 });
    await phone.page.setViewportSize({ width: 390, height: 844 });
    await agent.write({ processId }, 'stty size\n');
    await console.shows(key, new RegExp(`\\b${known?.rows} ${known?.cols}\\b`));
    expect(await console.page.evaluate(() => window.execConsole.processes()[0]?.size)).toEqual(known);
  });
  await test.step('input by another person is marked with their name, and a person’s own input is not', async () => {
    const { key } = await agent.start(['/bin/cat'], { tty: true });
    await console.open(key);
    await ada.open(key);
    await ada.type(key, 'hers\n');
    await console.shows(key, /hers\s+hers/);
    const marks = (of: ConsolePage) => of.pane(key).locator('.page-divider');
    await expect(marks(console)).toHaveAttribute('data-text', 'input by Ada');
    await expect(marks(ada)).toHaveCount(0);
  });
  await test.step('every page shows who watches a process', async () => {
    const { key } = await agent.start(sh('echo here; cat'), { tty: true });
    await phone.page.getByRole('button', { name: 'Back to the list' }).tap();
    await console.open(key);
    await ada.open(key);
    await phone.row(key).tap();
    await console
      .pane(key)
      .getByRole('button', { name: /^Also watched by (Ada, Olga|Olga, Ada)$/ })
      .click();
    await expect(console.pane(key).getByRole('listitem')).toHaveCount(2);
    await ada.page.close();
    await expect(console.pane(key).getByRole('button', { name: 'Also watched by Olga' })).toBeVisible();
    await expect(console.page.getByRole('button', { name: '2 people' })).toBeVisible();
  });
});
