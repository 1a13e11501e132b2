// A soak's gateway in a separate process: sends its address and tokens once, and its memory use on request.
import { TestServer } from '../../server/testing/test-server.ts';

const MIB = 1024 ** 2;

/** First message to the parent. */
export interface GatewayAccess {
  readonly url: string;
  readonly agentToken: string;
  readonly operatorToken: string;
}

/** Reply to each request of the parent. */
export interface Held {
  readonly heapBytes: number;
  readonly residentBytes: number;
}

// Limits on the amount and age of retained data, all reached in the first quarter of a two-minute soak.
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
  // The heap's size would otherwise depend on the time since the last garbage collection.
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
