// Output that a real client receives when it replies to pings in a flood late, wrongly or not at all: rules
// DE11 to DE13.
import { afterEach, expect, it } from 'vitest';
import { DEFAULT_LIMITS } from '../config.ts';
import { TestClient } from '../testing/test-client.ts';
import { TestServer } from '../testing/test-server.ts';

const FLOOD_BYTES = 6_000_000;
const FLOOD = ['/bin/sh', '-c', `head -c ${FLOOD_BYTES} /dev/zero | tr '\\0' x`];
/** Upper bound of the decoded bytes in the smallest window; a chunk may begin in the window's last byte. */
const MOST_BYTES = DEFAULT_LIMITS.windowLeastBytes + DEFAULT_LIMITS.chunkBytes;
const NEVER_MS = 10 * 60_000;

let server: TestServer;
let client: TestClient;
afterEach(async () => {
  client.ws.terminate();
  await server.stop();
});

/** Connects a client that replies to pings only when its test does; resolves with the received pings. */
async function connect(windowSilenceMs: number): Promise<Buffer[]> {
  server = await TestServer.start({ windowSilenceMs });
  client = await TestClient.open(server.url, { token: server.token('agent'), autoPong: false });
  const pings: Buffer[] = [];
  client.ws.on('ping', (payload: Buffer) => pings.push(payload));
  await client.initialize();
  return pings;
}

async function startEcho(): Promise<() => Promise<void>> {
  const { processId } = await client.start(['/bin/sh', '-c', 'stty raw -echo; printf ready; exec cat'], {
    tty: true,
  });
  await client.waitOutput(processId, 'ready');
  let typed = 0;
  return async () => {
    typed += 1;
    await client.write({ processId }, 'k');
    await client.waitOutput(processId, 'k'.repeat(typed));
  };
}

it('[DE11, DE12] a flood is sent only up to a window beyond the acknowledged output, and little output at once', async () => {
  const pings = await connect(NEVER_MS);
  const echo = await startEcho();
  const { processId } = await client.start(FLOOD);
  await client.until(() => client.output(processId).length > MOST_BYTES / 4, 'most of a window');
  for (let key = 0; key < 50; key += 1) await echo();
  const short = await client.start(['/bin/sh', '-c', 'echo short; exit 3']);
  await client.waitEvent(short.processId, 'process/closed');
  expect(client.output(processId).length).toBeLessThan(MOST_BYTES);
  client.ws.on('ping', (payload: Buffer) => client.ws.pong(payload));
  client.ws.pong(pings.at(-1));
  await client.waitEvent(processId, 'process/closed');
  expect(client.output(processId)).toHaveLength(FLOOD_BYTES);
});

it('[DE13] pongs with wrong payloads are ignored, and the connection stays open', async () => {
  const pings = await connect(NEVER_MS);
  const echo = await startEcho();
  const { processId } = await client.start(FLOOD);
  await client.until(() => client.output(processId).length > MOST_BYTES / 4, 'most of a window');
  const old = pings[0];
  for (const payload of [
    old,
    Buffer.alloc(0),
    Buffer.alloc(6, 0xff),
    Buffer.alloc(125),
    old,
    Buffer.from('seven..'),
  ])
    client.ws.pong(payload);
  await echo();
  expect(client.output(processId).length).toBeLessThan(2 * MOST_BYTES);
  expect(client.closeInfo).toBeNull();
});

it('[DE13] a client that answers no ping delays the output once, and receives everything', async () => {
  await connect(100);
  const { processId } = await client.start(FLOOD);
  await client.waitEvent(processId, 'process/closed');
  expect(client.output(processId)).toHaveLength(FLOOD_BYTES);
});

it('[DE13] a client that answers pings late receives everything', async () => {
  await connect(100);
  client.ws.on('ping', (payload: Buffer) => setTimeout(() => client.ws.pong(payload), 150));
  const { processId } = await client.start(FLOOD);
  await client.waitEvent(processId, 'process/closed');
  expect(client.output(processId)).toHaveLength(FLOOD_BYTES);
});
