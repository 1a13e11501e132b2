// What is run to be measured: programs that are on every Linux, so that nothing is compiled.
import { setTimeout as sleep } from 'node:timers/promises';
import { type Client, within } from './client.ts';

/** 80 bytes with the end of the line. */
export const LINE = '0123456789'.repeat(8).slice(0, 79);

/** As fast as it is read. */
export const FLOOD: readonly string[] = ['yes', LINE];

/** The same two bytes on and on, as a terminal shows them worst. */
export const SHORT_LINES: readonly string[] = ['yes'];

/** A line at once, and then one each so many seconds, without a process more for any of them. */
export const ticking = (seconds: number): readonly string[] => [
  'bash',
  '-c',
  `while :; do echo tick; read -rt ${seconds}; done`,
];

/** A terminal that gives back each byte as it is; the function sends one, and tells how long it took, in ms. */
export async function startEcho(client: Client): Promise<() => Promise<number>> {
  let arrived: (atMs: number) => void = () => {};
  const next = (): Promise<number> => new Promise((resolve) => (arrived = resolve));
  const ready = next();
  const argv = ['sh', '-c', 'stty raw -echo; printf R; exec cat'];
  const process = await client.start(argv, { tty: true, onOutput: () => arrived(performance.now()) });
  await within(ready, 'the echo to be ready');
  // For the shell to have become cat.
  await sleep(200);
  return async () => {
    const echoed = next();
    const sentAtMs = performance.now();
    const [atMs] = await Promise.all([within(echoed, 'an echo'), client.write(process, 'k')]);
    return atMs - sentAtMs;
  };
}
