// Gateways that die or hang, and pages that sleep: the page shows the true state, and recovers by itself.
import { ConsolePage, expect, sh, sha256, test } from './fixtures.ts';
import { Gateway } from './gateway.ts';
import { WITHOUT_KEEPER } from '../server/testing/keeper-tests.ts';

/** Returns the totals of a page that received all output of the command `seq TO`. */
function counted(to: number): { bytes: number; sha256: string; missedBytes: number } {
  const all = Buffer.from(Array.from({ length: to }, (_, at) => `${at + 1}\n`).join(''));
  return { bytes: all.length, sha256: sha256(all), missedBytes: 0 };
}

test('[UB4] a page reconnects to a killed and restarted gateway, and shows its processes as lost', async ({
  page,
}) => {
  // Recording and keeper are off, so that the next gateway has none of the processes.
  const gateway = await Gateway.start({ flags: ['--record', 'off', ...WITHOUT_KEEPER] });
  const agent = await gateway.agent();
  const console = await ConsolePage.of(page, gateway);
  const typedInto = await agent.start(['/bin/cat'], { tty: true });
  const neverShown = await agent.start(['/bin/sleep', '1000']);
  const done = await agent.start(['/bin/echo', 'was finished']);
  await agent.waitEvent(done.processId, 'process/closed');
  await console.open(typedInto.key);
  await console.type(typedInto.key, 'before\n');
  await console.shows(typedInto.key, 'before');
  await console.open(done.key);
  await console.shows(done.key, 'was finished');
  const own = await console.start('cat');
  await expect(console.row(own)).toHaveAttribute('data-process-status', 'running');

  await gateway.kill();
  await expect(console.connection).toHaveAttribute('data-connection-state', 'waiting');
  await expect(console.row(typedInto.key)).toContainText('last known: running');

  const second = await gateway.startAgain(['--record', 'off', ...WITHOUT_KEEPER]);
  await console.isOnline();
  for (const key of [typedInto.key, own]) {
    await expect(console.row(key)).toHaveAttribute('data-process-status', 'lost');
    await expect(console.row(key)).not.toContainText('last known');
  }
  await console.open(typedInto.key);
  await console.shows(typedInto.key, 'before');
  await expect(console.pane(typedInto.key)).toContainText('This process no longer exists');
  await console.open(done.key);
  await console.shows(done.key, 'was finished');
  await expect(console.pane(done.key)).toContainText('the pane shows only what this page received');
  await expect(console.row(done.key)).toHaveAttribute('data-process-status', 'succeeded');
  await console.pane(done.key).getByRole('button', { name: 'Close tab' }).click();
  await expect(console.row(done.key)).toHaveCount(0);
  await console.open(neverShown.key);
  await expect(console.pane(neverShown.key)).toContainText('This process no longer exists');

  await expect(second.agent(agent.sessionId)).rejects.toMatchObject({ code: -32600 });
  const again = await second.agent();
  const { key } = await again.start(['/bin/echo', 'a new life']);
  await console.open(key);
  await console.shows(key, 'a new life');
  await second.stop();
});

test('[UB4] a page detects and waits for a stopped gateway, and afterwards nothing is missing', async ({
  gateway,
  agent,
  page,
}) => {
  await page.clock.install();
  const console = await ConsolePage.of(page, gateway);
  const { key, processId } = await agent.start(sh('read go; seq 1 60000; exec sleep 1000'), {
    pipeStdin: true,
  });
  await console.open(key);
  gateway.child.kill('SIGSTOP');
  agent.wire.send(
    JSON.stringify({
      id: 'go',
      method: 'process/write',
      params: { processId, writeId: 'go', chunk: 'Z28K' },
    }),
  );
  // Time beyond the page's limits on silence and on the answer to its probe.
  await page.clock.runFor(30_000);
  await expect(console.connection).not.toHaveAttribute('data-connection-state', 'online');
  await expect(console.row(key)).toContainText('last known: running');

  gateway.child.kill('SIGCONT');
  await expect
    .poll(async () => {
      await page.clock.runFor(2000);
      return console.connection.getAttribute('data-connection-state');
    })
    .toBe('online');
  await page.clock.resume();
  await expect.poll(() => console.received(key)).toEqual(counted(60_000));
});

test('[UB4] a page that was frozen during a lot of output is exact when it wakes', async ({
  agent,
  console,
}) => {
  const { key, processId } = await agent.start(sh('echo 1; read go; seq 2 120000; exec sleep 1000'), {
    pipeStdin: true,
  });
  await console.open(key);
  await console.shows(key, '1');
  const browser = await console.page.context().newCDPSession(console.page);
  await browser.send('Debugger.enable');
  const isFrozen = new Promise((resolve) => browser.once('Debugger.paused', resolve));
  await browser.send('Debugger.pause');
  await agent.write({ processId }, 'go\n');
  await isFrozen;
  await agent.waitOutput(processId, '120000\n');
  await browser.send('Debugger.resume');
  await expect.poll(() => console.received(key)).toEqual(counted(120_000));
});
