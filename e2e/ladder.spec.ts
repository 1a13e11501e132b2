// Interrupt, Terminate with its countdown, and Kill: their effect on children that ignore signals, and the name of the
// person who acted.
import { drawn, expect, expectAccessible, sh, test } from './fixtures.ts';
import type { ConsolePage } from './fixtures.ts';
import type { TestClient } from '../server/testing/test-client.ts';

const IGNORES_TERM = sh('trap "" TERM; echo ready; while :; do sleep 0.1; done');

function exists(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** Resolves with the number that the process has printed after `name=`, once it is there. */
async function printedPid(agent: TestClient, processId: string, name: string): Promise<number> {
  const found = await agent.until(
    () => new RegExp(`${name}=(\\d+)\\s`).exec(agent.output(processId).toString()),
    `the pid of ${name}`,
  );
  return Number(found?.[1]);
}

/** Sets the page's clock ahead and stops it, so that all processes seem long-running; timers are unaffected. */
const later = (console: ConsolePage, ms: number) => console.page.clock.setFixedTime(Date.now() + ms);

test('a process that ignores SIGTERM shows a countdown, and the gateway kills it even with no page open', async ({
  agent,
  console,
  context,
}) => {
  const { key, processId } = await agent.start(IGNORES_TERM);
  await agent.waitOutput(processId, 'ready');
  const pane = await console.open(key);
  await pane.getByRole('button', { name: 'Terminate' }).click();
  await expect(pane.getByText(/^SIGKILL in [1-5]s$/)).toBeVisible();
  // The countdown replaces the status in a narrow pane.
  const status = pane.locator('.pane-status > .status-word:not(.end-countdown)');
  await expect(status).toBeVisible();
  await console.page.setViewportSize({ width: 1000, height: 720 });
  await expect(status).toBeHidden();
  await expect(pane.locator('.end-countdown')).toBeInViewport({ ratio: 1 });
  await expect(console.row(key)).toContainText(/terminating \(\S+\)/);
  await expect(pane.getByText(/^Still running: sh \(\d+\)/)).toBeVisible();
  await expect(pane.getByRole('button', { name: 'Interrupt' })).toHaveCount(0);
  const url = console.page.url();
  await console.page.close();
  expect(agent.events(processId).map(({ method }) => method)).not.toContain('process/closed');
  await agent.waitEvent(processId, 'process/closed');
  const page = await context.newPage();
  await page.goto(url);
  const row = page.locator(`[role="row"][data-process-key="${key}"]`);
  await expect(row).toContainText(/terminated by \S+/);
  const paneAgain = page.locator(`[role="region"][data-process-key="${key}"]`);
  await expect(paneAgain.getByText('everything ended', { exact: true })).toBeVisible();
});

test('each step reports its result, and reaches every remaining process', async ({ agent, console }) => {
  await test.step('the countdown is announced to screen readers', async () => {
    const { key, processId } = await agent.start(IGNORES_TERM);
    await agent.waitOutput(processId, 'ready');
    const pane = await console.open(key);
    await pane.getByRole('button', { name: 'Terminate' }).click();
    await expect(pane.getByText(/^SIGKILL in [1-5]s$/)).toBeVisible();
    await expectAccessible(console.page);
  });
  await test.step('Kill now skips the countdown, and a double click on Terminate does not kill', async () => {
    const { key, processId } = await agent.start(IGNORES_TERM, { tty: true });
    await agent.waitOutput(processId, 'ready');
    const pane = await console.open(key);
    await pane.getByRole('button', { name: 'Terminate' }).dblclick();
    await expect(pane.getByText(/^SIGKILL in [1-5]s$/)).toBeVisible();
    await expect(console.row(key)).toHaveAttribute('data-process-status', 'terminating');
    // The pointer moves away first, since a button that has replaced another under it ignores clicks for a moment.
    await console.page.mouse.move(0, 0);
    await pane.getByRole('button', { name: 'Kill now' }).click();
    await expect(console.row(key)).toContainText(/killed by \S+/);
    await expect(pane.getByText('everything ended', { exact: true })).toBeVisible();
    await expect(pane.getByRole('button', { name: /Kill|Terminate|Interrupt/ })).toHaveCount(0);
  });
  await test.step('Terminate ends every process that a build has forked, including a stopped one', async () => {
    const forks = await agent.start(
      sh('for i in 1 2 3; do sh -c "sleep 1000 & echo child$i=\\$!; wait" & done; wait'),
    );
    const pids = await Promise.all(
      ['child1', 'child2', 'child3'].map((name) => printedPid(agent, forks.processId, name)),
    );
    const stops = await agent.start(sh('echo self=$$; kill -STOP $$; sleep 1000'));
    const self = await printedPid(agent, stops.processId, 'self');
    for (const { key } of [forks, stops]) {
      const pane = await console.open(key);
      await pane.getByRole('button', { name: 'Terminate' }).click();
      await expect(pane.getByText('everything ended', { exact: true })).toBeVisible();
      await expect(console.row(key)).toContainText(/terminated by \S+/);
    }
    for (const pid of [...pids, self]) await expect.poll(() => exists(pid)).toBe(false);
  });
  await test.step('the focus moves to the pane when the button that ended its process disappears', async () => {
    for (const tty of [true, false]) {
      const { key } = await agent.start(['sleep', '1000'], { tty });
      const pane = await console.open(key);
      await pane.getByRole('button', { name: 'Terminate' }).focus();
      await console.page.keyboard.press('Enter');
      await expect(pane.getByText('everything ended', { exact: true })).toBeVisible();
      await expect(console.page.locator('.pane:focus-within')).toHaveCount(1);
    }
  });
  await test.step('a process that left the session is named, and can be terminated too', async () => {
    const away = `setsid sh -c 'echo away=$$ x; exec sleep 1000' & wait`;
    const { key, processId } = await agent.start(['/bin/bash', '-c', away]);
    const pid = await printedPid(agent, processId, 'away');
    const pane = await console.open(key);
    await pane.getByRole('button', { name: 'Terminate' }).click();
    await expect(pane.getByText(`Still running outside the OS session: sleep (${pid})`)).toBeVisible();
    await expect(pane.locator('.log-view').getByText(`ended; still running: sleep (${pid})`)).toHaveCount(1);
    await expect(pane.getByText('everything ended', { exact: true })).toHaveCount(0);
    await expect(pane.getByRole('button', { name: 'Terminate', exact: true })).toHaveCount(0);
    expect(exists(pid)).toBe(true);
    await expectAccessible(console.page);
    await pane.getByRole('button', { name: 'Terminate these too' }).click();
    await expect(pane.getByText('everything ended', { exact: true })).toBeVisible();
    await expect.poll(() => exists(pid)).toBe(false);
  });
});

test('an interrupt reaches a program that floods a terminal or a pipe, by button and by key', async ({
  agent,
  console,
}) => {
  const FLOOD = sh('echo begun; exec yes "$(seq -s " " 55)"');
  for (const tty of [true, false])
    await test.step(tty ? 'a terminal' : 'a pipe', async () => {
      // Each line fills a row, so that the output in flight, a few hundred kilobytes, covers few screens.
      const options = tty ? { tty, size: { rows: 50, cols: 160 } } : { tty };
      const byButton = await agent.start(FLOOD, options);
      const pane = await console.open(byButton.key);
      await expect.poll(async () => (await console.received(byButton.key)).bytes).toBeGreaterThan(300_000);
      await pane.getByRole('button', { name: 'Interrupt' }).click();
      await expect(console.row(byButton.key)).toContainText(/interrupted by \S+/);
      await expect(pane).toHaveAttribute('data-output-complete', 'true');
      const marker = tty
        ? pane.locator('.page-divider[data-text^="interrupted by"]')
        : pane.locator('.log-divider', { hasText: 'interrupted by' });
      await pane.locator(tty ? '.xterm' : '.log-view').click();
      await expect(async () => {
        const isSeen = await marker.isVisible();
        if (!isSeen) await console.page.keyboard.press(tty ? 'Shift+PageUp' : 'PageUp');
        await drawn(console.page);
        expect(isSeen).toBe(true);
      }).toPass({ intervals: [0] });

      const byKey = await agent.start(FLOOD, options);
      const other = await console.open(byKey.key);
      await expect.poll(async () => (await console.received(byKey.key)).bytes).toBeGreaterThan(300_000);
      await other.locator(tty ? '.xterm' : '.log-view').click();
      await console.page.keyboard.press('Control+c');
      await expect(console.row(byKey.key)).toContainText(/interrupted by \S+/);
    });
});

test('a step with a confirmation names its process in the confirmation and the result', async ({
  agent,
  console,
}) => {
  await test.step('a terminated process is named beside the list with Restart, and the focus stays near', async () => {
    const { page } = console;
    const ended = await agent.start(sh('echo once more; exec sleep 1000'));
    await agent.start(['sleep', '1000']);
    await console.row(ended.key).focus();
    await page.keyboard.press('x');
    await page.keyboard.press('x');
    const report = page.getByRole('status', { name: 'Result' });
    await expect(report).toContainText('Terminated “echo once more; exec sleep 1000”');
    await expect(console.row(ended.key)).toBeFocused();
    await expectAccessible(page);
    await report.getByRole('button', { name: 'Restart' }).click();
    await expect(report).toHaveText('');
    const again = page.locator('.pane:visible');
    await expect(again).toContainText('once more');
    await expect(again).not.toHaveAttribute('data-process-key', ended.key);
  });
  await test.step('the confirmation appears once, beside the button: Enter accepts, Escape cancels, and the next step has none', async () => {
    const { page } = console;
    const { key, processId } = await agent.start(IGNORES_TERM);
    await agent.waitOutput(processId, 'ready');
    await later(console, 134 * 60_000);
    const pane = await console.open(key);
    const terminate = pane.getByRole('button', { name: 'Terminate', exact: true });
    const name = /^Terminate “trap .*”\? It has run for 2h 1[34]m$/;
    const question = pane.getByRole('button', { name });
    await terminate.click();
    await expect(question).toBeFocused();
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await expect(question).toHaveCount(0);
    await terminate.click();
    await pane.getByRole('button', { name: 'Cancel' }).click();
    await expect(question).toHaveCount(0);
    await expect(console.row(key)).toHaveAttribute('data-process-status', 'running');

    // A confirmation disappears when the focus leaves, so that a later Enter confirms nothing.
    const other = await agent.start(sh('sleep 1000'));
    await terminate.click();
    await expect(question).toBeFocused();
    await console.open(other.key);
    await expect(question).toBeHidden();
    await console.open(key);
    await expect(terminate).toBeVisible();
    await expect(question).toHaveCount(0);

    await console.row(key).focus();
    await page.keyboard.press('x');
    await page.keyboard.press('x');
    const ofRow = console.row(key).getByRole('button', { name });
    await expect(ofRow).toBeFocused();
    await expect(question).toHaveCount(0);
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await expect(console.row(key)).toBeFocused();
    await page.keyboard.press('x');
    await expect(console.row(key)).toContainText('Press x again to terminate “trap "" TERM');
    await page.keyboard.press('x');
    await page.keyboard.press('Enter');
    await expect(console.row(key)).toHaveAttribute('data-process-status', 'terminating');
    await page.mouse.move(0, 0);
    await pane.getByRole('button', { name: 'Kill now' }).click();
    await expect(console.row(key)).toContainText(/killed by \S+/);
  });
});

test('the name of the person who acted is in the row, at its position in the pane, and in the audit log', async ({
  agent,
  console,
  pageOf,
}) => {
  const script = 'trap "echo got it" INT; echo ready; while :; do sleep 0.1; done';
  const { key, processId } = await agent.start(sh(script));
  await agent.waitOutput(processId, 'ready');
  const pane = await console.open(key);
  const ada = await pageOf('Ada');
  const adasPane = await ada.open(key);
  await adasPane.getByRole('button', { name: 'Interrupt' }).click();
  await console.shows(key, 'got it');
  await expect(pane.getByText('interrupted by Ada')).toHaveCount(1);
  await expect(console.row(key)).toContainText('interrupted by Ada');
  // The button has a visible label, not only a name for screen readers.
  await expect(adasPane.getByRole('button', { name: 'Terminate' })).toHaveText('Terminate');
  await adasPane.getByRole('button', { name: 'Terminate' }).click();
  await expect(console.row(key)).toContainText('terminated by Ada');
  await expect(pane.locator('.log-view').getByText('terminated by Ada')).toHaveCount(1);
  await console.row(key).focus();
  await console.page.keyboard.press('a');
  await expect(console.page.getByRole('dialog')).toContainText(/interrupted by Ada, .*; terminated by Ada, /);
  await console.page.keyboard.press('Escape');

  await console.page.reload();
  await expect(pane).toHaveAttribute('data-output-complete', 'true');
  await expect(pane.locator('.log-view')).toHaveText(
    /ready.*interrupted by Ada.*got it.*terminated by Ada.*everything ended/s,
  );
});

test('an act during a lost connection is marked at its position in the output, in a terminal too', async ({
  agent,
  network,
  proxied,
}) => {
  const script =
    'trap "echo got it" INT; stty -echo; for n in 1 2 3 4 5; do echo $n; done; while :; do read x && echo $x; done';
  const { key, processId } = await agent.start(sh(script), { tty: true });
  await agent.waitOutput(processId, '5');
  const pane = await proxied.open(key);
  await proxied.shows(key, '5');
  network.cut();
  await expect(proxied.connection).toHaveAttribute('data-connection-state', 'waiting');
  await agent.request('process/signal', { processId, signal: 'interrupt' });
  await agent.waitOutput(processId, 'got it');
  await agent.write({ processId }, 'after\n');
  await agent.waitOutput(processId, 'after');
  network.heal();
  await proxied.isOnline();
  await proxied.shows(key, /got it\s+after/);
  // The marker of the reconnection has the same position, so both are merged into one.
  const marker = pane.locator('.page-divider[data-text*="interrupted by"]');
  await expect(marker).toHaveCount(1);
  const screen = await pane.locator('.xterm-screen').boundingBox();
  const line = async (): Promise<number> => {
    const box = await marker.boundingBox();
    return box && screen ? (box.y - screen.y) / box.height : NaN;
  };
  expect(await line()).toBe(5);

  await proxied.page.reload();
  await proxied.shows(key, /got it\s+after/);
  await expect(marker).toHaveCount(1);
  await expect.poll(line).toBe(5);
});
