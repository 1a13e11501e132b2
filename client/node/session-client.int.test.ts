// The package's client on every kind of exec-server: the same calls, events and errors.
import { createHash } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { LIVENESS } from '../liveness.ts';
import { SessionClient } from '../session-client.ts';
import { FaultProxy } from '../../server/testing/fault-proxy.ts';
import { SERVER_KINDS, type RunningServer } from '../../server/testing/exec-servers.ts';
import { TestServer } from '../../server/testing/test-server.ts';
import { connect, createConsoleClient, NotOffered, RequestError, SessionLost } from './connect.ts';
import type { OwnProcess, ProcessEvent } from './connect.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const text = (data: Uint8Array): string => new TextDecoder().decode(data);
const PATH = process.env['PATH'] ?? '';
const sh = (script: string) => ({ argv: ['sh', '-c', script], cwd: '/tmp', env: { PATH } });

async function eventsOf(child: OwnProcess): Promise<ProcessEvent[]> {
  const events: ProcessEvent[] = [];
  for await (const event of child.events()) events.push(event);
  return events;
}

async function until(events: AsyncIterator<ProcessEvent>, part: string): Promise<string> {
  let output = '';
  while (!output.includes(part)) {
    const { value, done } = await events.next();
    if (done) throw new Error(`ended before ${JSON.stringify(part)}: ${JSON.stringify(output)}`);
    if (value.kind === 'output') output += text(value.bytes);
  }
  return output;
}

describe.each(SERVER_KINDS)('A session on $name', ({ run, offersConsole }) => {
  let server: RunningServer;
  let client: SessionClient;
  beforeEach(async () => {
    server = await run();
    client = await connect({ ...server.options, clientName: 'test' });
  });
  afterEach(async () => {
    client.close();
    await server.stop();
  });

  it('returns every event once and in order, from the first to the last', async () => {
    const events = await eventsOf(await client.start(sh('echo out; echo err >&2; exit 3')));
    expect(events.map((event) => ('seq' in event ? event.seq : null))).toEqual(events.map((_, at) => at + 1));
    expect(events.at(-1)).toEqual({ kind: 'closed', seq: events.length });
    expect(events).toContainEqual(expect.objectContaining({ kind: 'exited', exitCode: 3 }));
    const streams = events.flatMap((event) => (event.kind === 'output' ? [event.stream] : []));
    expect(streams.toSorted()).toEqual(['stderr', 'stdout']);
  });

  it('collects every byte of both streams', async () => {
    const child = await client.start(sh('head -c 3000000 /dev/zero; echo problem >&2; exit 7'));
    const { stdout, stderr, exitCode, sandboxDenied } = await child.communicate();
    expect(Buffer.compare(stdout, Buffer.alloc(3_000_000))).toBe(0);
    expect([text(stderr), exitCode, sandboxDenied]).toEqual(['problem\n', 7, false]);
  });

  it('rejects communicate when the process prints more than the limit', async () => {
    const child = await client.start(sh('head -c 100000 /dev/zero'));
    await expect(child.communicate(undefined, 50_000)).rejects.toThrow('more than 50,000 bytes');
    expect((await child.wait()).exitCode).toBe(0);
  });

  it('writes to a terminal and reads its output', async () => {
    const child = await client.start({ ...sh('read line; echo "got $line"; cat'), tty: true });
    const events = child.events();
    expect(await child.write(bytes('hello\n'))).toBe('accepted');
    await until(events, 'got hello');
    await child.closeStdin();
    expect((await child.wait()).exitCode).toBe(0);
  });

  it('passes several megabytes through stdin and back', async () => {
    const child = await client.start({ ...sh('cat'), tty: false, pipeStdin: true });
    const sent = createHash('sha256');
    const received = createHash('sha256');
    const total = 4 * 1024 * 1024;
    const writing = (async () => {
      for (let at = 0; at < total; at += 65_536) {
        const block = Buffer.alloc(65_536, at / 65_536);
        sent.update(block);
        expect(await child.write(block)).toBe('accepted');
      }
    })();
    let size = 0;
    for await (const event of child.events()) {
      if (event.kind !== 'output') continue;
      received.update(event.bytes);
      size += event.bytes.length;
      if (size === total) break;
    }
    await writing;
    expect(received.digest('hex')).toBe(sent.digest('hex'));
    await child.terminate();
    expect((await child.wait()).exitCode).toBe(137);
  });

  it('answers a write to a process without stdin with stdinClosed', async () => {
    const child = await client.start(sh('sleep 1000'));
    expect(await child.write(bytes('x'))).toBe('stdinClosed');
    await child.terminate();
    await child.wait();
  });

  it('interrupts a process', async () => {
    const child = await client.start(
      sh('trap "echo caught; exit 5" INT; echo ready; while :; do sleep 0.05; done'),
    );
    const events = child.events();
    await until(events, 'ready');
    await child.interrupt();
    await until(events, 'caught');
    expect((await child.wait()).exitCode).toBe(5);
  });

  it('terminates a process, and reports that it was running', async () => {
    const child = await client.start(sh('echo $$; exec sleep 1000'));
    await until(child.events(), '\n');
    expect(await child.terminate()).toEqual({ running: true });
    expect((await child.wait()).exitCode).toBe(137);
  });

  it('reports the exit while an orphaned child still holds the output open', async () => {
    const child = await client.start(sh('sleep 1000 & echo $!; exit 2'));
    const events = child.events();
    const left = Number.parseInt(await until(events, '\n'), 10);
    expect((await child.wait('exited')).exitCode).toBe(2);
    expect(child.isClosed).toBe(false);
    process.kill(left, 'SIGKILL');
    expect((await child.wait('closed')).exitCode).toBe(2);
  });

  it("rejects with the server's error when a program cannot be started", async () => {
    const start = client.start({ argv: ['/nonexistent/program'], cwd: '/tmp', env: {} });
    await expect(start).rejects.toBeInstanceOf(RequestError);
  });

  it('slows the process down to the speed of its reader, and loses nothing', async () => {
    const child = await client.start(sh('seq 1 400000'));
    const read: string[] = [];
    for await (const event of child.events()) {
      if (event.kind !== 'output') continue;
      read.push(text(event.bytes));
      // One turn of the event loop per event is far slower than the process prints.
      await new Promise((resolve) => setImmediate(resolve));
    }
    const expected = Array.from({ length: 400_000 }, (_, at) => `${at + 1}\n`).join('');
    expect(read.join('')).toBe(expected);
  });

  it('drops the remaining output once its reader has stopped', async () => {
    const child = await client.start(sh('yes | head -c 5000000; echo done'));
    for await (const { kind } of child.events()) if (kind === 'output') break;
    expect((await child.wait()).exitCode).toBe(0);
  });

  it('rejects pending reads and waits when it is closed', async () => {
    const child = await client.start(sh('sleep 1000'));
    const reading = eventsOf(child);
    client.close();
    await expect(reading).rejects.toBeInstanceOf(SessionLost);
    await expect(child.wait()).rejects.toBeInstanceOf(SessionLost);
  });

  if (offersConsole) {
    it('writes input, closes stdin and collects the output', async () => {
      const child = await client.start({ ...sh('tr a-z A-Z; echo end'), pipeStdin: true });
      expect(text((await child.communicate(bytes('hello\n'))).stdout)).toBe('HELLO\nend\n');
    });

    it('resizes a terminal', async () => {
      const child = await client.start({
        ...sh('trap "stty size; exit" WINCH; stty size; while :; do sleep 0.05; done'),
        tty: true,
        size: { rows: 30, cols: 90 },
      });
      const events = child.events();
      await until(events, '30 90');
      await child.resize({ rows: 40, cols: 132 });
      await until(events, '40 132');
    });
  } else {
    it('rejects calls that this server does not offer', async () => {
      const child = await client.start({ ...sh('cat'), pipeStdin: true });
      await expect(child.communicate(bytes('x'))).rejects.toBeInstanceOf(NotOffered);
      await expect(child.resize({ rows: 40, cols: 132 })).rejects.toBeInstanceOf(NotOffered);
      await child.terminate();
    });
  }
});

describe.each(SERVER_KINDS.filter(({ name }) => !name.endsWith('spawned')))(
  'A session on $name, through a network that breaks',
  ({ run }) => {
    let server: RunningServer;
    let proxy: FaultProxy;
    let client: SessionClient;
    beforeEach(async () => {
      server = await run();
      const url = new URL(server.url ?? '');
      proxy = await FaultProxy.listen(Number(url.port));
      url.port = String(proxy.port);
      client = await connect({ url: url.href, clientName: 'test' });
    });
    afterEach(async () => {
      client.close();
      await proxy.close();
      await server.stop();
    });

    it('continues output, input and the exit after each cut, with nothing repeated', async () => {
      const child = await client.start({ ...sh('cat'), pipeStdin: true });
      const events = child.events();
      let sent = '';
      let output = '';
      for (let round = 0; round < 5; round += 1) {
        const line = `line ${round}\n`;
        sent += line;
        const written = child.write(bytes(line));
        if (round % 2 === 1) proxy.cut();
        expect(await written).toBe('accepted');
        output += await until(events, line);
      }
      expect(output).toBe(sent);
      proxy.cut();
      await online(client);
      await child.terminate();
      expect((await child.wait()).exitCode).toBe(137);
    });

    it('reads the output and the exit from the time without a connection', async () => {
      const child = await client.start(
        sh('echo before; read x < /tmp/nonexistent; sleep 0.3; echo after; exit 4'),
      );
      const events = child.events();
      let output = await until(events, 'before');
      proxy.down(1500);
      for await (const event of events) if (event.kind === 'output') output += text(event.bytes);
      expect(output).toMatch(/^before\n[^]*after\n$/);
      expect((await child.wait()).exitCode).toBe(4);
    });
  },
);

it('[DE14] a client keeps its session while its reader pauses for longer than any silence limit, and loses nothing', async () => {
  const server = await TestServer.start({ pingMs: 50, silentMs: 125, stalledMs: 125 });
  const headers = { authorization: `Bearer ${server.token('agent')}` };
  const client = new SessionClient({
    socket: () => new WebSocket(server.url, { headers }),
    clientName: 'test',
    liveness: { ...LIVENESS, tickMs: 25 },
  });
  await client.open();
  const states: string[] = [];
  client.connection.onState(({ kind }) => states.push(kind));
  // The output exceeds the client's queue, but the excess fits into the kernel's buffers.
  const child = await client.start(sh('head -c 1500000 /dev/zero; exec sleep 1000'));
  const events = child.events();
  const read = async (): Promise<number> => {
    const { value } = await events.next();
    return value?.kind === 'output' ? value.bytes.length : 0;
  };
  let size = await read();
  const { ws } = await server.client('observer');
  await new Promise<void>((resolve) => {
    let pings = 0;
    ws.on('ping', () => {
      pings += 1;
      if (pings === 20) resolve();
    });
  });
  while (size < 1_500_000) size += await read();
  expect([size, states]).toEqual([1_500_000, []]);
  expect(await child.terminate()).toEqual({ running: true });
  client.close();
  await server.stop();
});

describe('connect', () => {
  it('returns a client that rejects its reads with SessionLost when it reconnects too late for its session', async () => {
    const server = await TestServer.start({ sessionTtlMs: 100 });
    const proxy = await FaultProxy.listen(Number(new URL(server.url).port));
    const url = `ws://127.0.0.1:${proxy.port}`;
    const client = await connect({ url, token: server.token('agent') });
    const reading = eventsOf(await client.start(sh('sleep 1000')));
    proxy.down(1000);
    await expect(reading).rejects.toBeInstanceOf(SessionLost);
    expect((await (await client.start(sh('exit 6'))).wait()).exitCode).toBe(6);
    client.close();
    await proxy.close();
    await server.stop();
  });

  it('rejects when nothing answers', async () => {
    const proxy = await FaultProxy.listen(1);
    const url = `ws://127.0.0.1:${proxy.port}`;
    await proxy.close();
    await expect(connect({ url })).rejects.toThrow('cannot be reached');
  });

  it('rejects when the credential is refused', async () => {
    const [gateway] = SERVER_KINDS;
    const server = await gateway?.run();
    const url = new URL(server?.url ?? '');
    url.search = '';
    await expect(connect({ url: url.href, token: 'wrong' })).rejects.toThrow('the credential was refused');
    await server?.stop();
  });

  it('rejects when the program to spawn does not exist', async () => {
    const spawn = ['/nonexistent/exec-server'] as const;
    const reason = '/nonexistent/exec-server cannot be started: spawn /nonexistent/exec-server ENOENT';
    await expect(connect({ spawn })).rejects.toThrow(reason);
    const { connection } = createConsoleClient({ spawn });
    const failed = new Promise((resolve) => {
      connection.onState((state) => state.kind === 'failed' && resolve(state.reason));
    });
    connection.open();
    expect(await failed).toBe(reason);
  });
});

async function online(client: SessionClient): Promise<void> {
  await new Promise<void>((resolve) => {
    let wasOffline = false;
    const undo = client.connection.onState(({ kind }) => {
      wasOffline ||= kind !== 'online';
      if (!wasOffline || kind !== 'online') return;
      undo();
      resolve();
    });
  });
}
