// The page shows the true state after a cut, a reload or a flood, and reports skipped output.
import type { TestClient } from '../server/testing/test-client.ts';
import { expect, sha256, test, type ConsolePage } from './fixtures.ts';
import type { Proxy } from './gateway.ts';

/** Returns a command that prints `ready` and, after it has read a line, exactly `bytes` bytes of numbered lines. */
const printer = (bytes: number): string[] => [
  '/bin/sh',
  '-c',
  `echo ready; read go; seq 1 100000000 | head -c ${bytes}`,
];

function expected(bytes: number): Buffer {
  let text = 'ready\n';
  for (let n = 1; text.length < bytes + 6; n += 1) text += `${n}\n`;
  return Buffer.from(text.slice(0, bytes + 6));
}

/**
 * Prints everything while the page is cut off; resolves when the page is back and has received all retained
 * output.
 */
async function printDuringCut(
  { agent, proxied, network }: { agent: TestClient; proxied: ConsolePage; network: Proxy },
  bytes: number,
): Promise<string> {
  const { key, processId } = await agent.start(printer(bytes), { pipeStdin: true });
  await proxied.open(key);
  await proxied.shows(key, 'ready');

  network.cut();
  await expect(proxied.connection).toHaveAttribute('data-connection-state', 'waiting');
  await agent.write({ processId }, 'go\n');
  await agent.waitEvent(processId, 'process/closed');
  network.heal();
  await proxied.isOnline();

  await expect(proxied.pane(key)).toHaveAttribute('data-output-complete', 'true');
  return key;
}

test('output printed during and between lost connections arrives once, each byte of it', async ({
  agent,
  proxied,
  network,
}) => {
  await test.step('900 kB printed during a lost connection arrive afterwards, each byte once', async () => {
    const key = await printDuringCut({ agent, proxied, network }, 900_000);
    const all = expected(900_000);
    await expect
      .poll(() => proxied.received(key))
      .toEqual({ bytes: all.length, sha256: sha256(all), missedBytes: 0 });
  });
  await test.step('a page whose connection is cut during the output gets each byte once', async () => {
    const script =
      'for i in $(seq 1 400); do echo line-$i-xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx; sleep 0.01; done';
    const { key, processId } = await agent.start(['/bin/sh', '-c', script]);
    await proxied.open(key);
    for (const line of ['line-60-', 'line-160-', 'line-260-']) {
      await proxied.shows(key, line);
      network.cut();
      await expect(proxied.connection).toHaveAttribute('data-connection-state', 'waiting');
      network.heal();
      await proxied.isOnline();
    }
    await agent.waitEvent(processId, 'process/closed');
    const all = agent.output(processId);
    await expect
      .poll(() => proxied.received(key))
      .toEqual({ bytes: all.length, sha256: sha256(all), missedBytes: 0 });
  });
});

test('a page shows the end of 50 MB printed during a lost connection, and the exact size of the gap', async ({
  agent,
  proxied,
  network,
}) => {
  const key = await printDuringCut({ agent, proxied, network }, 50_000_000);
  await expect
    .poll(async () => {
      const { bytes, missedBytes } = await proxied.received(key);
      return bytes + missedBytes;
    })
    .toBe(50_000_006);
  expect((await proxied.received(key)).missedBytes).toBeGreaterThan(40_000_000);
  // Skipped output is read from the recording when the log is scrolled there.
  const log = proxied.pane(key).getByRole('group', { name: 'Log' });
  await log.press('Home');
  await expect(log.locator('.log-row', { hasText: 'ready' }).locator('.log-number')).toHaveText('1');
  await expect(proxied.pane(key)).not.toContainText(/evicted|skipped/);
});

test('a flood loses nothing for the agent, and the gaps of the page add up', async ({ agent, console }) => {
  const { key, processId } = await agent.start(printer(30_000_000), { pipeStdin: true });
  await console.open(key);
  await console.shows(key, 'ready');
  await agent.write({ processId }, 'go\n');
  await agent.waitEvent(processId, 'process/closed');
  expect(agent.output(processId).equals(expected(30_000_000))).toBe(true);
  await expect(console.pane(key)).toHaveAttribute('data-output-complete', 'true');
  const { bytes, missedBytes } = await console.received(key);
  expect(bytes + missedBytes).toBe(30_000_006);
});

test('a reload restores the panes and their output, and a page waits for a gateway that is gone', async ({
  agent,
  console,
  gateway,
}) => {
  await test.step('a reload restores the panes and their output', async () => {
    const shell = await agent.start(['/bin/bash', '--norc', '--noprofile', '-i'], { tty: true });
    const done = await agent.start(['/bin/sh', '-c', 'echo finished work']);
    await console.open(done.key);
    await console.shows(done.key, 'finished work');
    const before = await console.received(done.key);
    await console.open(shell.key);
    await console.type(shell.key, 'echo before-$((1+1))\n');
    await console.shows(shell.key, 'before-2');

    await console.page.reload();
    await console.isOnline();
    await expect(console.pane(shell.key)).toBeVisible();
    await console.shows(shell.key, 'before-2');
    await console.type(shell.key, 'echo after-$((1+1))\n');
    await console.shows(shell.key, 'after-2');
    await console.page.getByRole('tab', { name: 'finished work' }).click();
    await console.shows(done.key, 'finished work');
    expect(await console.received(done.key)).toEqual(before);
  });
  await test.step('a page waits for a gateway that is gone, and does not show its processes as running', async () => {
    const { key } = await agent.start(['/bin/sleep', '1000']);
    await console.open(key);
    await expect(console.row(key)).toHaveAttribute('data-process-status', 'running');
    await gateway.stop();
    await expect(console.row(key)).toHaveAttribute('data-process-status', 'stopped');
    await expect(console.connection).toHaveAttribute('data-connection-state', 'waiting');
  });
});

test('input during an outage is not sent, is counted or stays in its field, and its notice covers nothing', async ({
  agent,
  proxied,
  network,
}) => {
  await test.step('a pane takes no keys while offline and shows that; afterwards it works again', async () => {
    const { key, processId } = await agent.start(['/bin/cat'], { tty: true });
    await proxied.open(key);
    await proxied.type(key, 'one\n');
    await agent.waitOutput(processId, 'one\r\none\r\n');
    network.cut();
    await expect(proxied.connection).toHaveAttribute('data-connection-state', 'waiting');
    await proxied.type(key, 'lost\n');
    network.heal();
    await proxied.isOnline();
    await proxied.type(key, 'two\n');
    await agent.waitOutput(processId, 'two\r\ntwo\r\n');
    expect(agent.output(processId).toString()).not.toContain('lost');
  });
  await test.step('a pane counts the keys dropped during an outage, and marks a half-typed line', async () => {
    const { page } = proxied;
    const { key, processId } = await agent.start(['/bin/cat'], { tty: true });
    await proxied.open(key);
    await proxied.typeInto(key);
    await page.keyboard.type('printf AAAA');
    await agent.waitOutput(processId, 'printf AAAA');
    network.cut();
    await expect(proxied.connection).toHaveAttribute('data-connection-state', 'waiting');
    await page.keyboard.type('BBBB');
    network.heal();
    await proxied.isOnline();
    const pane = proxied.pane(key);
    const notice = pane.getByRole('alert');
    await expect(notice).toContainText('4 keys pressed while offline were not sent');
    await expect(notice).toContainText('Check the line before you press Enter');
    await expect(pane.locator('.page-divider[data-text*="4 keys"][data-text*="half typed"]')).toBeVisible();
    await page.keyboard.type('CCCC\n');
    await expect(notice).toBeHidden();
    await agent.waitOutput(processId, 'AAAACCCC\r\nprintf AAAACCCC');
  });
  await test.step('a line for stdin that was written offline stays, and is sent only on request', async () => {
    const { key, processId } = await agent.start(['/bin/cat'], { pipeStdin: true });
    const pane = await proxied.open(key);
    const line = pane.getByRole('textbox', { name: 'Send a line to stdin' });
    await line.pressSequentially('on');
    network.cut();
    await expect(proxied.connection).toHaveAttribute('data-connection-state', 'waiting');
    await line.pressSequentially('e');
    await line.press('Enter');
    await expect(line).toHaveValue('one');
    await expect(pane.getByRole('alert')).toContainText('Your text stays in the field');
    network.heal();
    await proxied.isOnline();
    await line.press('Enter');
    await agent.waitOutput(processId, 'one\n');
  });
  await test.step('the outage notice of a pane covers no line, resizes nothing, and leaves the focus in place', async () => {
    const { page } = proxied;
    const { key, processId } = await agent.start(['/bin/cat'], { tty: true });
    const pane = await proxied.open(key);
    await pane.getByRole('button', { name: 'Take control' }).click();
    await expect(pane.locator('.terminal-host')).not.toHaveClass(/scaled/);
    await proxied.typeInto(key);
    await page.keyboard.type('printf AAAA');
    await agent.waitOutput(processId, 'printf AAAA');
    const { rows } = await proxied.screen(key);
    network.cut();
    await expect(proxied.connection).toHaveAttribute('data-connection-state', 'waiting');
    network.heal();
    await proxied.isOnline();
    const bar = pane.getByRole('alert');
    await expect(bar).toContainText('Check the line');
    const [barBox, host] = [await bar.boundingBox(), await pane.locator('.terminal-host').boundingBox()];
    if (!barBox || !host) throw new Error('invariant violation: a visible element has no box');
    expect(barBox.y + barBox.height).toBeLessThanOrEqual(host.y);
    await expect(pane.locator('.page-divider[data-words="own"][data-text*="this line"]')).toBeVisible();
    expect((await proxied.screen(key)).rows).toBe(rows);
    await bar.getByRole('button', { name: 'Dismiss' }).click();
    await expect(bar).toBeHidden();
    await page.keyboard.type('C\n');
    await agent.waitOutput(processId, 'AAAAC\r\nprintf AAAAC');
  });
});

test('a reload keeps control of a terminal, unless another page has taken it', async ({
  console,
  pageOf,
}) => {
  const key = await console.start('cat');
  const inControl = (of: ConsolePage) =>
    of.pane(key).getByRole('button', { name: 'Take control', pressed: true });
  await expect(inControl(console)).toBeVisible();
  await console.page.reload();
  await expect(inControl(console)).toBeVisible();
  const other = await pageOf('Ada');
  await other.open(key);
  await other.pane(key).getByRole('button', { name: 'Take control' }).click();
  await expect(inControl(other)).toBeVisible();
  await console.page.reload();
  await expect(console.pane(key).getByText('Ada is in control')).toBeVisible();
  await expect(inControl(other)).toBeVisible();
});

test('input while the gateway does not respond is not sent, and is counted or stays in its field', async ({
  agent,
  gateway,
  console,
}) => {
  await test.step('keys pressed while the gateway does not respond are not sent, and are counted', async () => {
    const { page } = console;
    const { key, processId } = await agent.start(['/bin/cat'], { tty: true });
    const pane = await console.open(key);
    await console.typeInto(key);
    await page.keyboard.type('printf AAAA');
    await agent.waitOutput(processId, 'printf AAAA');
    const bar = pane.getByRole('alert');
    gateway.child.kill('SIGSTOP');
    try {
      await expect(console.connection).toHaveAttribute('data-connection-state', 'silent');
      await page.keyboard.type('BBBB\n');
      await pane.locator('.xterm-helper-textarea').evaluate((element) => {
        const clipboardData = new DataTransfer();
        clipboardData.setData('text/plain', 'é中x');
        element.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true }));
      });
      await expect(bar).toContainText('Not responding: keys are not sent');
      await expect(pane.locator('.pane-status')).toContainText('Not responding');
    } finally {
      gateway.child.kill('SIGCONT');
    }
    await console.isOnline();
    await expect(bar).toContainText('8 keys pressed while the gateway did not respond were not sent.');
    await expect(bar).toContainText('Check the line before you press Enter');
    await expect(pane.locator('.page-divider[data-text*="8 keys"][data-text*="half typed"]')).toBeVisible();
    await page.keyboard.type('CCCC\n');
    await agent.waitOutput(processId, 'AAAACCCC\r\nprintf AAAACCCC');
    await expect(bar).toBeHidden();
    expect(agent.output(processId).toString()).not.toContain('BBBB');
  });
  await test.step('a line for stdin that was written while the gateway does not respond stays', async () => {
    const { key, processId } = await agent.start(['/bin/cat'], { pipeStdin: true });
    const pane = await console.open(key);
    const line = pane.getByRole('textbox', { name: 'Send a line to stdin' });
    gateway.child.kill('SIGSTOP');
    try {
      await expect(console.connection).toHaveAttribute('data-connection-state', 'silent');
      await line.fill('one');
      await line.press('Enter');
      await expect(pane.getByRole('alert')).toContainText(
        'the gateway does not respond. Your text stays in the field',
      );
    } finally {
      gateway.child.kill('SIGCONT');
    }
    await console.isOnline();
    await line.press('Enter');
    await agent.waitOutput(processId, 'one\n');
  });
});
