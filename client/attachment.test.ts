// Catching up page by page while the oldest output is evicted: regression test for a fuzz run (seed 51489) that
// reported too large a gap.
import { expect, it } from 'vitest';
import { createExecClient } from './create-client.ts';
import { FakeGateway } from './testing/fake-gateway.ts';
import { ManualRuntime } from './testing/manual-runtime.ts';
import { RecordingSink } from './testing/recording-sink.ts';

const CHUNK_BYTES = 16 * 1024;

it('an attachment counts a gap from the end of the last page read, even when the sink has drawn only part of that page', async () => {
  const runtime = new ManualRuntime();
  const gateway = new FakeGateway({ runtime, retainedBytes: 64 * CHUNK_BYTES, delayMs: 3 });
  const { connection, processes } = createExecClient({ socket: gateway.dial, clientName: 'test', runtime });
  connection.open();
  await runtime.advance(10);
  const fake = gateway.start('p');
  const print = (chunks: number): void => {
    for (let n = 0; n < chunks; n += 1) fake.output(new Uint8Array(CHUNK_BYTES));
  };
  print(60);
  let drawnChunks = 0;
  const sink = new RecordingSink((drawn) => {
    drawn();
    drawnChunks += 1;
    // Evicts all output of this page, and part of the output that the next page would have contained.
    if (drawnChunks === 3) print(30);
  });
  processes.attach('p').follow(sink);
  await runtime.advance(1000);
  const given = sink.kinds.filter((kind) => kind === 'output').length * CHUNK_BYTES;
  expect(sink.missedBytes).toBeGreaterThan(0);
  expect(given + sink.missedBytes).toBe(90 * CHUNK_BYTES);
});
