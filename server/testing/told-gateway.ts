// A gateway in a process of its own that reports on request its memory and the failures in it: for tests that send it
// abusive requests. Run with --expose-gc; a line on stdin is the request. The limits in the first argument, as JSON,
// replace its own.
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { TestServer } from './test-server.ts';

/** The first line that it prints. */
export interface Told {
  readonly url: string;
  readonly tokens: { readonly [role in 'agent' | 'observer' | 'operator' | 'admin']: string };
}

/** Every other line. */
export interface Holds {
  /** Heap after a garbage collection. */
  readonly heapBytes: number;
  readonly timers: number;
  /** Failures inside it, from its log. */
  readonly defects: readonly string[];
}

/** Small, short limits for rings and caches, so that growth is seen. */
const SHORT = {
  sessionTtlMs: 200,
  closedTtlMs: 100,
  finishedProcesses: 20,
  activities: 100,
  auditEntries: 100,
  auditBytes: 256 * 1024,
  restartBytes: 64 * 1024,
  connectionsPerToken: 1000,
};
/** Longer than what is kept for a while. */
const SETTLE_MS = 400;
const COLLECTED_MS = 20;

/** Returns the heap in use, with the external memory of its objects. */
function heapBytes(): number {
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

const say = (what: Told | Holds): boolean => process.stdout.write(`${JSON.stringify(what)}\n`);

const server = await TestServer.start({ ...SHORT, ...(JSON.parse(process.argv[2] ?? '{}') as object) });
say({
  url: server.url,
  tokens: {
    agent: server.token('agent'),
    observer: server.token('observer'),
    operator: server.token('operator'),
    admin: server.token('admin'),
  },
});
const questions = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
while (!(await questions.next()).done) {
  await sleep(SETTLE_MS);
  // Two passes: the external memory of garbage is freed only after the first.
  for (let time = 0; time < 2; time += 1) {
    globalThis.gc?.();
    await sleep(COLLECTED_MS);
  }
  const timers = process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
  say({
    heapBytes: heapBytes(),
    timers,
    defects: server.defects,
  });
}
await server.stop();
