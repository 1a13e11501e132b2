// A gateway that was spawned as a child: its stdin and stdout, and its end.
import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { spawnStdioGateway, stdioWire } from '../testing/stdio-wire.ts';
import { WireClient } from '../testing/wire-client.ts';

let gateway: ChildProcessWithoutNullStreams;
let client: WireClient;
let printed: string;
beforeEach(async () => {
  gateway = await spawnStdioGateway();
  printed = '';
  gateway.stdout.on('data', (chunk: Buffer) => (printed += chunk.toString()));
  client = new WireClient(stdioWire(gateway));
  await client.initialize();
});
afterEach(() => {
  gateway.kill('SIGKILL');
});

const isAlive = (pid: number): boolean => existsSync(`/proc/${pid}`);
const replyTo = (id: string) => client.until(() => client.log.find((message) => message.id === id), id);

/** Starts a process that ends only with SIGKILL. */
async function stubborn(): Promise<number> {
  const script = "trap '' TERM HUP INT; echo $$; while :; do sleep 1; done";
  const { processId } = await client.start(['/bin/sh', '-c', script]);
  await client.waitOutput(processId, '\n');
  return Number(client.output(processId).toString());
}

describe('Input on stdin', () => {
  it('[ST1] consists of lines with any line ends; blank ones are ignored', async () => {
    client.wire.send('\r\n   \n\t\n{"id":"crlf","method":"environment/status"}\r');
    expect((await replyTo('crlf')).result).toEqual({ status: 'ready' });
    expect(client.log.some(({ id }) => id === -1)).toBe(false);
  });

  it('[ST1] can arrive in any pieces', async () => {
    for (const byte of Buffer.from('{"id":"ä€😀","method":"environment/status"}\n')) {
      gateway.stdin.write(Buffer.of(byte));
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect((await replyTo('ä€😀')).result).toEqual({ status: 'ready' });
  });

  it('[ST3] gets an error when it is not UTF-8 or too long, and the next line works', async () => {
    client.wire.send(Buffer.from([0x7b, 0xff, 0x7d]));
    client.wire.send('x'.repeat(16 * 1024 * 1024));
    client.wire.send('{"id":"next","method":"environment/status"}');
    expect((await replyTo('next')).result).toEqual({ status: 'ready' });
    expect(client.log.filter(({ id }) => id === -1).map(({ error }) => error?.message)).toEqual([
      'malformed message: a line that is not UTF-8',
      'malformed message: a line of 16,777,216 bytes or more',
    ]);
  });
});

describe('The client that spawned the gateway', () => {
  it('[ST4] is an operator, and receives only messages on stdout', async () => {
    const { console } = await client
      .request<{ console: { role: string } }>('environment/info')
      .then(() => client.log[0]?.result as { console: { role: string } });
    expect(console.role).toBe('operator');
    const started = await client.request('process/start', {
      processId: 'mine',
      argv: ['/bin/echo', 'x'],
      cwd: 'file:///tmp',
      env: {},
      tty: true,
      session: 'console',
    });
    await client.request('process/wait', { key: started['key'], waitMs: 20_000 });
    await client.request('console/search', { query: 'x' });
    await client.cut();
    for (const line of printed.trimEnd().split('\n')) expect(JSON.parse(line)).toBeTypeOf('object');
  });

  it.each([false, true])('[ST4] does not share its pipes with any process, tty %s', async (tty) => {
    const own = [0, 1].map((fd) => readlinkSync(`/proc/${gateway.pid}/fd/${fd}`));
    const script = 'echo pid $$; exec sleep 1000';
    const { processId } = await client.start(['/bin/sh', '-c', script], { tty });
    await client.waitOutput(processId, '\n');
    const pid = /pid (\d+)/.exec(client.output(processId).toString())?.[1] ?? '';
    // The shell replaces itself with `sleep`, whose descriptors are checked.
    await vi.waitFor(() => expect(readFileSync(`/proc/${pid}/comm`, 'utf8')).toBe('sleep\n'), 20_000);
    const theirs = readdirSync(`/proc/${pid}/fd`).flatMap((fd) => {
      try {
        return [readlinkSync(`/proc/${pid}/fd/${fd}`)];
      } catch {
        return [];
      }
    });
    expect(theirs.length).toBeGreaterThanOrEqual(3);
    expect(theirs.filter((target) => own.includes(target))).toEqual([]);
    await client.request('process/terminate', { processId });
    await client.waitEvent(processId, 'process/closed');
  });
});

describe('The gateway exits', () => {
  it('[ST2] with code 0 at the end of stdin, and ends its processes', async () => {
    const pid = await stubborn();
    gateway.stdin.end();
    expect(await client.waitClose()).toEqual({ code: 0, reason: '' });
    expect(isAlive(pid)).toBe(false);
  });

  it('[ST2] after pending replies, and reads a last line without a newline', async () => {
    await client.start(['/bin/sleep', '1000'], { processId: 'p' });
    const read = { id: 'held', method: 'process/read', params: { processId: 'p', waitMs: 60_000 } };
    const status = { id: 'last', method: 'environment/status' };
    gateway.stdin.end(`${JSON.stringify(read)}\n${JSON.stringify(status)}`);
    expect(await client.waitClose()).toMatchObject({ code: 0 });
    expect(client.log.filter(({ id }) => id === 'held' || id === 'last')).toMatchObject([
      { id: 'last', result: { status: 'ready' } },
      { id: 'held', result: { chunks: [], exited: false } },
    ]);
  });

  it('[ST2] at the end of stdin even while its output is not read', async () => {
    const { processId } = await client.start(['/bin/sh', '-c', 'echo $$; exec cat /dev/zero']);
    await client.waitOutput(processId, '\n');
    const pid = Number(client.output(processId).subarray(0, 20).toString().split('\n')[0]);
    client.wire.pause();
    gateway.stdin.end();
    const [code] = await new Promise<unknown[]>((resolve) => {
      gateway.on('exit', (...how) => resolve(how));
    });
    expect(code).toBe(0);
    expect(isAlive(pid)).toBe(false);
  });

  it('[ST2] when its stdout is closed', async () => {
    const pid = await stubborn();
    const exit = new Promise<unknown>((resolve) => {
      gateway.on('exit', resolve);
    });
    gateway.stdout.destroy();
    client.send({ id: 'unread', method: 'environment/status' });
    expect(await exit).toBe(0);
    await vi.waitFor(() => expect(isAlive(pid)).toBe(false), { timeout: 20_000 });
  });

  it('[ST2] at once on SIGTERM, without a grace period for its processes', async () => {
    const pid = await stubborn();
    gateway.kill('SIGTERM');
    expect(await client.waitClose()).toMatchObject({ code: 0 });
    expect(isAlive(pid)).toBe(false);
    expect(client.log.some(({ method }) => method === 'process/exited')).toBe(true);
  });

  it('[SE6] on a message that is not allowed, and logs the reason', async () => {
    client.send({ method: 'process/start' });
    expect(await client.waitClose()).toMatchObject({
      code: 0,
      reason: expect.stringContaining('it violated the protocol'),
    });
  });
});
