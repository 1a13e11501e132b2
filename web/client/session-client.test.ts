// A session of one's own at an exec-server that the test plays: what becomes of writes when process or session are over.
import { describe, expect, it } from 'vitest';
import { SessionLost } from './exec-client.ts';
import type { OwnProcess } from './own-process.ts';
import { SessionClient } from './session-client.ts';
import { ManualRuntime } from './testing/manual-runtime.ts';
import { bytesOf } from './testing/recording-sink.ts';
import { SocketPair } from './testing/socket-pair.ts';

/** Answers the handshake, starts and reads; writes are left to the test. */
class Server {
  readonly runtime = new ManualRuntime();
  readonly writes: { readonly id: number; readonly writeId: string }[] = [];
  readonly client = new SessionClient({
    socket: () => this.#dial(),
    clientName: 'test',
    runtime: this.runtime,
  });
  sessionId = 'first';
  #socket = new SocketPair(this.runtime);

  async start(): Promise<OwnProcess> {
    const opened = this.client.open();
    await this.runtime.advance(10);
    await opened;
    const started = this.client.start({ argv: ['cat'], cwd: '/', pipeStdin: true });
    await this.runtime.advance(10);
    return started;
  }

  send(message: object): void {
    this.#socket.push(JSON.stringify(message));
  }

  /** Everything that a process does on its way out. */
  end({ processId }: OwnProcess): void {
    this.send({ method: 'process/exited', params: { processId, seq: 1, exitCode: 0, sandboxDenied: false } });
    this.send({ method: 'process/closed', params: { processId, seq: 2 } });
  }

  async cut(): Promise<void> {
    this.#socket.cut();
    await this.runtime.advance(1000);
  }

  #dial(): SocketPair {
    const socket = new SocketPair(this.runtime);
    this.#socket = socket;
    socket.accept({ message: (text) => this.#answer(JSON.parse(text)), closed: () => undefined });
    return socket;
  }

  #answer({ id, method, params }: { id?: number; method: string; params: { writeId: string } }): void {
    if (id === undefined) return;
    if (method === 'process/write') this.writes.push({ id, writeId: params.writeId });
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

describe('a write', () => {
  it('that is not answered before its process is over is asked for again after a cut', async () => {
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

  it('after the end is answered at once, also after a cut', async () => {
    const server = new Server();
    const process = await server.start();
    server.end(process);
    await server.runtime.advance(10);
    await server.cut();
    expect(await process.write(bytesOf('x'))).toBe('stdinClosed');
    expect(server.writes).toEqual([]);
  });

  it('of an ended process is in doubt when the session is lost', async () => {
    const server = new Server();
    const process = await server.start();
    const written = process.write(bytesOf('x'));
    server.end(process);
    await server.runtime.advance(10);
    server.sessionId = 'second';
    await server.cut();
    expect(await written).toBe('inDoubt');
  });

  it('of a lost session is refused', async () => {
    const server = new Server();
    const process = await server.start();
    server.sessionId = 'second';
    await server.cut();
    await expect(process.write(bytesOf('x'))).rejects.toBeInstanceOf(SessionLost);
  });
});
