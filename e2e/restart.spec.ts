// Restarting a process: a running one is stopped first, and a person chooses settings that are no longer retained.
import { pathToFileURL } from 'node:url';
import type { Locator } from '@playwright/test';
import { readOnly } from '../server/testing/intents.ts';
import { ConsolePage, expect, expectAccessible, sh, test } from './fixtures.ts';
import { WITHOUT_KEEPER } from '../server/testing/keeper-tests.ts';

const SERVER = 'echo "serving as $NAME"; trap "echo bye; exit 0" TERM; while :; do sleep 1; done';
const ENV = { NAME: 'the-shop', PATH: '/usr/bin:/bin' };

/** Resolves with the key of another running process than `key`, once its pane is visible. */
async function successorOf(console: ConsolePage, key: string): Promise<string> {
  const known = await console.page.waitForFunction((former) => {
    const pane = document.querySelector('.pane[data-process-status="running"]:not([hidden])');
    const shown = pane instanceof HTMLElement ? pane.dataset['processKey'] : undefined;
    return shown !== undefined && shown !== former ? shown : null;
  }, key);
  return String(await known.jsonValue());
}

test('a running process restarts from its row and its pane’s menu, with the same environment, and asks for confirmation when that is set', async ({
  agent,
  console,
}) => {
  await test.step('r twice on the row of a running process terminates it, and restarts it with the same environment', async () => {
    // The server exits only on request, so that its last output can be checked.
    const server = SERVER.replace('echo bye;', 'read go; echo bye;');
    const { key, processId } = await agent.start(sh(server), { tty: true, env: ENV });
    await console.open(key);
    await console.shows(key, 'serving as the-shop');
    await console.row(key).focus();
    await console.page.keyboard.press('r');
    await console.page.keyboard.press('r');
    await expect(console.pane(key).getByRole('status', { name: 'Hint' })).toContainText(
      'Terminating the process before the restart',
    );
    await agent.write({ processId }, 'go\n');
    await expect(console.row(key)).toHaveAttribute('data-process-status', 'stopped');
    const second = await successorOf(console, key);
    await console.shows(second, 'serving as the-shop');
    expect(await console.page.evaluate(() => window.execConsole.processes().length)).toBe(2);
  });
  await test.step('a restart of a long-running process asks for confirmation when that is set', async () => {
    const { page } = console;
    const { key } = await agent.start(sh(SERVER), { tty: true, env: ENV });
    const pane = await console.open(key);
    await console.shows(key, 'serving');
    await page.clock.setFixedTime(Date.now() + 134 * 60_000);
    const question = page.getByRole('button', {
      name: /^Restart “.*” \(stops it first\)\? It has run for 2h 1[34]m$/,
    });
    await console.row(key).focus();
    await page.keyboard.press('r');
    await page.keyboard.press('r');
    await expect(question).toBeFocused();
    await expect(pane.locator('.ladder-question')).toHaveCount(0);
    await page.keyboard.press('Escape');
    await expect(question).toHaveCount(0);
    await pane.getByRole('button', { name: 'More', exact: true }).click();
    await pane.getByRole('menuitem', { name: 'Restart (stops it first)' }).click();
    await expect(pane.locator('.ladder-question').getByRole('button').first()).toBeFocused();
    await expectAccessible(page);
    await expect(console.row(key)).toHaveAttribute('data-process-status', 'running');
    await page.keyboard.press('Enter');
    const second = await successorOf(console, key);
    await console.shows(second, 'serving as the-shop');
  });
});

test('the form asks for the settings of a process that the gateway no longer retains', async ({
  agent,
  gateway,
  page,
}) => {
  // Simulates an old process whose start parameters are no longer available.
  await page.routeWebSocket(/.*/, (route) => {
    const server = route.connectToServer();
    server.onMessage((message) =>
      route.send(String(message).replaceAll('"restartable":true', '"restartable":false')),
    );
  });
  const console = await ConsolePage.of(page, gateway);
  const { key } = await agent.start(sh('echo once'), { env: { PATH: '/usr/bin:/bin' } });
  const pane = await console.open(key);
  await pane.getByRole('button', { name: 'Restart' }).click();
  const dialog = page.getByRole('dialog', { name: 'Duplicate and edit' });
  const command = dialog.getByRole('textbox', { name: 'Command' });
  await expect(command).toHaveValue('echo once');
  await expect(command).toBeFocused();
  // An environment must be chosen before anything starts, by button or by Enter.
  await expect(dialog.getByRole('button', { name: 'Start' })).toBeDisabled();
  await page.keyboard.press('Enter');
  await expect(dialog.getByRole('alert')).toContainText('The original’s environment is no longer retained');
  await dialog.getByRole('checkbox', { name: /gateway’s environment/ }).check();
  await expectAccessible(page);
  await command.fill('echo twice');
  await page.keyboard.press('Enter');
  await expect(dialog).toBeHidden();
  const second = await page.locator('.pane:visible').getAttribute('data-process-key');
  await console.shows(second ?? '', 'twice');
});

test.describe('without a keeper', () => {
  test.use({ flags: WITHOUT_KEEPER });

  test('a process that its gateway lost is duplicated only with a sandbox and an environment that a person chose', async ({
    agent,
    gateway,
    console,
  }) => {
    const { page } = console;
    const options = { cwd: pathToFileURL(gateway.dir).href, env: ENV, sandbox: readOnly(gateway.dir) };
    const lost = await agent.start(sh('echo "[$NAME]"; sleep 1000'), options);
    const ended = await agent.start(sh('echo "[$NAME]"'), options);
    for (const { key } of [lost, ended]) {
      await console.open(key);
      await console.shows(key, '[the-shop]');
    }
    await expect(console.row(ended.key)).toHaveAttribute('data-process-status', 'succeeded');
    await gateway.kill();
    const second = await gateway.startAgain(WITHOUT_KEEPER);
    await console.isOnline();
    await expect(console.row(lost.key)).toHaveAttribute('data-process-status', 'lost');
    const ask = [
      (pane: Locator) => pane.getByRole('button', { name: 'Restart' }).click(),
      async (pane: Locator) => {
        await pane.getByRole('button', { name: 'More', exact: true }).click();
        await page.getByRole('menuitem', { name: 'Duplicate and edit' }).click();
      },
    ];
    const dialog = page.getByRole('dialog', { name: 'Duplicate and edit' });
    const start = dialog.getByRole('button', { name: 'Start' });
    for (const { key } of [lost, ended])
      for (const each of ask) {
        await each(await console.open(key));
        await expect(dialog).toContainText('The original’s settings are no longer retained');
        await expect(
          dialog.getByLabel('Sandbox').getByRole('option', { name: 'Same as the original' }),
        ).toHaveCount(0);
        await expect(start).toBeDisabled();
        await dialog.getByRole('checkbox', { name: /gateway’s environment/ }).check();
        await expect(start).toBeDisabled();
        await dialog.getByLabel('Sandbox').selectOption('readOnly');
        await expect(start).toBeEnabled();
        if (each === ask[0]) await dialog.getByRole('button', { name: 'Cancel' }).click();
        else {
          await start.click();
          await expect(dialog).toBeHidden();
          const next = (await page.locator('.pane:visible').getAttribute('data-process-key')) ?? '';
          await console.shows(next, '[]');
        }
      }
    await expect(page.getByText('unknown process key')).toHaveCount(0);
    await second.stop();
  });
});
