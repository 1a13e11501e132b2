// Form for a new process: submitted repeatedly, cancelled while starting, refused, and filled from earlier commands.
import { it } from 'vitest';
import { expect, newPage, type Locator, type TestPage } from '../../testing/page.ts';

async function newProcess(page: TestPage): Promise<Locator> {
  await page.getByRole('button', { name: 'New process' }).first().click();
  return page.getByRole('dialog', { name: 'New process' });
}

it('pressing Enter several times starts one process', async () => {
  const page = await newPage().load();
  const dialog = await newProcess(page);
  await dialog.getByLabel('Command').fill('cat');
  const field = await dialog.getByLabel('Command').element();
  for (let i = 0; i < 3; i += 1)
    field.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true }));
  await expect(dialog).toBeHidden();
  const next = await newProcess(page);
  await next.getByLabel('Command').fill('echo the next');
  await next.getByRole('button', { name: 'Start' }).click();
  await expect(next).toBeHidden();
  await expect.poll(() => page.gateway.processes.size).toBe(2);
});

it('a start that was cancelled too late is reported as running, and does not take the focus', async () => {
  const page = await newPage().load();
  const dialog = await newProcess(page);
  await dialog.getByLabel('Command').fill('exec sleep 1000');
  const release = page.gateway.hold('process/start');
  await dialog.getByRole('button', { name: 'Start' }).click();
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await page.getByRole('button', { name: 'Commands' }).click();
  const palette = page.getByRole('dialog');
  release();
  await expect(page.locator('.process-row')).toHaveCount(1);
  await expect(page.getByText('The process is running: the start had already')).toBeVisible();
  await expect(palette).toBeVisible();
  await expect(page.locator('.pane[data-process-key]')).toHaveCount(0);
});

it('a command that cannot start shows the reason until the form is changed, which keeps its contents', async () => {
  const page = await newPage().load();
  page.gateway.answer('process/start', () => new Error('no such folder: /proc/none/folder'));
  const dialog = await newProcess(page);
  await dialog.getByLabel('Command').fill('echo hello');
  await dialog.getByLabel('Folder', { exact: true }).fill('/proc/none/folder');
  await dialog.getByRole('button', { name: 'Start' }).click();
  await expect(dialog.getByRole('alert')).toHaveText('No such folder: /proc/none/folder');
  await expect(dialog.getByLabel('Command')).toHaveValue('echo hello');
  await expect(dialog.getByLabel('Folder', { exact: true })).toHaveValue('/proc/none/folder');
  await dialog.getByLabel('Folder', { exact: true }).fill('/tmp');
  await expect(dialog.getByRole('alert')).toHaveCount(0);
});

it('earlier commands are available by arrow key and from a list, without the values of their variables', async () => {
  const page = await newPage().load();
  let dialog = await newProcess(page);
  await dialog.getByLabel('Command').fill('echo first');
  await dialog.getByRole('button', { name: 'Start' }).click();
  await expect(dialog).toBeHidden();
  dialog = await newProcess(page);
  await dialog.getByLabel('Command').fill('echo second');
  await dialog.getByLabel('Folder', { exact: true }).fill('/usr');
  await dialog.getByText('More', { exact: true }).click();
  await dialog.getByLabel('Environment').fill('SECRET=hunter2');
  await dialog.getByRole('button', { name: 'Start' }).click();
  await expect(dialog).toBeHidden();
  expect(page.gateway.fake.requests.map(({ params }) => JSON.stringify(params)).join()).toContain('hunter2');
  await page.reload();
  const stored = JSON.stringify(Object.entries(localStorage));
  expect(stored).toContain('echo second');
  expect(stored).not.toContain('hunter2');

  dialog = await newProcess(page);
  const command = dialog.getByLabel('Command');
  await command.press('ArrowUp');
  await expect(command).toHaveValue('echo second');
  await expect(dialog.getByLabel('Folder', { exact: true })).toHaveValue('/usr');
  await expect(dialog.getByText('The recently used command also had the variable SECRET')).toBeVisible();
  await command.press('ArrowUp');
  await expect(command).toHaveValue('echo first');
  await command.press('ArrowDown');
  await command.press('ArrowDown');
  await expect(command).toHaveValue('');
  await command.fill('my own');
  await command.press('ArrowUp');
  await expect(command).toHaveValue('my own');

  await dialog.getByRole('button', { name: 'Recently used' }).click();
  await dialog.getByRole('menuitem', { name: /^echo first/ }).click();
  await expect(command).toHaveValue('echo first');
  await dialog.getByRole('button', { name: 'Recently used' }).click();
  await dialog.getByRole('menuitem', { name: 'Clear this list' }).click();
  await expect(dialog.getByRole('button', { name: 'Recently used' })).toHaveCount(0);
});
