// A page whose gateway is killed and restarted while its processes continue in the keeper.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { lockPath } from '../server/keeper/wire/place.ts';
import { ConsolePage, expect, sha256, test } from './fixtures.ts';
import { Gateway } from './gateway.ts';

const LINES = 40_000;
/** Returns a command that prints numbered lines for some seconds. */
const flood = (): string[] => [
  '/usr/bin/perl',
  '-e',
  `$| = 1; for (1..${LINES}) { print "line $_\\n"; select undef, undef, undef, 0.02 if $_ % 100 == 0 }`,
];
const printed = Array.from({ length: LINES }, (_, line) => `line ${line + 1}\n`).join('');

test('[KP1][KP3] a page is exact after its gateway was killed under a full-screen program and a flood', async ({
  page,
}) => {
  const gateway = await Gateway.start({ flags: ['--keeper', 'on'] });
  let next: Gateway | null = null;
  try {
    const console = await ConsolePage.of(page, gateway);
    const agent = await gateway.agent();
    const draw = `printf '\\033[?1049h\\033[2J\\033[5;10Hdrawn before'; read x; printf '\\033[6;10Hdrawn after'; sleep 600`;
    const start = { session: 'console' };
    const screen = await agent.start(['/bin/sh', '-c', draw], { tty: true, ...start });
    const many = await agent.start(flood(), start);
    await console.open(screen.key);
    await expect.poll(async () => JSON.stringify(await console.screen(screen.key))).toContain('drawn before');
    await console.open(many.key);
    await console.shows(many.key, 'line 100');

    await gateway.kill();
    await expect(console.connection).not.toHaveAttribute('data-connection-state', 'online');
    next = await gateway.startAgain(['--keeper', 'on']);
    await console.isOnline();

    await console.shows(many.key, `line ${LINES}`);
    await expect
      .poll(() => console.received(many.key))
      .toEqual({ bytes: printed.length, sha256: sha256(Buffer.from(printed)), missedBytes: 0 });
    await console.open(screen.key);
    const again = await next.agent();
    await again.request('process/write', {
      key: screen.key,
      writeId: '1',
      chunk: Buffer.from('\n').toString('base64'),
    });
    await expect.poll(async () => JSON.stringify(await console.screen(screen.key))).toContain('drawn after');
    expect(JSON.stringify(await console.screen(screen.key))).toContain('drawn before');
  } finally {
    await (next ?? gateway).stop();
  }
});

test('[KP14] a page regains control after its gateway was killed, and a pending Terminate ends on time', async ({
  page,
}) => {
  const gateway = await Gateway.start({ flags: ['--keeper', 'on'] });
  let next: Gateway | null = null;
  try {
    const console = await ConsolePage.of(page, gateway);
    const agent = await gateway.agent();
    const stubborn = `$SIG{TERM} = 'IGNORE'; $| = 1; print "ready\n"; sleep 1 while 1`;
    const start = () => agent.start(['/usr/bin/perl', '-e', stubborn], { tty: true, session: 'console' });
    const [{ key }, soon] = [await start(), await start()];
    for (const each of [soon.key, key]) {
      await console.open(each);
      await console.shows(each, 'ready');
    }
    const control = (pressed: boolean) =>
      console.pane(key).getByRole('button', { name: 'Take control', pressed });
    await control(false).click();
    await expect(control(true)).toBeVisible();
    // The first termination is still pending after the restart, however long that takes; the second one ends soon.
    await agent.request('process/terminate', { key, graceMs: 600_000 });
    await agent.request('process/terminate', { key: soon.key, graceMs: 5000 });
    await expect(console.pane(key).getByText('terminating')).toBeVisible();

    await gateway.kill();
    await expect(console.connection).not.toHaveAttribute('data-connection-state', 'online');
    next = await gateway.startAgain(['--keeper', 'on']);
    await console.isOnline();

    await expect(control(true)).toBeVisible();
    await expect(console.pane(key).getByText('terminating')).toBeVisible();
    await expect(console.row(soon.key)).toContainText('terminated by', { timeout: 20_000 });
    await expect(console.pane(key).getByText('terminating')).toBeVisible();
  } finally {
    await (next ?? gateway).stop();
  }
});

test('[KP18] a page shows a process that outlived its keeper as still running, and can terminate it', async ({
  page,
}) => {
  const gateway = await Gateway.start({ flags: ['--keeper', 'on'] });
  try {
    const console = await ConsolePage.of(page, gateway);
    const agent = await gateway.agent();
    const { key } = await agent.start(['/usr/bin/perl', '-e', '$| = 1; print "before\n"; sleep 600'], {
      session: 'console',
    });
    await console.open(key);
    await console.shows(key, 'before');
    process.kill(Number(readFileSync(lockPath(join(gateway.dir, 'state')), 'utf8')), 'SIGKILL');
    await expect(console.pane(key).getByText(/^lost, still running: PID \d+$/)).toBeVisible();
    await console.pane(key).getByRole('button', { name: 'Terminate' }).click();
    await expect(console.pane(key).getByText('still running')).toBeHidden();
  } finally {
    await gateway.stop();
  }
});
