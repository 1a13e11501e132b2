// Types into a terminal: each key is sent after the echo of the previous one.
import { setTimeout as sleep } from 'node:timers/promises';
import type { SessionClient } from '../../client/session-client.ts';

const KEY_MS = 50;

/** Types into a new echoing terminal while `goesOn` returns true; calls `echoed` with each echo time in ms. */
export async function typeInto(
  agent: SessionClient,
  goesOn: (keys: number) => boolean,
  echoed: (ms: number) => void,
): Promise<void> {
  const child = await agent.start({
    argv: ['sh', '-c', 'stty raw -echo; echo ready; exec cat'],
    cwd: '/tmp',
    env: { PATH: process.env['PATH'] ?? '' },
    tty: true,
  });
  const events = child.events();
  const next = async (): Promise<void> => {
    for (;;) {
      const { value, done } = await events.next();
      if (done || value.kind === 'exited') throw new Error('a terminal has ended');
      if (value.kind === 'output') return;
    }
  };
  await next();
  for (let keys = 0; goesOn(keys); keys += 1) {
    const sentAtMs = performance.now();
    await Promise.all([child.write(Buffer.from('x')), next()]);
    echoed(performance.now() - sentAtMs);
    await sleep(KEY_MS);
  }
  await child.terminate();
}
