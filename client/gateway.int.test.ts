// The client at a real gateway, over a real network connection that is cut repeatedly.
import { createHash } from 'node:crypto';
import { WebSocket } from 'ws';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { SUBPROTOCOL } from '../protocol/console-constants.ts';
import type { Limits } from '../server/config.ts';
import type { TestClient } from '../server/testing/test-client.ts';
import { FaultProxy } from '../server/testing/fault-proxy.ts';
import { TestServer } from '../server/testing/test-server.ts';
import { createExecClient } from './create-client.ts';
import type { ExecClient, Output, OutputSink, WriteOutcome } from './exec-client.ts';

let server: TestServer;
let proxy: FaultProxy;
let agent: TestClient;
let client: ExecClient;

async function start(limits: Partial<Limits>): Promise<void> {
  server = await TestServer.start(limits);
  proxy = await FaultProxy.listen(Number(new URL(server.url).port));
  agent = await server.client('agent');
  client = pageClient(server.token('operator'));
}

async function stop(): Promise<void> {
  client.connection.close();
  await proxy.close();
  await server.stop();
}

beforeEach(() => start({}));
afterEach(stop);

/** Returns a client that sends the token itself as a subprotocol, which the gateway accepts as well as a proof. */
function pageClient(token: string, probe?: () => Promise<'refused' | 'unreachable'>): ExecClient {
  const protocols = [SUBPROTOCOL.console, SUBPROTOCOL.tokenPrefix + token];
  return createExecClient({
    socket: () => new WebSocket(`ws://127.0.0.1:${proxy.port}/`, protocols),
    clientName: 'page',
    ...(probe && { probe }),
  });
}

class Screen implements OutputSink {
  readonly hash = createHash('sha256');
  readonly events: string[] = [];
  text = '';
  bytes = 0;
  missedBytes = 0;
  readonly #waiting = new Set<() => void>();

  output({ bytes }: Output, drawn: () => void): void {
    this.hash.update(bytes);
    this.bytes += bytes.length;
    if (this.bytes < 1024 * 1024) this.text += Buffer.from(bytes).toString();
    drawn();
    this.#check();
  }
  gap({ bytes }: { bytes: number }): void {
    this.missedBytes += bytes;
    this.#note('gap');
  }
  resized(): void {
    this.#note('resized');
  }
  exited({ exitCode }: { exitCode: number }): void {
    this.#note(`exited ${exitCode}`);
  }
  closed(): void {
    this.#note('closed');
  }
  reconnected(): void {
    this.#note('reconnected');
  }
  refused(error: Error): void {
    this.#note(`refused: ${error.message}`);
  }

  until(test: (screen: this) => boolean): Promise<void> {
    return new Promise((resolve) => {
      const check = (): void => {
        if (!test(this)) return;
        this.#waiting.delete(check);
        resolve();
      };
      this.#waiting.add(check);
      check();
    });
  }

  #note(event: string): void {
    this.events.push(event);
    this.#check();
  }
  #check(): void {
    for (const check of this.#waiting) check();
  }
}

/** Resolves when `test` is true, now or after an event from `subscribe`. */
function until(subscribe: (listener: () => void) => () => void, test: () => boolean): Promise<void> {
  return new Promise((resolve) => {
    const check = (): void => {
      if (!test()) return;
      off();
      resolve();
    };
    const off = subscribe(check);
    check();
  });
}

const online = (): Promise<void> =>
  until(
    (listener) => client.connection.onState(listener),
    () => client.connection.state.kind === 'online',
  );

const listed = (key: string): Promise<void> =>
  until(
    (listener) => client.processes.onChanged(listener),
    () => client.processes.get(key) !== undefined,
  );

const isClosed = ({ events }: Screen): boolean => events.at(-1) === 'closed';

describe('The client at a real gateway', () => {
  it('receives 900 kB with the hash of what was printed, although the connection is cut in the middle', async () => {
    client.connection.open();
    await online();
    const script = 'seq 1 150000 | head -c 900000; sleep 0.2; echo end >&2; exit 3';
    const { key } = await agent.start(['sh', '-c', script]);
    const screen = new Screen();
    client.processes.attach(key).follow(screen);
    for (const bytes of [20_000, 200_000, 500_000]) {
      await screen.until(() => screen.bytes >= bytes || isClosed(screen));
      proxy.cut();
      await online();
    }
    await screen.until(isClosed);
    const printed = Array.from({ length: 150_000 }, (_, n) => `${n + 1}\n`)
      .join('')
      .slice(0, 900_000);
    expect(screen.missedBytes).toBe(0);
    expect(screen.bytes).toBe(900_004);
    expect(screen.hash.digest('hex')).toBe(createHash('sha256').update(`${printed}end\n`).digest('hex'));
    expect(screen.events.filter((event) => event === 'exited 3')).toHaveLength(1);
  });

  it('accounts for every byte of 50 MB, received or skipped, across many cuts', async () => {
    client.connection.open();
    await online();
    const { key } = await agent.start(['sh', '-c', 'yes 0123456789abcde | head -c 50000000; exit 5']);
    const screen = new Screen();
    client.processes.attach(key).follow(screen);
    for (let n = 0; n < 8 && !isClosed(screen); n += 1) {
      const { bytes } = screen;
      await screen.until(() => screen.bytes > bytes + 100_000 || isClosed(screen));
      proxy.cut();
      await online();
    }
    await screen.until(isClosed);
    expect(screen.bytes + screen.missedBytes).toBe(50_000_000);
    expect(screen.events.filter((event) => event === 'exited 5')).toHaveLength(1);
  });

  it('continues with a new session when its previous one has expired during an outage', async () => {
    await stop();
    await start({ sessionTtlMs: 1 });
    client.connection.open();
    await online();
    const former = client.connection.state.kind === 'online' && client.connection.state.session;
    const { key } = await agent.start(['sh', '-c', 'echo before; read go; echo after; exit 4'], {
      pipeStdin: true,
    });
    const screen = new Screen();
    const process = client.processes.attach(key);
    process.follow(screen);
    await screen.until(({ text }) => text === 'before\n');
    proxy.cut();
    await screen.until(({ events }) => events.includes('reconnected'));
    expect(client.connection.state).toMatchObject({ kind: 'online' });
    expect(client.connection.state).not.toMatchObject({ session: former });
    expect(await process.write(Buffer.from('go\n'))).toBe('accepted');
    await screen.until(isClosed);
    expect(screen.text).toBe('before\nafter\n');
    expect(screen.missedBytes).toBe(0);
  });

  it('writes every accepted line once and in order, although the connection is cut while it writes', async () => {
    client.connection.open();
    await online();
    const { key } = await agent.start(['cat'], { pipeStdin: true });
    const screen = new Screen();
    const remote = client.processes.attach(key);
    remote.follow(screen);
    const outcomes: Promise<WriteOutcome>[] = [];
    for (let n = 1; n <= 400; n += 1) {
      await online();
      if (n % 37 === 0) proxy.cutAfter(n);
      outcomes.push(remote.write(Buffer.from(`line ${n}\n`)));
      if (n % 10 === 0) await screen.until(() => screen.text.includes(`line ${n - 9}\n`));
    }
    expect(new Set(await Promise.all(outcomes))).toEqual(new Set(['accepted']));
    await remote.closeStdin();
    await screen.until(isClosed);
    expect(screen.text).toBe(Array.from({ length: 400 }, (_, n) => `line ${n + 1}\n`).join(''));
    expect(screen.events).toContain('reconnected');
  });

  it('starts a terminal with control and the requested size, and keeps control across a cut', async () => {
    client.connection.open();
    await online();
    const shell = await client.processes.start({
      argv: ['sh'],
      cwd: '/tmp',
      env: { PS1: '$ ' },
      tty: true,
      size: { rows: 30, cols: 100 },
    });
    const screen = new Screen();
    shell.follow(screen);
    const type = (text: string): Promise<WriteOutcome> => shell.write(Buffer.from(text));
    await type('stty size\n');
    await screen.until(({ text }) => text.includes('30 100'));
    expect(shell.controlled).toBe(true);
    await shell.resize({ rows: 31, cols: 101 });
    await type('stty size\n');
    await screen.until(({ text }) => text.includes('31 101'));
    await type('sleep 1000\n');
    await screen.until(({ text }) => text.includes('sleep 1000'));
    const back = screen.until(({ events }) => events.includes('reconnected'));
    proxy.cut();
    await back;
    await shell.signal('interrupt');
    await type('echo $((40 + 2))\n');
    await screen.until(({ text }) => text.includes('42'));
    await shell.resize({ rows: 32, cols: 102 });
    await type('stty size\n');
    await screen.until(({ text }) => text.includes('32 102'));
    expect(await shell.terminate(100)).toEqual({ running: true });
    await screen.until(isClosed);
    expect(shell.complete).toBe(true);
  });

  it('lists a process that an agent starts, and rejects a failed start with the reason', async () => {
    client.connection.open();
    await online();
    const { key } = await agent.start(['sh', '-c', 'exit 0']);
    await listed(key);
    const request = { argv: ['/proc/none/program'], cwd: '/tmp', tty: false };
    await expect(client.processes.start(request)).rejects.toThrow('/proc/none/program');
  });

  it('fails for good when its credential is refused', async () => {
    client = pageClient('wrong', () => Promise.resolve('refused'));
    const failed = new Promise<string>((resolve) => {
      client.connection.onState((state) => state.kind === 'failed' && resolve(state.reason));
    });
    client.connection.open();
    expect(await failed).toBe('the server refused the connection; check the address and token');
  });
});
