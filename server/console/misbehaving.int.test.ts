// Tests that programs that misbehave are ended completely, and do not affect other processes.
import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestClient } from '../testing/test-client.ts';
import { TestServer } from '../testing/test-server.ts';

const MIB = 1024 ** 2;

let server: TestServer;
let agent: TestClient;
let operator: TestClient;
/** Another process of the same connection, which must not be affected. */
let cat: string;
let lines = 0;

beforeAll(async () => {
  server = await TestServer.start();
  agent = await server.client('agent');
  operator = await server.client('operator');
  cat = (await agent.start(['cat'], { pipeStdin: true })).processId;
});
afterAll(() => server.stop());

async function catStillEchoes(): Promise<void> {
  lines += 1;
  await agent.write({ processId: cat }, `line ${lines}\n`);
  await agent.waitOutput(cat, `line ${lines}\n`);
}

/** Returns the number of processes, except zombies, that have this marker in their environment. */
function alive(marker: string): number {
  return readdirSync('/proc').filter((pid) => {
    try {
      const isZombie = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.startsWith('Z');
      return !isZombie && readFileSync(`/proc/${pid}/environ`, 'latin1').includes(marker);
    } catch {
      return false;
    }
  }).length;
}

const BAD: readonly (readonly [what: string, script: string])[] = [
  [
    'ignores all signals that it can',
    'trap "" TERM INT HUP QUIT TSTP; echo ready; while :; do sleep 0.1; done',
  ],
  ['starts one after another', 'for n in $(seq 1 50); do sleep 1000 & done; echo ready; wait'],
  ['starts another whenever one is ended', 'echo ready; trap "" TERM; while :; do sleep 1000; done'],
  ['closes its streams', 'echo ready; exec <&- >&- 2>&-; while :; do sleep 0.1; done'],
  ['fills stderr and nothing else', 'echo ready >&2; exec yes >&2'],
  ['stops itself', 'echo ready; kill -STOP $$; echo never'],
  ['leaves others behind that hold its streams', 'echo ready; sleep 1000 & sleep 1000 & exit 3'],
  ['starts others in process groups of their own', 'set -m; sleep 1000 & sleep 1000 & echo ready; wait'],
];

describe.each([{ tty: false }, { tty: true }])('[UB5] A misbehaving program (tty: $tty)', ({ tty }) => {
  it.each(BAD)('is ended completely: %s', async (what, script) => {
    const marker = `MISBEHAVES=${what} ${tty}`;
    const env = { PATH: process.env['PATH'] ?? '', MISBEHAVES: `${what} ${tty}` };
    const { key, processId } = await agent.start(['bash', '-c', script], { tty, env });
    await agent.waitOutput(processId, 'ready');
    await catStillEchoes();
    await operator.request('process/terminate', { key, graceMs: 200 });
    await agent.waitEvent(processId, 'process/closed');
    await catStillEchoes();
    await expect.poll(() => alive(marker)).toBe(0);
  });

  it('fails alone when it exceeds its memory limit', async () => {
    const script = `ulimit -v 200000; exec perl -e '$x = "x" x 1_000_000_000'`;
    const { processId } = await agent.start(['bash', '-c', script], { tty });
    const { params } = await agent.waitEvent(processId, 'process/exited');
    expect(params?.['exitCode']).not.toBe(0);
    await agent.waitOutput(processId, 'Out of memory');
    await catStillEchoes();
  });

  it('does not block other writes when it never reads its input', async () => {
    const { key, processId } = await agent.start(['sleep', '1000'], { tty, pipeStdin: !tty });
    const chunk = 'x'.repeat(MIB / 2);
    const writes = Array.from({ length: 4 }, (_, n) => agent.write({ processId }, chunk, `big-${n}`));
    await catStillEchoes();
    const page = operator.write({ key }, 'from elsewhere\n').catch(() => undefined);
    await catStillEchoes();
    await operator.request('process/signal', { key, signal: 'kill' });
    await agent.waitEvent(processId, 'process/closed');
    // Every write gets a reply, whether it was queued or can never be written.
    await Promise.all([...writes, page]);
  });

  it('loses no output when it reopens its streams by their names', async () => {
    const script = [
      'echo one > /dev/stdout; echo two >> /dev/stdout; echo three > /dev/stderr; echo four >> /proc/self/fd/1',
      tty ? 'exec > /dev/tty 2> /dev/tty < /dev/tty; echo five' : 'exec > /dev/stdout; echo five',
    ].join('\n');
    const { processId } = await agent.start(['bash', '-c', script], { tty });
    await agent.waitEvent(processId, 'process/closed');
    const words = agent.output(processId).toString().trim().split(/\s+/).toSorted();
    expect(words).toEqual(['five', 'four', 'one', 'three', 'two']);
  });
});
