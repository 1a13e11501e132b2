// A page whose gateway is killed and started again, while its processes go on in the keeper.
import { ConsolePage, expect, sha256, test } from './fixtures.ts';
import { Gateway } from './gateway.ts';

const LINES = 40_000;
/** Prints numbered lines for some seconds. */
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
