// Tests of writes to real programs that do not read: they are accepted immediately, read in order later, and
// freed with the program.
import { createHash, randomBytes } from 'node:crypto';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { TERMINAL } from '../testing/test-child.ts';
import type { TestClient } from '../testing/test-client.ts';
import { TestServer } from '../testing/test-server.ts';

const WRITES = 128;
const CHUNK_BYTES = 64 * 1024;

let server: TestServer;
let client: TestClient;
beforeEach(async () => {
  server = await TestServer.start();
  client = await server.client();
});
afterEach(() => server.stop());

/** Starts a program that stops after its first output until `goOn` is called. */
async function standing(
  script: string,
  changes: Record<string, unknown>,
): Promise<{ processId: string; goOn: () => void }> {
  const { processId } = await client.start(
    ['/bin/sh', '-c', `echo pid=$$.; kill -STOP $$; ${script}`],
    changes,
  );
  await client.waitOutput(processId, '.');
  const pid = Number(/pid=(\d+)/.exec(client.output(processId).toString())?.[1]);
  return { processId, goOn: () => process.kill(pid, 'SIGCONT') };
}

it('[PR2] 128 writes of 8 MiB in total and the end of stdin are accepted at once for a stopped program', async () => {
  const { processId, goOn } = await standing('sha256sum', { pipeStdin: true });
  const hash = createHash('sha256');
  for (let each = 0; each < WRITES; each += 1) {
    const bytes = randomBytes(CHUNK_BYTES / 2).toString('hex');
    hash.update(bytes);
    expect(await client.write({ processId }, bytes)).toEqual({ status: 'accepted' });
  }
  expect(await client.request('process/closeStdin', { processId })).toEqual({ status: 'accepted' });
  goOn();
  await client.waitEvent(processId, 'process/closed');
  expect(client.output(processId).toString()).toContain(hash.digest('hex'));
});

it('[PR2] 128 writes to a terminal that no program reads are accepted at once, even when repeated', async () => {
  const { processId, goOn } = await standing('stty raw -echo; head -c 1280000 | sha256sum', {
    tty: true,
    size: TERMINAL,
  });
  const bytes = 'abcdefghi\n'.repeat(1000);
  for (let each = 0; each < WRITES; each += 1) {
    for (let time = 0; time < 2; time += 1) {
      expect(await client.write({ processId }, bytes, String(each))).toEqual({ status: 'accepted' });
    }
  }
  expect(await client.request('process/terminate', { processId })).toEqual({ running: true });
  goOn();
  await client.waitEvent(processId, 'process/closed');
});

it('[PR2] queued writes are freed when their program has ended', async () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const held = async (): Promise<number> => {
    await new Promise((resolve) => setImmediate(resolve));
    collect();
    return process.memoryUsage().arrayBuffers;
  };
  const before = await held();
  const chunk = 'x'.repeat(1024 * 1024);
  for (let each = 0; each < 6; each += 1) {
    const { processId } = await client.start(['/bin/sleep', '1000'], { pipeStdin: true });
    for (let write = 0; write < 8; write += 1) await client.write({ processId }, chunk);
    const waiting = [1, 2, 3].map(() => client.write({ processId }, chunk));
    expect(await client.request('process/terminate', { processId })).toEqual({ running: true });
    await Promise.all(waiting);
    await client.waitEvent(processId, 'process/closed');
  }
  // The writes were 66 MiB in total.
  await expect.poll(async () => (await held()) - before).toBeLessThan(12 * chunk.length);
});
