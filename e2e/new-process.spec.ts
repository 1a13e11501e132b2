// Starting something oneself.
import { expect, test } from './fixtures.ts';

test('a command runs through the shell in the folder that was asked for', async ({ console }) => {
  await console.page.getByRole('button', { name: 'New process' }).first().click();
  const dialog = console.page.getByRole('dialog');
  await dialog.getByLabel('Command').fill('pwd && echo "$((6*7))"');
  await dialog.getByLabel('Working directory').fill('/usr');
  await dialog.getByRole('button', { name: 'Start' }).click();
  await expect(dialog).toBeHidden();
  const key = await console.page.waitForFunction(() => window.execConsole.processes()[0]?.key);
  await console.shows(String(await key.jsonValue()), /\/usr\n42/);
});

test('Enter pressed again and again starts one process', async ({ console }) => {
  await console.page.getByRole('button', { name: 'New process' }).first().click();
  const dialog = console.page.getByRole('dialog');
  await dialog.getByLabel('Command').fill('cat');
  await dialog.getByLabel('Command').evaluate((field) => {
    for (let i = 0; i < 3; i += 1) {
      field.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true }));
    }
  });
  await expect(dialog).toBeHidden();
  // Whatever was started is listed by the time this one is.
  await console.start('echo the next');
  expect(await console.page.evaluate(() => window.execConsole.processes().length)).toBe(2);
});

test('a command that cannot start says why, with everything typed still there', async ({ console }) => {
  await console.page.getByRole('button', { name: 'New process' }).first().click();
  const dialog = console.page.getByRole('dialog');
  await dialog.getByLabel('Command').fill('echo hello');
  await dialog.getByLabel('Working directory').fill('/no/such/folder');
  await dialog.getByRole('button', { name: 'Start' }).click();
  await expect(dialog).toContainText('/no/such/folder');
  await expect(dialog.getByRole('alert')).toBeVisible();
  await expect(dialog.getByLabel('Command')).toHaveValue('echo hello');
  await expect(dialog.getByLabel('Working directory')).toHaveValue('/no/such/folder');
});

test('what a page started outlives the page', async ({ console, secondPage }) => {
  const key = await console.start('cat');
  const other = await secondPage();
  await console.page.close();
  await other.open(key);
  await other.type(key, 'still here\n');
  await other.shows(key, /still here\s+still here/);
});
