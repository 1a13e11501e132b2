// Sandboxes in the page: each process's policy, denials, and a host without sandboxes.
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { readOnly, workspaceWrite } from '../server/testing/intents.ts';
import { ConsolePage, expect, expectAccessible, test } from './fixtures.ts';
import { Gateway } from './gateway.ts';

const sh = (script: string): string[] => ['/bin/sh', '-c', script];

test.describe(() => {
  test.use({ flags: ['--sandbox', 'read-only'] });

  test('a process started in the page is sandboxed under --sandbox', async ({ console }) => {
    const key = await console.start('echo x > /var/tmp/exec-console-floor');
    await expect(console.row(key)).toContainText('probably blocked by its sandbox');
  });
});

test('a gateway without bubblewrap reports that, rejects sandboxed starts, and runs others', async ({
  page,
}) => {
  // Simulates a host without bubblewrap: nothing can be executed at its path.
  const gateway = await Gateway.start({
    inside: [
      'bwrap',
      '--die-with-parent',
      '--dev-bind',
      '/',
      '/',
      '--ro-bind',
      '/dev/null',
      '/usr/bin/bwrap',
    ],
  });
  try {
    const console = await ConsolePage.of(page, gateway);
    const health = page.getByRole('status', { name: 'Gateway' });
    await expect(health).toHaveAttribute('data-gateway-status', 'degraded');
    await expect(health).toContainText('install the package bubblewrap');
    const agent = await gateway.agent();
    await expect(agent.start(['/bin/true'], { sandbox: readOnly('/') })).rejects.toMatchObject({
      code: -32600,
      message: expect.stringContaining('install the package bubblewrap'),
    });
    const status = await fetch(new URL('/status', gateway.pageUrl), {
      headers: { authorization: `Bearer ${gateway.token}` },
    });
    expect(await status.json()).toMatchObject({ status: 'degraded' });
    const key = await console.start('echo works');
    await expect(console.row(key)).toContainText('succeeded');
  } finally {
    await gateway.stop();
  }
});

test('a pane names its sandbox and denials, a duplicate keeps it, and a person chooses that of a new process', async ({
  console,
  gateway,
  agent,
}) => {
  await test.step('a person chooses the sandbox of a new process, and the choice is remembered', async () => {
    const { page } = console;
    await page.getByRole('button', { name: 'New process' }).first().click();
    const dialog = page.getByRole('dialog', { name: 'New process' });
    const folder = join(gateway.dir, 'shop');
    mkdirSync(join(folder, '.git'), { recursive: true });
    await dialog.getByLabel('Command').fill('echo in > inside; echo hook > .git/hook; cat inside; exit 0');
    await dialog.getByText('More', { exact: true }).click();
    await dialog.getByLabel('Folder', { exact: true }).fill(folder);
    await dialog.getByLabel('Sandbox').selectOption('Writable folder, no network');
    await dialog.getByRole('button', { name: 'Start' }).click();
    await expect(dialog).toBeHidden();
    const key = await page.waitForFunction(() => window.execConsole.processes()[0]?.key);
    await console.shows(String(await key.jsonValue()), 'Read-only file system');
    await console.shows(String(await key.jsonValue()), /^in$/m);
    expect(existsSync(join(folder, '.git/hook'))).toBe(false);
  });
  await test.step('a sandbox denial is explained in the row and in the pane', async () => {
    const { key } = await agent.start(sh('echo x > not-here'), {
      cwd: pathToFileURL(gateway.dir).href,
      sandbox: readOnly(gateway.dir),
    });
    await expect(console.row(key)).toContainText('failed · exit 2 · probably blocked by its sandbox');
    const pane = await console.open(key);
    await expect(pane).toContainText('Probably blocked by its sandbox.');
    await expect(pane).toContainText('Sandbox: read-only; no network.');
    const chip = pane.getByRole('button', { name: 'read-only' });
    await expect(chip).toHaveAttribute('aria-expanded', 'true');
    await chip.click();
    await expect(pane).not.toContainText('It failed');
  });
  await test.step('an ordinary failure is not blamed on the sandbox', async () => {
    const { key } = await agent.start(sh('exit 3'), { sandbox: readOnly('/') });
    await expect(console.row(key)).toContainText('failed · exit 3');
    await expect(console.row(key)).not.toContainText('sandbox');
  });
  await test.step('every pane names the sandbox of its process, and shows all of it on a click', async () => {
    const enclosed = await agent.start(['sleep', '1000'], {
      cwd: pathToFileURL(gateway.dir).href,
      sandbox: workspaceWrite(gateway.dir),
    });
    const free = await agent.start(['sleep', '1001']);
    const pane = await console.open(enclosed.key);
    await pane.getByRole('button', { name: `writes to ${gateway.dir}` }).click();
    await expect(pane).toContainText(`not to ${gateway.dir}/.git`);
    await expect(pane).toContainText('no network.');
    const other = await console.open(free.key);
    await other.getByRole('button', { name: 'No sandbox' }).click();
    await expect(other).toContainText('full access as the gateway’s user');
  });
  await test.step('a duplicate keeps the sandbox, environment, label, folder and tty of its original', async () => {
    const { page } = console;
    const { dir } = gateway;
    const script =
      'echo "$PWD $SECRET $([ -t 0 ] && echo tty)"; echo x > "$PWD/written" || echo denied; exec sleep 1000';
    const model = await agent.start(sh(script), {
      cwd: pathToFileURL(dir).href,
      env: { PATH: '/usr/bin:/bin', SECRET: 'kept' },
      sandbox: readOnly(dir),
      tty: true,
    });
    const pane = await console.open(model.key);
    await console.shows(model.key, 'denied');
    await pane.getByRole('button', { name: 'More', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Duplicate and edit' }).click();
    const dialog = page.getByRole('dialog', { name: 'Duplicate and edit' });
    await expect(dialog.getByLabel('Sandbox')).toHaveValue('asModel');
    await expect(dialog.getByText('read-only; no network.')).toBeVisible();
    await expectAccessible(page);
    await dialog.getByLabel('Command').fill(`echo edited; ${script}`);
    await dialog.getByLabel('Environment').fill('SECRET=changed');
    await dialog.getByRole('button', { name: 'Start' }).click();
    await expect(dialog).toBeHidden();
    const second = (await page.locator('.pane:visible').getAttribute('data-process-key')) ?? '';
    await console.shows(second, /edited\s+\S+ changed tty[^]*denied/);
    expect(existsSync(join(dir, 'written'))).toBe(false);

    // A command from the history is never started in a weaker sandbox, unless a person chooses one.
    await page.getByRole('button', { name: 'New process' }).first().click();
    const other = page.getByRole('dialog', { name: 'New process' });
    await other.getByLabel('Command').fill('');
    await page.keyboard.press('ArrowUp');
    await expect(other.getByLabel('Command')).toHaveValue(`echo edited; ${script}`);
    await expect(other.getByRole('button', { name: 'Start' })).toBeDisabled();
    await other.getByLabel('Sandbox').selectOption('none');
    await other.getByRole('button', { name: 'Start' }).click();
    await expect(other).toBeHidden();
    await expect.poll(() => existsSync(join(dir, 'written'))).toBe(true);
  });
});
