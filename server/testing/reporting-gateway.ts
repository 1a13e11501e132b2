// A gateway in a separate process, which reports its memory and defects for each line on stdin; for tests
// with abusive requests. Run it with --expose-gc. The arguments are the limits and the options, each as JSON.
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { TestServer } from './test-server.ts';

/** First line of output. */
export interface Reported {
  readonly url: string;
  readonly tokens: { readonly [role in 'agent' | 'observer' | 'operator' | 'admin']: string };
}

/** Every later line of output. */
export interface Holds {
  /** Heap and external memory in use after a garbage collection. */
  readonly heapBytes: number;
  readonly timers: number;
  readonly defects: readonly string[];
}

/** Limits with which growth is visible: short lifetimes, and small buffers and caches. */
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
/** Wait before a measurement, longer than detached sessions and closed processes are retained. */
const SETTLE_MS = 400;
const COLLECTED_MS = 20;

/** Returns the heap in use, including the external memory of its objects. */
function heapBytes(): number {
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

const report = (what: Reported | Holds): boolean => process.stdout.write(`${JSON.stringify(what)}\n`);

const [limits = '{}', options = '{}'] = process.argv.slice(2);
const server = await TestServer.start(
  { ...SHORT, ...(JSON.parse(limits) as object) },
  JSON.parse(options) as object,
);
report({
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
  // Two passes are needed, because the external memory of garbage is freed only after the first.
  for (let time = 0; time < 2; time += 1) {
    globalThis.gc?.();
    await sleep(COLLECTED_MS);
  }
  const timers = process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
  report({
    heapBytes: heapBytes(),
    timers,
    defects: server.defects,
  });
}
await server.stop();
