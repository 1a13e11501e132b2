// Listing, following, starting and controlling processes at an in-memory gateway.
import { describe, expect, it } from 'vitest';
import type { ConsoleChanged } from '../protocol/console.ts';
import { ErrorCode } from '../protocol/jsonrpc.ts';
import { createExecClient } from './create-client.ts';
import { ConnectionLost, NotOnline } from './exec-client.ts';
import { FakeGateway } from './testing/fake-gateway.ts';
import { ManualRuntime } from './testing/manual-runtime.ts';
import { RecordingSink, bytesOf } from './testing/recording-sink.ts';

const WINDOW = 64 * 1024;

async function makeOnline({ retainedBytes = 1024 * 1024 } = {}) {
  const runtime = new ManualRuntime();
  const gateway = new FakeGateway({ runtime, retainedBytes });
  const client = createExecClient({
    socket: gateway.dial,
    clientName: 'test',
    runtime,
    windowBytes: WINDOW,
  });
  const { connection, processes } = client;
  const changes: ConsoleChanged[] = [];
  processes.onChanged((change) => changes.push(change));
  connection.open();
  await runtime.advance(10);
  expect(connection.state.kind).toBe('online');
  return { runtime, gateway, connection, processes, changes };
}

/** Returns a process that is attached and followed by a sink that draws immediately. */
async function makeFollowed(options = {}) {
  const made = await makeOnline(options);
  const fake = made.gateway.start('p');
  fake.output(bytesOf('old '));
  const remote = made.processes.attach('p');
  const sink = new RecordingSink();
  remote.follow(sink);
  await made.runtime.advance(10);
  return { ...made, fake, remote, sink };
}

const request = { argv: ['sh'], cwd: '/a dir/é', tty: true, size: { rows: 30, cols: 90 } };

describe('The list of processes', () => {
  it('contains every process, and follows every change', async () => {
    const { runtime, gateway, processes, changes } = await makeOnline();
    const fake = gateway.start('p');
    await runtime.advance(10);
    expect(processes.list().map(({ key }) => key)).toEqual(['p']);
    fake.exit();
    gateway.report(fake);
    await runtime.advance(10);
    expect(processes.get('p')).toMatchObject({ state: 'exited', exitCode: 7 });
    gateway.remove('p');
    await runtime.advance(10);
    expect(processes.list()).toEqual([]);
    expect(changes.at(-1)).toEqual({ removed: { keys: ['p'], sessions: [] } });
  });

  it('is complete again after a cut, and reports which processes were removed during it', async () => {
    const { runtime, gateway, processes, changes } = await makeOnline();
    gateway.start('old');
    await runtime.advance(10);
    gateway.socket.cut();
    gateway.remove('old');
    gateway.start('new');
    await runtime.advance(300);
    expect(processes.list().map(({ key }) => key)).toEqual(['new']);
    expect(changes.at(-1)).toMatchObject({ removed: { keys: ['old'] }, processes: [{ key: 'new' }] });
  });
});

describe('An attachment to a process', () => {
  it('passes on earlier output as replay and new output as live', async () => {
    const { runtime, fake, sink } = await makeFollowed();
    fake.output(bytesOf('new'));
    await runtime.advance(10);
    expect(sink.reported.map((reported) => reported.kind === 'output' && reported.output.live)).toEqual([
      false,
      true,
    ]);
    expect(sink.text).toBe('old new');
  });

  it('continues after a cut with the output printed meanwhile, as replay', async () => {
    const { runtime, gateway, fake, sink } = await makeFollowed();
    gateway.socket.cut();
    fake.output(bytesOf('missed '));
    await runtime.advance(300);
    fake.output(bytesOf('live'));
    fake.exit();
    fake.close();
    await runtime.advance(10);
    expect(sink.kinds).toEqual(['output', 'reconnected', 'output', 'output', 'exited', 'closed']);
    expect(sink.text).toBe('old missed live');
  });

  it('sends no further requests about a process that is complete', async () => {
    const { runtime, gateway, fake, remote } = await makeFollowed();
    fake.exit();
    fake.close();
    await runtime.advance(10);
    expect(remote.complete).toBe(true);
    gateway.socket.cut();
    await runtime.advance(300);
    expect(gateway.countOf('process/attach')).toBe(1);
  });

  it('reads the next page only when the output before it has been drawn', async () => {
    const { runtime, gateway, processes } = await makeOnline();
    const fake = gateway.start('p');
    for (let n = 0; n < 40; n += 1) fake.output(new Uint8Array(16 * 1024));
    const undrawn: (() => void)[] = [];
    const sink = new RecordingSink((drawn) => undrawn.push(drawn));
    processes.attach('p').follow(sink);
    await runtime.advance(10);
    expect(gateway.countOf('process/read')).toBe(1);
    expect(sink.reported).toHaveLength(16);
    while (undrawn.length > 0) {
      for (const drawn of undrawn.splice(0)) drawn();
      await runtime.advance(10);
    }
    expect(sink.reported).toHaveLength(40);
  });

  it('receives no more than the window while nothing is drawn, and reports the resulting gap', async () => {
    const { runtime, gateway, processes } = await makeOnline({ retainedBytes: 100_000 });
    const fake = gateway.start('p');
    const undrawn: (() => void)[] = [];
    const sink = new RecordingSink((drawn) => undrawn.push(drawn));
    processes.attach('p').follow(sink);
    await runtime.advance(10);
    for (let n = 0; n < 50; n += 1) {
      fake.output(new Uint8Array(8192));
      await runtime.advance(10);
    }
    expect(sink.reported).toHaveLength(WINDOW / 8192);
    while (undrawn.length > 0) {
      for (const drawn of undrawn.splice(0)) drawn();
      await runtime.advance(100);
    }
    expect(sink.kinds).toContain('gap');
    const given = sink.kinds.filter((kind) => kind === 'output').length * 8192;
    expect(given + sink.missedBytes).toBe(50 * 8192);
  });

  it('closes the connection when the gateway pushes more than the credit allows', async () => {
    const { runtime, gateway, connection, processes } = await makeOnline();
    gateway.start('p');
    processes.attach('p');
    await runtime.advance(10);
    const push = (seq: number): void => {
      const params = { processId: 'id of p', key: 'p', seq, stream: 'pty', chunk: 'AAAA'.repeat(20_000) };
      gateway.socket.push(JSON.stringify({ method: 'process/output', params }));
    };
    push(1);
    push(2);
    await runtime.advance(10);
    expect(connection.state.kind).toBe('online');
    push(3);
    await runtime.advance(10);
    expect(connection.state).toMatchObject({ kind: 'waiting', reason: expect.stringContaining('credit') });
  });

  it("reports the gateway's error for an unknown process", async () => {
    const { runtime, processes } = await makeOnline();
    const sink = new RecordingSink();
    processes.attach('nobody').follow(sink);
    await runtime.advance(10);
    expect(sink.reported).toEqual([{ kind: 'refused', code: ErrorCode.unknownKey }]);
  });

  it('ends with detach, and begins again with the next attach', async () => {
    const { runtime, gateway, processes, fake, remote, sink } = await makeFollowed();
    expect(processes.attach('p')).toBe(remote);
    remote.detach();
    remote.detach();
    const again = processes.attach('p');
    expect(again).not.toBe(remote);
    const second = new RecordingSink();
    again.follow(second);
    fake.output(bytesOf('new'));
    await runtime.advance(10);
    expect(gateway.countOf('process/detach')).toBe(1);
    expect(sink.text).toBe('old ');
    expect(second.text).toBe('old new');
  });

  it('emits nothing after detach, not even the answer to an earlier read', async () => {
    const { runtime, gateway, processes } = await makeOnline();
    gateway.start('p').output(bytesOf('old'));
    const remote = processes.attach('p');
    const sink = new RecordingSink();
    remote.follow(sink);
    const push = gateway.socket.push.bind(gateway.socket);
    gateway.socket.push = (text) => {
      push(text);
      if (gateway.countOf('process/read') > 0) remote.detach();
    };
    await runtime.advance(10);
    expect(gateway.countOf('process/detach')).toBe(1);
    expect(sink.reported).toEqual([]);
  });

  it('reports the exit even when it was evicted together with the output around it', async () => {
    const { runtime, gateway, processes } = await makeOnline({ retainedBytes: 1000 });
    const fake = gateway.start('p');
    const undrawn: (() => void)[] = [];
    const sink = new RecordingSink((drawn) => undrawn.push(drawn));
    processes.attach('p').follow(sink);
    await runtime.advance(10);
    for (let n = 0; n < 70; n += 1) {
      fake.output(new Uint8Array(1000));
      await runtime.advance(1);
    }
    fake.exit();
    for (let n = 0; n < 5; n += 1) fake.output(new Uint8Array(1000));
    fake.close();
    while (undrawn.length > 0) {
      for (const drawn of undrawn.splice(0)) drawn();
      await runtime.advance(100);
    }
    expect(sink.kinds.filter((kind) => kind !== 'output')).toEqual(['gap', 'exited', 'closed']);
  });

  it('looks for an exit in a gap at intervals, not after each gap of a flood, and without reading output', async () => {
    const { runtime, gateway, processes } = await makeOnline({ retainedBytes: 1000 });
    const fake = gateway.start('p');
    const sink = new RecordingSink();
    processes.attach('p').follow(sink);
    await runtime.advance(10);
    const { changed } = fake;
    const before = gateway.countOf('process/read');
    const gaps = (): number => sink.kinds.filter((kind) => kind === 'gap').length;
    for (let n = 0; n < 100; n += 1) {
      // The gateway evicts this output before sending it.
      fake.changed = () => undefined;
      fake.output(new Uint8Array(900));
      fake.changed = changed;
      fake.output(new Uint8Array(900));
      await runtime.advance(10);
    }
    expect(gaps()).toBe(100);
    expect(gateway.countOf('process/read') - before).toBeLessThanOrEqual(4);
    const asked = gateway.requests.filter(({ method }) => method === 'process/read').at(-1);
    expect(asked?.params).toEqual({ key: 'p', afterSeq: Number.MAX_SAFE_INTEGER });
    fake.exit();
    fake.close();
    await runtime.advance(1000);
    expect(sink.kinds.filter((kind) => kind === 'exited' || kind === 'closed')).toEqual(['exited', 'closed']);
  });
});

describe('Starting a process', () => {
  it('attaches it from its first byte, live and in control', async () => {
    const { runtime, gateway, processes } = await makeOnline();
    const starting = processes.start(request);
    await runtime.advance(10);
    const remote = await starting;
    expect(gateway.requests.find(({ method }) => method === 'process/start')?.params).toMatchObject({
      cwd: 'file:///a%20dir/%C3%A9',
      session: 'console',
      tty: true,
      pipeStdin: false,
      size: { rows: 30, cols: 90 },
      env: { TERM: 'xterm-256color' },
    });
    const sink = new RecordingSink();
    remote.follow(sink);
    gateway.processes.get(remote.key)?.output(bytesOf('$ '));
    await runtime.advance(10);
    expect(sink.sizes).toEqual([request.size]);
    expect(sink.reported).toMatchObject([{ kind: 'output', output: { seq: 1, live: true } }]);
    expect(remote.controlled).toBe(true);
    expect(processes.attach(remote.key)).toBe(remote);
    expect(gateway.countOf('process/attach')).toBe(0);
  });

  it('loses nothing when its first output comes before the answer', async () => {
    const { runtime, gateway, processes } = await makeOnline();
    const { socket } = gateway;
    const push = socket.push.bind(socket);
    socket.push = (text) => {
      const { result } = JSON.parse(text) as { result?: { key?: string; processId: string } };
      if (result?.key !== undefined) {
        const params = { ...result, seq: 1, stream: 'pty', chunk: 'YQ==' };
        push(JSON.stringify({ method: 'process/output', params }));
      }
      push(text);
    };
    const starting = processes.start(request);
    await runtime.advance(10);
    const sink = new RecordingSink();
    (await starting).follow(sink);
    expect(sink.text).toBe('a');
  });

  it('rejects with the reason when it fails', async () => {
    const { runtime, processes } = await makeOnline();
    const starting = processes.start({ ...request, argv: ['missing'] });
    await Promise.all([expect(starting).rejects.toThrow('no such program'), runtime.advance(10)]);
  });

  it('rejects with ConnectionLost when its outcome is unknown', async () => {
    const { gateway, processes } = await makeOnline();
    const starting = processes.start(request);
    gateway.socket.cut();
    await expect(starting).rejects.toThrow(ConnectionLost);
    await expect(processes.start(request)).rejects.toThrow(NotOnline);
  });
});

describe('Signals', () => {
  it('are sent once, and never again after a cut', async () => {
    const { runtime, gateway, remote } = await makeFollowed();
    const signalled = remote.signal('interrupt');
    const terminated = remote.terminate(100);
    gateway.socket.cut();
    await expect(signalled).rejects.toThrow(ConnectionLost);
    await expect(terminated).rejects.toThrow(ConnectionLost);
    await runtime.advance(1000);
    expect(gateway.countOf('process/signal') + gateway.countOf('process/terminate')).toBe(0);
  });
});
