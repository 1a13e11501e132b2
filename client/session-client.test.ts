// A session at a simulated exec-server: outcomes of writes when the process or session has ended, and the
// connection of a reader that pauses.
import { describe, expect, it } from 'vitest';
import { SessionLost } from './exec-client.ts';
import type { OwnProcess } from './own-process.ts';
import { SessionClient } from './session-client.ts';
import { ManualRuntime } from './testing/manual-runtime.ts';
import { bytesOf } from './testing/recording-sink.ts';
import { SocketPair } from './testing/socket-pair.ts';

const FULL_BYTES = 1024 * 1024 + 1;
/** Time longer than any silence after which either end closes the connection. */
const HOUR_MS = 3_600_000;

/** Answers handshakes, starts and reads; the test answers writes. */
class Server {
  readonly runtime = new ManualRuntime();
  readonly writes: { readonly id: number; readonly writeId: string; readonly chunk: string }[] = [];
  readonly client = new SessionClient({
    socket: () => this.#dial(),
    clientName: 'test',
    runtime: this.runtime,
  });
  sessionId = 'first';
  socket = new SocketPair(this.runtime);

  async start({ tty = false } = {}): Promise<OwnProcess> {
    const opened = this.client.open();
    await this.runtime.advance(10);
    await opened;
    const started = this.client.start({ argv: ['cat'], cwd: '/', tty, pipeStdin: !tty });
    await this.runtime.advance(10);
    return started;
  }

  /**
   * Transfers the process to a second client, which connects and resumes the session; resolves with the process of that
   * client.
   */
  async handOver(process: OwnProcess): Promise<OwnProcess> {
    const handedOver = this.client.handOver(process, 0);
    const { runtime } = this;
    const resume = handedOver.sessionId;
    const client = new SessionClient({ socket: () => this.#dial(), clientName: 'test', runtime, resume });
    const taken = client.takeOver(handedOver);
    const opened = client.open();
    await runtime.advance(10);
    await opened;
    return taken;
  }

  send(message: object): void {
    this.socket.push(JSON.stringify(message));
  }

  end({ processId }: OwnProcess): void {
    this.send({ method: 'process/exited', params: { processId, seq: 1, exitCode: 0, sandboxDenied: false } });
    this.send({ method: 'process/closed', params: { processId, seq: 2 } });
  }

  /** Sends so much output that the client pauses reading. */
  fill({ processId }: OwnProcess): void {
    const chunk = btoa('x'.repeat(FULL_BYTES));
    this.send({ method: 'process/output', params: { processId, seq: 1, stream: 'stdout', chunk } });
  }

  async cut(): Promise<void> {
    this.socket.cut();
    await this.runtime.advance(1000);
  }

  #dial(): SocketPair {
    const socket = new SocketPair(this.runtime);
    this.socket = socket;
    socket.accept({ message: (text) => this.#answer(JSON.parse(text)), closed: () => undefined });
    return socket;
  }

  #answer({
    id,
    method,
    params,
  }: {
    id?: number;
    method: string;
    params: { writeId: string; chunk: string };
  }): void {
    if (id === undefined) return;
    if (method === 'process/write') this.writes.push({ id, writeId: params.writeId, chunk: params.chunk });
    else if (method !== 'initialize')
      this.send({ id, result: { chunks: [], nextSeq: 1, exited: false, closed: false } });
    else if (Object(params).resumeSessionId && Object(params).resumeSessionId !== this.sessionId)
      this.send({ id, error: { code: -32600, message: 'unknown session' } });
    else
      this.send({
        id,
        result: {
          sessionId: this.sessionId,
          environmentInfo: { shell: { name: 'sh', path: '/bin/sh' }, cwd: 'file:///', platformOs: 'linux' },
        },
      });
  }
}

describe('A write', () => {
  it('is sent again after a cut when it was not answered before its process ended', async () => {
    const server = new Server();
    const process = await server.start();
    const written = process.write(bytesOf('x'));
    server.end(process);
    await server.runtime.advance(10);
    expect(process.isClosed).toBe(true);
    await server.cut();
    expect(server.writes.map(({ writeId }) => writeId)).toEqual(['1', '1']);
    server.send({ id: server.writes[1]?.id, result: { status: 'accepted' } });
    await server.runtime.advance(10);
    expect(await written).toBe('accepted');
  });

  it('is answered at once when its process has ended, even after a cut', async () => {
    const server = new Server();
    const process = await server.start();
    server.end(process);
    await server.runtime.advance(10);
    await server.cut();
    expect(await process.write(bytesOf('x'))).toBe('stdinClosed');
    expect(server.writes).toEqual([]);
  });

  it('is in doubt when its process has ended and the session is lost before its answer', async () => {
    const server = new Server();
    const process = await server.start();
    const written = process.write(bytesOf('x'));
    server.end(process);
    await server.runtime.advance(10);
    server.sessionId = 'second';
    await server.cut();
    expect(await written).toBe('inDoubt');
  });

  it('follows those of the client from which a terminal was taken over, where Ctrl-D ends the input', async () => {
    const server = new Server();
    const process = await server.start({ tty: true });
    void process.write(bytesOf('x'));
    await server.runtime.advance(10);
    const taken = await server.handOver(process);
    void taken.closeStdin();
    await server.runtime.advance(10);
    expect(server.writes.map(({ writeId, chunk }) => [writeId, atob(chunk)])).toEqual([
      ['1', 'x'],
      ['2', '\x04'],
    ]);
  });

  it('is refused when the session of its process is lost', async () => {
    const server = new Server();
    const process = await server.start();
    server.sessionId = 'second';
    await server.cut();
    await expect(process.write(bytesOf('x'))).rejects.toBeInstanceOf(SessionLost);
  });
});

describe('A reader that rests', () => {
  async function resting() {
    const server = new Server();
    const process = await server.start();
    const events = process.events();
    server.fill(process);
    await server.runtime.advance(10);
    expect(server.socket.isPaused).toBe(true);
    const { socket } = server;
    return { server, process, events, socket };
  }

  it('keeps sending pongs, and does not wait for answers that it does not read', async () => {
    const { server, socket, events } = await resting();
    for (let rested = 0; rested < HOUR_MS; rested += 10_000) {
      const before = socket.pongs;
      await server.runtime.advance(10_000);
      expect(socket.pongs).toBeGreaterThan(before);
      server.client.connection.retryNow();
    }
    expect(server.socket).toBe(socket);
    await events.next();
    expect(socket.isPaused).toBe(false);
  });

  it('detects a dead connection again as soon as it reads', async () => {
    const { server, socket, events } = await resting();
    await server.runtime.advance(HOUR_MS);
    socket.isSilent = true;
    await events.next();
    await server.runtime.advance(30_000);
    expect(server.socket).not.toBe(socket);
    expect(server.client.connection.state.kind).toBe('online');
  });

  it('keeps resting after a cut', async () => {
    const { server, socket, events } = await resting();
    await server.cut();
    expect(server.socket).not.toBe(socket);
    expect(server.client.connection.state.kind).toBe('online');
    expect(server.socket.isPaused).toBe(true);
    const { pongs } = server.socket;
    await server.runtime.advance(HOUR_MS);
    expect(server.socket.pongs).toBeGreaterThan(pongs);
    await events.next();
    expect(server.socket.isPaused).toBe(false);
  });

  it('does not pause the connection of the next session when its own is lost', async () => {
    const { server } = await resting();
    server.sessionId = 'second';
    await server.cut();
    expect(server.client.connection.state.kind).toBe('online');
    expect(server.socket.isPaused).toBe(false);
  });
});
