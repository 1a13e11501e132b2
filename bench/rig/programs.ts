// Programs run by measures; available on every Linux, so that nothing is compiled.
import { setTimeout as sleep } from 'node:timers/promises';
import { type Client, within } from './client.ts';

/** A line of 79 bytes, or 80 with its newline. */
export const LINE = '0123456789'.repeat(8).slice(0, 79);

/** Command that prints as fast as its output is read. */
export const FLOOD: readonly string[] = ['yes', LINE];

/** Command that repeats two bytes, the most expensive output for a terminal to draw. */
export const SHORT_LINES: readonly string[] = ['yes'];

/** Returns a command that prints a line immediately and then every `seconds`, without extra processes. */
export const ticking = (seconds: number): readonly string[] => [
  'bash',
  '-c',
  `while :; do echo tick; read -rt ${seconds}; done`,
];

/**
 * Starts a terminal that echoes each byte unchanged. The returned function sends one byte and resolves with
 * its latency in ms.
 */
export async function startEcho(client: Client): Promise<() => Promise<number>> {
  let arrived: (atMs: number) => void = () => {};
  const next = (): Promise<number> => new Promise((resolve) => (arrived = resolve));
  const ready = next();
  const argv = ['sh', '-c', 'stty raw -echo; printf R; exec cat'];
  const process = await client.start(argv, { tty: true, onOutput: () => arrived(performance.now()) });
  await within(ready, 'the echo to be ready');
  // The shell needs a moment to exec cat.
  await sleep(200);
  return async () => {
    const echoed = next();
    const sentAtMs = performance.now();
    const [atMs] = await Promise.all([within(echoed, 'an echo'), client.write(process, 'k')]);
    return atMs - sentAtMs;
  };
}
