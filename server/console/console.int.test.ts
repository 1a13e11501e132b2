// Tests of the views and rights of watchers: rules CO and DE6 to DE9, over real sockets and with real processes.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ProcessInfo } from '../../protocol/console.ts';
import type { TestClient } from '../testing/test-client.ts';
import { latest } from '../testing/latest-info.ts';
import { TestServer } from '../testing/test-server.ts';

let server: TestServer;
let agent: TestClient;
let operator: TestClient;
beforeEach(async () => {
  server = await TestServer.start({ retainedBytes: 400_000, ackTimeoutMs: 300, shutdownGraceMs: 300 });
  agent = await server.client('agent');
  operator = await server.client('operator');
});
afterEach(() => server.stop());

const BASH = ['/bin/bash', '--norc', '--noprofile', '-i'];
const FLOOD = (bytes: number): string[] => ['/bin/sh', '-c', `read go; seq 1 100000000 | head -c ${bytes}`];

/** Adds up the received bytes and the bytes reported as skipped; expects seqs to jump only at gaps. */
function account(client: TestClient, key: string) {
  let next: number | null = null;
  let missed = 0;
  for (const { method, params } of client.events(key)) {
    const { seq, afterSeq, nextSeq, bytes } = params as Record<string, number>;
    if (method === 'process/gap') {
      if (next !== null) expect(afterSeq).toBe(next - 1);
      next = nextSeq ?? 0;
      missed += bytes ?? 0;
    } else if (method !== 'process/resized') {
      if (next !== null) expect(seq).toBe(next);
      next = (seq ?? 0) + 1;
    }
  }
  return { bytes: client.output(key).length, missed };
}

function ackAll(client: TestClient, key: string): () => void {
  let acked = 0;
  const listener = (): void => {
    const last = client.events(key).findLast(({ method }) => method === 'process/output');
    const seq = Number(last?.params?.['seq'] ?? 0);
    if (seq > acked) client.send({ id: `ack${seq}`, method: 'process/ack', params: { key, seq } });
    acked = Math.max(acked, seq);
  };
  client.ws.on('message', listener);
  listener();
  return () => client.ws.off('message', listener);
}

describe('console/watch', () => {
  it('[CO1] returns everything, and then sends starts and exits', async () => {
    const before = await agent.start(['/bin/sleep', '1000']);
    const watch = await operator.request<{ processes: ProcessInfo[] }>('console/watch', {});
    expect(watch.processes.map(({ key }) => key)).toEqual([before.key]);
    const after = await agent.start(['/bin/sh', '-c', 'exit 9'], {
      label: 'nine',
      metadata: { threadId: 't1', n: 5 },
    });
    const info = await operator.until(() => {
      const now = latest(operator, after.key);
      return now?.state === 'closed' && now;
    }, 'the end of the process');
    expect(info).toMatchObject({
      exitCode: 9,
      label: 'nine',
      metadata: { threadId: 't1' },
      startedBy: 'the agent',
      argv: ['/bin/sh', '-c', 'exit 9'],
      cwd: '/tmp',
      endedBy: null,
    });
    expect(JSON.stringify(watch)).not.toContain(agent.sessionId);
  });

  it.each(['', '  \t', '\u00a0'])(
    '[CO1] has no label where the label of a start is blank: %j',
    async (label) => {
      const { key } = await agent.start(['/bin/sleep', '1000'], { label });
      const watch = await operator.request<{ processes: ProcessInfo[] }>('console/watch', {});
      expect(watch.processes.find((each) => each.key === key)?.label).toBeNull();
    },
  );

  it('[CO7] reports the title of a terminal and the last line of the output', async () => {
    await operator.request('console/watch', {});
    const script = String.raw`printf 'one\n\033]0;building\007two\n'; read stop; printf '\033[?1049h full'; read stop`;
    const { key } = await operator.start(['/bin/sh', '-c', script], { session: 'console', tty: true });
    const seen = (title: string, line: string | null) => () => {
      const now = latest(operator, key);
      return now?.title === title && now.lastLine === line;
    };
    await operator.until(seen('building', 'two'), 'its title and last line');
    await operator.write({ key }, '\n');
    await operator.until(seen('building', null), 'no last line of a full screen');
  });

  it('is refused to an agent, and allows an observer only to read', async () => {
    const { key } = await agent.start(['/bin/cat'], { pipeStdin: true });
    await expect(agent.request('console/watch', {})).rejects.toMatchObject({ code: -32021 });
    const observer = await server.client('observer');
    await observer.request('process/attach', { key });
    for (const [method, params] of [
      ['process/write', { key, chunk: 'eA==', writeId: '1' }],
      ['process/signal', { key, signal: 'kill' }],
      ['process/terminate', { key }],
      ['process/control', { key, take: true }],
      ['process/resize', { key, rows: 5, cols: 5 }],
      ['process/closeStdin', { key }],
      ['process/start', { processId: 'p', argv: ['/bin/true'], cwd: 'file:///', env: {}, tty: false }],
    ] as const) {
      await expect(observer.request(method, params), method).rejects.toMatchObject({ code: -32021 });
    }
  });
});

describe('Addressing', () => {
  it('is refused for an unknown key, with both addresses or none, for one’s own process, and twice', async () => {
    const { key, processId } = await agent.start(['/bin/sleep', '1000']);
    await expect(operator.request('process/read', { key: 'nope' })).rejects.toMatchObject({ code: -32020 });
    await expect(operator.request('process/read', { key, processId })).rejects.toMatchObject({
      code: -32602,
    });
    await expect(operator.request('process/read', {})).rejects.toMatchObject({ code: -32602 });
    const own = await operator.start(['/bin/sleep', '1000']);
    await expect(operator.request('process/attach', { key: own.key })).rejects.toMatchObject({
      code: -32024,
    });
    await operator.request('process/attach', { key });
    await expect(operator.request('process/attach', { key })).rejects.toMatchObject({ code: -32024 });
    await operator.request('process/detach', { key });
    await operator.request('process/attach', { key });
  });
});

describe('process/attach', () => {
  it('[DE1] pushes from now on, and process/read returns the earlier output', async () => {
    const { key, processId } = await agent.start(['/bin/cat'], { pipeStdin: true });
    await agent.write({ processId }, 'before\n');
    await agent.waitOutput(processId, 'before\n');
    const attached = await operator.request('process/attach', { key });
    expect(attached).toMatchObject({ nextSeq: 2, firstRetainedSeq: 1 });
    await operator.write({ key }, 'after\n');
    await operator.waitOutput(key, 'after\n');
    expect(operator.output(key).toString()).toBe('after\n');
    expect(operator.events(key)[0]?.params).toMatchObject({ key, processId, seq: 2 });
    const page = await operator.request<{ chunks: unknown[] }>('process/read', { key });
    expect(page).toMatchObject({ missedBytes: 0, nextSeq: 3, exitedSeq: null, closedSeq: null, sizes: [] });
  });

  it('[DE6] sends at most a window unacknowledged, and continues with each ack', async () => {
    const { key, processId } = await agent.start(FLOOD(1_000_000), { pipeStdin: true });
    await operator.request('process/attach', { key, windowBytes: 65_536 });
    await agent.write({ processId }, 'go\n');
    await agent.waitEvent(processId, 'process/closed');
    await operator.until(() => operator.output(key).length > 0, 'the first output');
    await operator.request('environment/status');
    const unacked = operator.output(key).length;
    expect(unacked).toBeLessThanOrEqual(65_536);
    ackAll(operator, key);
    await operator.waitEvent(key, 'process/closed');
    const { bytes, missed } = account(operator, key);
    expect(bytes + missed).toBe(1_000_000);
    expect(missed).toBeGreaterThan(0);
  });

  it('[DE7] delays no output to the owner when watchers never read', async () => {
    const { key, processId } = await agent.start(FLOOD(10_000_000), { pipeStdin: true });
    const watchers = await Promise.all(Array.from({ length: 6 }, () => server.client('observer')));
    for (const [i, watcher] of watchers.entries()) {
      await watcher.request('process/attach', { key });
      if (i % 2) ackAll(watcher, key);
      else watcher.ws.pause();
    }
    await agent.write({ processId }, 'go\n');
    await agent.waitEvent(processId, 'process/closed');
    expect(agent.output(processId).length).toBe(10_000_000);
    for (const [i, watcher] of watchers.entries()) {
      if (i % 2 === 0) continue;
      await watcher.waitEvent(key, 'process/closed');
      const { bytes, missed } = account(watcher, key);
      expect(bytes + missed).toBe(10_000_000);
    }
  });

  it('[RD4] is matched by reads by key, whose returned and skipped bytes add up, wherever they begin', async () => {
    const { key, processId } = await agent.start(FLOOD(1_000_000), { pipeStdin: true });
    await agent.write({ processId }, 'go\n');
    await agent.waitEvent(processId, 'process/closed');
    const pushed = agent.events(processId).filter(({ method }) => method === 'process/output');
    let before = 0;
    for (const [i, event] of pushed.entries()) {
      if (i % 7 === 0) {
        let afterSeq = Number(event.params?.['seq']) - 1;
        let [given, missed] = [0, 0];
        for (;;) {
          const page = await operator.request<{
            chunks: { chunk: string }[];
            missedBytes: number;
            nextSeq: number;
          }>('process/read', { key, afterSeq, maxBytes: 50_000 });
          given += page.chunks.reduce((sum, { chunk }) => sum + Buffer.from(chunk, 'base64').length, 0);
          missed += page.missedBytes;
          afterSeq = page.nextSeq - 1;
          if (page.chunks.length === 0) break;
        }
        expect(given + missed).toBe(1_000_000 - before);
      }
      before += Buffer.from(String(event.params?.['chunk']), 'base64').length;
    }
  });

  it('[RD5] pushes the time of each chunk, as reads by key return it, unlike those of the owner', async () => {
    const fromMs = Date.now();
    const { key, processId } = await agent.start(['/bin/sh', '-c', 'echo one; read go; echo two'], {
      pipeStdin: true,
    });
    await agent.waitOutput(processId, 'one\n');
    const betweenMs = Date.now();
    await operator.request('process/attach', { key });
    await agent.write({ processId }, 'go\n');
    await operator.waitOutput(key, 'two\n');
    await agent.waitOutput(processId, 'two\n');
    type Chunks = { chunks: { seq: number; atMs?: number }[] };
    const byKey = await operator.request<Chunks>('process/read', { key });
    const [one = 0, two = 0] = byKey.chunks.map(({ atMs }) => atMs);
    expect(one).toBeGreaterThanOrEqual(fromMs);
    expect(one).toBeLessThanOrEqual(betweenMs);
    expect(two).toBeGreaterThanOrEqual(betweenMs);
    const pushed = operator.events(key).find(({ method }) => method === 'process/output');
    expect(pushed?.params?.['atMs']).toBe(two);
    const own = await agent.request<Chunks>('process/read', { processId });
    expect(own.chunks.map((chunk) => Object.keys(chunk))).toEqual([
      ['seq', 'stream', 'chunk'],
      ['seq', 'stream', 'chunk'],
    ]);
    for (const { method, params } of agent.events(processId)) {
      if (method === 'process/output') expect(params).not.toHaveProperty('atMs');
    }
  });
});

describe('Control', () => {
  it('[CO3][CO4] can be taken and lost, and only the controller resizes', async () => {
    const { key, processId } = await agent.start(BASH, { tty: true });
    await operator.request('process/attach', { key });
    const resize = { key, rows: 40, cols: 120 };
    await expect(operator.request('process/resize', resize)).rejects.toMatchObject({ code: -32022 });
    await operator.request('process/control', { key, take: true });
    await operator.request('process/resize', resize);
    await agent.write({ processId }, 'stty size\n');
    await agent.waitOutput(processId, '40 120');
    expect((await operator.waitEvent(key, 'process/resized')).params).toMatchObject({ rows: 40, cols: 120 });
    expect(agent.events(processId).some(({ method }) => method === 'process/resized')).toBe(false);

    const other = await server.client('operator');
    await other.request('console/watch', {});
    await other.request('process/control', { key, take: true });
    await expect(operator.request('process/resize', resize)).rejects.toMatchObject({ code: -32022 });
    const third = await server.client('observer');
    await third.request('console/watch', {});
    await other.cut();
    await third.until(() => latest(third, key)?.controller === null, 'control to end with its connection');
  });

  it('does not allow a resize without a terminal', async () => {
    const { key, processId } = await agent.start(['/bin/sleep', '1000']);
    await expect(operator.request('process/resize', { key, rows: 1, cols: 1 })).rejects.toMatchObject({
      code: -32023,
    });
    await expect(agent.request('process/resize', { processId, rows: 1, cols: 1 })).rejects.toMatchObject({
      code: -32023,
    });
  });

  it('is not needed by the owner for a resize, and sizes are in the log', async () => {
    const { key, processId } = await agent.start(BASH, { tty: true, size: { rows: 10, cols: 20 } });
    await agent.waitOutput(processId, 'bash-');
    await agent.request('process/resize', { processId, rows: 30, cols: 60 });
    await agent.write({ processId }, 'stty size\n');
    await agent.waitOutput(processId, '30 60');
    const { sizes } = await operator.request<{ sizes: unknown[] }>('process/read', { key });
    expect(sizes).toMatchObject([
      { afterSeq: 0, rows: 10, cols: 20 },
      { rows: 30, cols: 60 },
    ]);
  });
});

describe('A console process', () => {
  const start = (client: TestClient, argv: string[], params = {}) =>
    client.start(argv, { session: 'console', ...params });

  it('[CO6] is pushed to its starter from the first byte, and outlives it', async () => {
    const { key } = await start(operator, ['/bin/cat'], { pipeStdin: true });
    await operator.write({ key }, 'hello\n');
    await operator.waitOutput(key, 'hello\n');
    expect(operator.events(key)[0]?.params).toMatchObject({ seq: 1 });
    await operator.cut();
    const other = await server.client('operator');
    await other.write({ key }, 'still here\n');
    const page = await other.request('process/read', { key, afterSeq: 1, waitMs: 10_000 });
    expect(page).toMatchObject({ closedSeq: null });
    const agents = start(agent, ['/bin/true']);
    await expect(agents).rejects.toMatchObject({ code: -32021 });
  });

  it('[DE8] waits for its controller until the controller stops acknowledging', async () => {
    const { key } = await start(operator, FLOOD(3_000_000), { pipeStdin: true });
    const stopAcks = ackAll(operator, key);
    await operator.write({ key }, 'go\n');
    await operator.waitEvent(key, 'process/closed');
    expect(account(operator, key)).toEqual({ bytes: 3_000_000, missed: 0 });
    stopAcks();

    const second = await start(operator, FLOOD(5_000_000), { pipeStdin: true });
    await operator.request('console/watch', {});
    await operator.write({ key: second.key }, 'go\n');
    await operator.until(() => latest(operator, second.key)?.state === 'closed', 'the hold to lapse');
    expect(operator.output(second.key).length).toBeLessThanOrEqual(1_048_576);
    ackAll(operator, second.key);
    await operator.waitEvent(second.key, 'process/closed');
    const { bytes, missed } = account(operator, second.key);
    expect(bytes + missed).toBe(5_000_000);
  });
});
