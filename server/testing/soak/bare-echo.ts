// How long an echo takes on this machine right now, whatever the gateway does: the yardstick of a soak.
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { WebSocket } from 'ws';

/** As often as the load types, so that both see the same seconds. */
const KEY_MS = 50;

export class BareEcho {
  readonly #relay: ChildProcess;
  readonly #socket: WebSocket;
  readonly #closed = new AbortController();
  #echoes: number[] = [];
  #isOver = false;

  private constructor(relay: ChildProcess, socket: WebSocket) {
    this.#relay = relay;
    this.#socket = socket;
    socket.on('close', () => this.#closed.abort(new Error('the bare echo has ended')));
  }

  static async start(): Promise<BareEcho> {
    const relay = fork(join(import.meta.dirname, 'bare-relay.ts'), { execArgv: ['--import', 'tsx'] });
    const [port] = (await once(relay, 'message')) as [number];
    const socket = new WebSocket(`ws://127.0.0.1:${port}`);
    await once(socket, 'open');
    return new BareEcho(relay, socket);
  }

  /** Echo times in ms since it was last asked. */
  takeEchoes(): readonly number[] {
    const echoes = this.#echoes;
    this.#echoes = [];
    return echoes;
  }

  /** Until `end`, key by key, each when the one before has come back; rejects when nothing comes any more. */
  async run(): Promise<void> {
    while (!this.#isOver) {
      const sentAtMs = performance.now();
      const echoed = once(this.#socket, 'message', { signal: this.#closed.signal });
      this.#socket.send('x');
      await echoed;
      this.#echoes.push(performance.now() - sentAtMs);
      await sleep(KEY_MS);
    }
    this.#socket.close();
    this.#relay.disconnect();
    await once(this.#relay, 'exit');
  }

  end(): void {
    this.#isOver = true;
  }
}
