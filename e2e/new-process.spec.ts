// Starting a process from the page.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { drawn, expect, expectAccessible, test, ConsolePage } from './fixtures.ts';

test('a command runs through the shell, with the requested folder, label and variables', async ({
  console,
  gateway,
}) => {
  await test.step('a command runs through the shell in the requested folder', async () => {
    await console.page.getByRole('button', { name: 'New process' }).first().click();
    const dialog = console.page.getByRole('dialog');
    await dialog.getByLabel('Command', { exact: true }).fill('pwd && echo "$((6*7))"');
    await dialog.getByLabel('Folder', { exact: true }).fill('/usr');
    await dialog.getByRole('button', { name: 'Start' }).click();
    await expect(dialog).toBeHidden();
    const key = await console.page.waitForFunction(() => window.execConsole.processes()[0]?.key);
    await console.shows(String(await key.jsonValue()), /\/usr\n42/);
  });
  await test.step('label, variables and exact arguments are under More, and an invalid line is reported by number', async () => {
    const dialog = await newProcess(console);
    await dialog.getByLabel('Command', { exact: true }).fill('echo "$GREETING from $0"');
    await dialog.getByText('More', { exact: true }).click();
    await dialog.getByLabel('Label').fill('the greeter');
    const variables = dialog.getByLabel('Environment');
    await variables.fill('GREETING=hello = all\njust words');
    await expect(dialog.getByText('Line 2: there is no “=” between a name and a value.')).toBeVisible();
    await dialog.getByRole('button', { name: 'Start' }).click();
    await expect(dialog.getByRole('alert')).toContainText('Line 2');
    await expectAccessible(console.page);
    await variables.fill('GREETING=hello = all');
    await dialog.getByRole('button', { name: 'Start' }).click();
    await expect(dialog).toBeHidden();
    const row = console.page.getByRole('row').filter({ hasText: 'the greeter' });
    await expect(row).toHaveAttribute('data-process-status', 'succeeded');
    await console.shows(String(await row.getAttribute('data-process-key')), 'hello = all from');
  });
  await test.step('folders are completed by keys, hidden ones only after a dot', async () => {
    const projects = join(gateway.dir, 'projects');
    for (const name of ['alpha', 'alpine', '.hidden', 'beta/deep'])
      mkdirSync(join(projects, name), { recursive: true });
    const answered = answerTo(console.page, '/proc/none/');
    await console.page.reload();
    await console.isOnline();
    const dialog = await newProcess(console);
    const field = dialog.getByRole('combobox', { name: 'Folder', exact: true });
    await field.fill(`${projects}/`);
    const options = dialog.getByRole('listbox', { name: 'Folders' }).getByRole('option');
    await expect(options).toHaveText(['alpha/', 'alpine/', 'beta/']);
    await expectAccessible(console.page);
    await field.pressSequentially('al');
    await expect(options).toHaveText(['alpha/', 'alpine/']);
    await field.press('Escape');
    await expect(options).toHaveCount(0);
    await expect(dialog).toBeVisible();
    await field.fill(`${projects}/.`);
    await expect(options).toHaveText(['.hidden/']);
    await field.fill(`${projects}/be`);
    await expect(options).toHaveText(['beta/']);
    await field.press('ArrowDown');
    await expect(options.first()).toHaveAttribute('aria-selected', 'true');
    await field.press('Enter');
    await expect(field).toHaveValue(`${projects}/beta/`);
    await expect(options).toHaveText(['deep/']);
    await field.press('ArrowDown');
    await field.press('Tab');
    await expect(field).toHaveValue(`${projects}/beta/deep`);
    await field.fill('/proc/none/');
    await answered;
    await drawn(console.page);
    await expect(options).toHaveCount(0);
    await expect(dialog.getByRole('alert')).toHaveCount(0);
  });
});

test('a process that a page started outlives the page', async ({ console, secondPage }) => {
  const key = await console.start('cat');
  const other = await secondPage();
  await console.page.close();
  await other.open(key);
  await other.type(key, 'still here\n');
  await other.shows(key, /still here\s+still here/);
});

const newProcess = async ({ page }: ConsolePage) => {
  await page.getByRole('button', { name: 'New process' }).first().click();
  return page.getByRole('dialog', { name: 'New process' });
};

/** Resolves when the gateway has answered a request containing `text` on the page's next connection. */
const answerTo = (page: Page, text: string): Promise<void> =>
  new Promise((resolve) => {
    page.on('websocket', (socket) => {
      let id: string | undefined;
      socket.on('framesent', ({ payload }) => {
        if (String(payload).includes(text)) id = /"id":(\d+)/.exec(String(payload))?.[1];
      });
      socket.on('framereceived', ({ payload }) => {
        if (id !== undefined && String(payload).startsWith(`{"id":${id},`)) resolve();
      });
    });
  });

test('a command can be saved under a name, run by a click and from the palette, edited and deleted', async ({
  console,
}) => {
  const { page } = console;
  let dialog = await newProcess(console);
  await dialog.getByLabel('Command', { exact: true }).fill('echo saved-$WHO');
  await dialog.getByText('More', { exact: true }).click();
  await dialog.getByLabel('Environment').fill('WHO=me');
  await dialog.getByRole('button', { name: 'Save command …' }).click();
  await expect(dialog.getByText('with the values of WHO')).toBeVisible();
  await dialog.getByLabel('Save as').fill('greet');
  await dialog.getByRole('button', { name: 'Save', exact: true }).click();
  await page.reload();

  dialog = await newProcess(console);
  // Keys typed immediately go into the command, whatever else the dialog shows.
  await expect(dialog.getByLabel('Command', { exact: true })).toBeFocused();
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Run greet' }).click();
  await expect(dialog).toBeHidden();
  const first = await page.waitForFunction(() => window.execConsole.processes()[0]?.key);
  await console.shows(String(await first.jsonValue()), 'saved-me');

  dialog = await newProcess(console);
  await dialog.getByRole('button', { name: 'Edit or delete greet' }).click();
  await dialog.getByRole('menuitem', { name: 'Edit' }).click();
  await expect(dialog.getByLabel('Environment')).toHaveValue('WHO=me');
  await dialog.getByLabel('Command', { exact: true }).fill('echo edited-$WHO');
  await dialog.getByRole('button', { name: 'Replace' }).click();
  await dialog.getByRole('button', { name: 'Cancel' }).click();

  await page.getByRole('button', { name: 'Commands' }).click();
  await page.keyboard.type('run greet');
  await page.keyboard.press('Enter');
  const second = await page.waitForFunction(
    () => window.execConsole.processes().find(({ argv }) => argv.at(-1) === 'echo edited-$WHO')?.key,
  );
  await console.shows(String(await second.jsonValue()), 'edited-me');

  dialog = await newProcess(console);
  await dialog.getByRole('button', { name: 'Edit or delete greet' }).click();
  await dialog.getByRole('menuitem', { name: 'Delete' }).click();
  await expect(dialog.getByRole('button', { name: 'Run greet' })).toHaveCount(0);
});

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

  test('the whole form is reachable, and a folder is chosen by touch', async ({ console, gateway }) => {
    mkdirSync(join(gateway.dir, 'projects', 'shop'), { recursive: true });
    await console.page.getByRole('button', { name: 'New process' }).tap();
    const dialog = console.page.getByRole('dialog');
    await dialog.getByLabel('Command', { exact: true }).fill('pwd');
    await dialog.getByText('More', { exact: true }).tap();
    await dialog.getByLabel('Folder', { exact: true }).fill(`${gateway.dir}/projects/`);
    await dialog.getByRole('option', { name: 'shop/' }).tap();
    await expect(dialog.getByLabel('Folder', { exact: true })).toHaveValue(`${gateway.dir}/projects/shop/`);
    await expectAccessible(console.page);
    await dialog.getByRole('button', { name: 'Start' }).tap();
    await expect(dialog).toBeHidden();
    const key = await console.page.waitForFunction(() => window.execConsole.processes()[0]?.key);
    await console.shows(String(await key.jsonValue()), '/projects/shop');
  });
});
