// The input line of a process with pipes: problems with a line, with an edited paste, and with closing stdin.
import { it } from 'vitest';
import { expect, newPage, type Locator, type TestPage } from '../../testing/page.ts';
import type { PageProcess } from '../../testing/page-process.ts';

interface Opened {
  readonly page: TestPage;
  readonly process: PageProcess;
  readonly pane: Locator;
}

async function open(): Promise<Opened> {
  const page = await newPage().load();
  const process = page.agent.start(['cat'], { tty: false, pipeStdin: true });
  return { page, process, pane: await page.open(process.key) };
}

async function closeStdin({ page, pane }: Opened): Promise<void> {
  await pane.getByRole('button', { name: 'Close stdin' }).click();
  await expect.poll(() => page.gateway.fake.countOf('process/closeStdin')).toBe(1);
}

it('closing stdin while the connection is lost reports that stdin may still be open, and mentions no line', async () => {
  const opened = await open();
  const { page, pane } = opened;
  page.gateway.hold('process/closeStdin');
  await closeStdin(opened);
  page.gateway.fake.socket.cut();
  await expect(pane.getByRole('alert')).toContainText('The connection was lost: stdin may still be open.');
});

it('a line that the process does not read reports that nothing was sent', async () => {
  const { process, pane } = await open();
  process.fake.stdinClosed = true;
  const line = pane.getByRole('textbox', { name: 'Send a line to stdin' });
  await line.fill('one');
  await line.press('Enter');
  await expect(pane.getByRole('alert')).toContainText(
    'The process no longer reads its stdin: nothing was sent.',
  );
});

it('the input line is replaced by a note once stdin is closed, and the focus stays in the pane', async () => {
  const opened = await open();
  const { pane } = opened;
  await closeStdin(opened);
  await expect(pane.getByText('stdin is closed', { exact: true })).toBeVisible();
  await expect(pane.getByRole('textbox', { name: 'Send a line to stdin' })).toHaveCount(0);
  await expect(pane.getByRole('button', { name: 'Close stdin' })).toHaveCount(0);
  await expect(pane).toBeFocused();
});

it('an edited paste stays while the page is offline, and is sent once it is back', async () => {
  const page = await newPage().load();
  const process = page.agent.start(['cat'], { tty: false, pipeStdin: true });
  const pane = await page.open(process.key);
  const paste = new Event('paste', { bubbles: true, cancelable: true });
  Object.assign(paste, { clipboardData: { getData: () => 'one\ntwo' } });
  (await pane.getByRole('textbox', { name: 'Send a line to stdin' }).element()).dispatchEvent(paste);
  const dialog = page.getByRole('dialog', { name: 'Paste these 2 lines?' });
  await dialog.getByRole('textbox', { name: 'Text to paste' }).fill('one\nthree');
  const { fake } = page.gateway;
  fake.isUp = false;
  fake.socket.cut();
  await expect(page.connection).toHaveAttribute('data-connection-state', 'waiting');
  await dialog.getByRole('button', { name: 'Paste', exact: true }).click();
  await expect(dialog.getByRole('alert')).toContainText('Your text stays in the field');
  await expect(dialog.getByRole('textbox', { name: 'Text to paste' })).toHaveValue('one\nthree');
  fake.isUp = true;
  await page.isOnline();
  await dialog.getByRole('button', { name: 'Paste', exact: true }).click();
  await expect(dialog).toHaveCount(0);
});
