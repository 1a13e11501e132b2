// The client of the package on every kind of exec-server: the same calls, the same events, the same ends.
import { createHash } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { LIVENESS } from '../liveness.ts';
import { SessionClient } from '../session-client.ts';
import { FaultProxy } from '../../server/testing/fault-proxy.ts';
import { SERVER_KINDS, type RunningServer } from '../../server/testing/exec-servers.ts';
import { TestServer } from '../../server/testing/test-server.ts';
import { connect, NotOffered, RequestError, SessionLost } from './connect.ts';
import type { OwnProcess, ProcessEvent } from './connect.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const text = (data: Uint8Array): string => new TextDecoder().decode(data);
const PATH = process.env['PATH'] ?? '';
const sh = (script: string) => ({ argv: ['sh', '-c', script], cwd: '/tmp', env: { PATH } });

async function eventsOf(process: OwnProcess): Promise<ProcessEvent[]> {
  const events: ProcessEvent[] = [];
  for await (const event of process.events()) events.push(event);
  return events;
}

/** Reads until the output so far has `part` in it. */
async function until(events: AsyncIterator<ProcessEvent>, part: string): Promise<string> {
  let output = '';
  while (!output.includes(part)) {
    const { value, done } = await events.next();
    if (done) throw new Error(`ended before ${JSON.stringify(part)}: ${JSON.stringify(output)}`);
    if (value.kind === 'output') output += text(value.bytes);
  }
  return output;
}

describe.each(SERVER_KINDS)('on $name', ({ run, offersConsole }) => {
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

  it('gives every event once, in order, from the first to the last', async () => {
    const events = await eventsOf(await client.start(sh('echo out; echo err >&2; exit 3')));
    expect(events.map((event) => ('seq' in event ? event.seq : null))).toEqual(events.map((_, at) => at + 1));
    expect(events.at(-1)).toEqual({ kind: 'closed', seq: events.length });
    expect(events).toContainEqual(expect.objectContaining({ kind: 'exited', exitCode: 3 }));
    const streams = events.flatMap((event) => (event.kind === 'output' ? [event.stream] : []));
    expect(streams.toSorted()).toEqual(['stderr', 'stdout']);
  });

  it('collects both streams, byte by byte', async () => {
    const process = await client.start(sh('head -c 3000000 /dev/zero; echo problem >&2; exit 7'));
    const { stdout, stderr, exitCode, sandboxDenied } = await process.communicate();
    expect(Buffer.compare(stdout, Buffer.alloc(3_000_000))).toBe(0);
    expect([text(stderr), exitCode, sandboxDenied]).toEqual(['problem\n', 7, false]);
  });

  it('rejects when more is printed than may be collected', async () => {
    const process = await client.start(sh('head -c 100000 /dev/zero'));
    await expect(process.communicate(undefined, 50_000)).rejects.toThrow('more than 50000 bytes');
    expect((await process.wait()).exitCode).toBe(0);
  });

  it('types into a terminal and reads what it draws', async () => {
    const process = await client.start({ ...sh('read line; echo "got $line"; cat'), tty: true });
    const events = process.events();
    expect(await process.write(bytes('hello\n'))).toBe('accepted');
    await until(events, 'got hello');
    await process.closeStdin();
    expect((await process.wait()).exitCode).toBe(0);
  });

  it('passes several megabytes through a stdin and back', async () => {
    const process = await client.start({ ...sh('cat'), tty: false, pipeStdin: true });
    const sent = createHash('sha256');
    const received = createHash('sha256');
    const total = 4 * 1024 * 1024;
    const writing = (async () => {
      for (let at = 0; at < total; at += 65_536) {
        const block = Buffer.alloc(65_536, at / 65_536);
        sent.update(block);
        expect(await process.write(block)).toBe('accepted');
      }
    })();
    let size = 0;
    for await (const event of process.events()) {
      if (event.kind !== 'output') continue;
      received.update(event.bytes);
      size += event.bytes.length;
      if (size === total) break;
    }
    await writing;
    expect(received.digest('hex')).toBe(sent.digest('hex'));
    await process.terminate();
    expect((await process.wait()).exitCode).toBe(137);
  });

  it('tells that a stdin is closed', async () => {
    const process = await client.start(sh('sleep 1000'));
    expect(await process.write(bytes('x'))).toBe('stdinClosed');
    await process.terminate();
    await process.wait();
  });

  it('interrupts', async () => {
    const process = await client.start(
      sh('trap "echo caught; exit 5" INT; echo ready; while :; do sleep 0.05; done'),
    );
    const events = process.events();
    await until(events, 'ready');
    await process.interrupt();
    await until(events, 'caught');
    expect((await process.wait()).exitCode).toBe(5);
  });

  it('terminates, and says whether there was anything to end', async () => {
    const process = await client.start(sh('echo $$; exec sleep 1000'));
    await until(process.events(), '\n');
    expect(await process.terminate()).toEqual({ running: true });
    expect((await process.wait()).exitCode).toBe(137);
  });

  it('waits for the exit while something it has left behind still holds its output', async () => {
    const process = await client.start(sh('sleep 1000 & echo $!; exit 2'));
    const events = process.events();
    const left = Number.parseInt(await until(events, '\n'), 10);
    expect((await process.wait('exited')).exitCode).toBe(2);
    expect(process.isClosed).toBe(false);
    globalThis.process.kill(left, 'SIGKILL');
    expect((await process.wait('closed')).exitCode).toBe(2);
  });

  it('rejects with what the server says when a program cannot be started', async () => {
    const start = client.start({ argv: ['/nonexistent/program'], cwd: '/tmp', env: {} });
    await expect(start).rejects.toBeInstanceOf(RequestError);
  });

  it('slows the process down to whoever reads, and loses nothing', async () => {
    const process = await client.start(sh('seq 1 400000'));
    const read: string[] = [];
    for await (const event of process.events()) {
      if (event.kind !== 'output') continue;
      read.push(text(event.bytes));
      // A turn of the event loop for each: far slower than it is printed.
      await new Promise((resolve) => setImmediate(resolve));
    }
    const expected = Array.from({ length: 400_000 }, (_, at) => `${at + 1}\n`).join('');
    expect(read.join('')).toBe(expected);
  });

  it('lets the rest go of what is read no further', async () => {
    const process = await client.start(sh('yes | head -c 5000000; echo done'));
    for await (const { kind } of process.events()) if (kind === 'output') break;
    expect((await process.wait()).exitCode).toBe(0);
  });

  it('ends its processes, as far as reading goes, when it is closed', async () => {
    const process = await client.start(sh('sleep 1000'));
    const reading = eventsOf(process);
    client.close();
    await expect(reading).rejects.toBeInstanceOf(SessionLost);
    await expect(process.wait()).rejects.toBeInstanceOf(SessionLost);
  });

  if (offersConsole) {
    it('writes, closes stdin and collects', async () => {
      const process = await client.start({ ...sh('tr a-z A-Z; echo end'), pipeStdin: true });
      expect(text((await process.communicate(bytes('hello\n'))).stdout)).toBe('HELLO\nend\n');
    });

    it('resizes', async () => {
      const process = await client.start({
        ...sh('trap "stty size; exit" WINCH; stty size; while :; do sleep 0.05; done'),
        tty: true,
        size: { rows: 30, cols: 90 },
      });
      const events = process.events();
      await until(events, '30 90');
      await process.resize({ rows: 40, cols: 132 });
      await until(events, '40 132');
    });
  } else {
    it('says what this server cannot do before it does anything', async () => {
      const process = await client.start({ ...sh('cat'), pipeStdin: true });
      await expect(process.communicate(bytes('x'))).rejects.toBeInstanceOf(NotOffered);
      await expect(process.resize({ rows: 40, cols: 132 })).rejects.toBeInstanceOf(NotOffered);
      await process.terminate();
    });
  }
});

describe.each(SERVER_KINDS.filter(({ name }) => !name.endsWith('spawned')))(
  '$name, through a network that breaks',
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

    it('goes on where it was: output, input and the end, nothing twice', async () => {
      const process = await client.start({ ...sh('cat'), pipeStdin: true });
      const events = process.events();
      let sent = '';
      let output = '';
      for (let round = 0; round < 5; round += 1) {
        const line = `line ${round}\n`;
        sent += line;
        const written = process.write(bytes(line));
        if (round % 2 === 1) proxy.cut();
        expect(await written).toBe('accepted');
        output += await until(events, line);
      }
      expect(output).toBe(sent);
      proxy.cut();
      await online(client);
      await process.terminate();
      expect((await process.wait()).exitCode).toBe(137);
    });

    it('reads what was printed, and how it ended, while there was no connection', async () => {
      const process = await client.start(
        sh('echo before; read x < /tmp/nonexistent; sleep 0.3; echo after; exit 4'),
      );
      const events = process.events();
      let output = await until(events, 'before');
      proxy.down(1500);
      for await (const event of events) if (event.kind === 'output') output += text(event.bytes);
      expect(output).toMatch(/^before\n[^]*after\n$/);
      expect((await process.wait()).exitCode).toBe(4);
    });
  },
);

it('[DE14] keeps its session while its reader rests for longer than any silence, and loses nothing', async () => {
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
  // More than is kept unread, and not more beyond that than kernels take.
  const process = await client.start(sh('head -c 1500000 /dev/zero; exec sleep 1000'));
  const events = process.events();
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
  expect(await process.terminate()).toEqual({ running: true });
  client.close();
  await server.stop();
});

describe('connecting', () => {
  it('rejects what it cannot go on with when it comes back too late for its session', async () => {
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

  it('rejects when there is nothing of that name to spawn', async () => {
    await expect(connect({ spawn: ['/nonexistent/exec-server'] })).rejects.toThrow('refused');
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
