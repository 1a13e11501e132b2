// A gateway of a soak, in a process of its own: says where it is, and when asked how much it holds.
import { TestServer } from '../../server/testing/test-server.ts';

const MIB = 1024 ** 2;

/** What the parent is told once. */
export interface GatewayAccess {
  readonly url: string;
  readonly agentToken: string;
  readonly operatorToken: string;
}

/** And whenever it asks. */
export interface Held {
  readonly heapBytes: number;
  readonly residentBytes: number;
}

// So little is kept of what is over that all of it is full after the first quarter of two minutes.
const server = await TestServer.start({
  finishedProcesses: 50,
  finishedBytes: 8 * MIB,
  activities: 100,
  auditEntries: 100,
  restartBytes: MIB / 4,
  sessionTtlMs: 2000,
  closedTtlMs: 2000,
});
process.on('message', () => {
  // With what nobody holds any more it would say how long ago the last collection was.
  globalThis.gc?.();
  const { heapUsed, rss } = process.memoryUsage();
  process.send?.({ heapBytes: heapUsed, residentBytes: rss } satisfies Held);
});
process.on('disconnect', () => void server.stop().then(() => process.exit(0)));
process.send?.({
  url: server.url,
  agentToken: server.token('agent'),
  operatorToken: server.token('operator'),
} satisfies GatewayAccess);
