// Restart: from a pane's menu and the palette, and the pane's message when it is refused.
import { it } from 'vitest';
import { expect, newPage, sh } from '../../testing/page.ts';

it('the restart of a process that the gateway has forgotten is refused with an explanation', async () => {
  const page = await newPage().load();
  page.gateway.refuse('process/restart', -32020, 'unknown process key');
  const process = page.agent.start(sh('echo once'));
  process.ends();
  const pane = await page.open(process.key);
  await pane.getByRole('button', { name: 'Restart' }).click();
  await expect(page.getByText('This process no longer exists').first()).toBeVisible();
  await expect(page.getByText('unknown process key')).toHaveCount(0);
});

it('a running process restarts from its pane’s menu and from the palette', async () => {
  const page = await newPage().load();
  const first = page.agent.start(sh('serve'), { tty: true, cwd: '/srv/shop' });
  const running = page.locator('.pane[data-process-status="running"]');
  /** Returns the key of the process that took the place of `former`. */
  const successorOf = async (former: string): Promise<string> => {
    await expect(running).toHaveCount(1);
    await expect(running).not.toHaveAttribute('data-process-key', former);
    return (await running.getAttribute('data-process-key')) ?? '';
  };
  const pane = await page.open(first.key);
  await pane.getByRole('button', { name: 'More', exact: true }).click();
  await pane.getByRole('menuitem', { name: 'Restart (stops it first)' }).click();
  const second = await successorOf(first.key);
  await page.getByRole('button', { name: 'Commands' }).click();
  await page.keyboard.type('restart');
  await page.getByRole('option', { name: /Restart \(stops it first\)/ }).click();
  const third = await successorOf(second);
  const infos = [...page.gateway.processes.values()].map(({ info }) => info);
  expect(infos.map(({ key, state, restartOf }) => [key, state, restartOf])).toEqual([
    [first.key, 'closed', null],
    [second, 'closed', first.key],
    [third, 'running', second],
  ]);
  expect(infos[2]).toMatchObject({ argv: sh('serve'), cwd: '/srv/shop', tty: true });
});
