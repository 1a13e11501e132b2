// A gateway in a process of its own that tells, when asked, what it holds and what has gone wrong in it: for tests that
// send it what nobody should. Run with --expose-gc; a line on stdin is the question. The limits in the first argument, as
// JSON, are instead of its own.
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { TestServer } from './test-server.ts';

/** The first line that it says. */
export interface Told {
  readonly url: string;
  readonly tokens: { readonly [role in 'agent' | 'observer' | 'operator' | 'admin']: string };
}

/** Every other line. */
export interface Holds {
  /** After a collection. */
  readonly heapBytes: number;
  readonly timers: number;
  /** What it has logged of failures inside it. */
  readonly defects: readonly string[];
}

/** What is kept in rings, or for a while, is kept small and short, so that growth is seen. */
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

/** With what lies beside the heap for it. */
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
  // What the first finds to be nobody's lets go of what lies beside the heap only then.
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
