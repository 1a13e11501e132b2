// A TCP proxy with the faults of a real network: cuts, half-open silence, delays, one byte at a time.
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** Direction of data; `up` is from the client to the gateway. */
export type Direction = 'up' | 'down';

interface Pair {
  readonly client: Socket;
  readonly gateway: Socket;
  /** True when the ends receive nothing more from each other, not even a close. */
  isSilent: boolean;
}

export class FaultProxy {
  readonly #server: Server;
  readonly #pairs = new Set<Pair>();
  readonly #timers = new Set<NodeJS.Timeout>();
  readonly #bytesUntilCut: { [direction in Direction]: number } = noCuts();
  readonly #singleBytes: { [direction in Direction]: number } = { up: 0, down: 0 };
  #downUntilMs = 0;
  #held: Promise<unknown> | null = null;
  #holdAt: { readonly text: string; readonly reached: (release: () => void) => void } | null = null;

  private constructor(targetPort: number) {
    this.#server = createServer((client) => {
      if (performance.now() < this.#downUntilMs) client.resetAndDestroy();
      else this.#join(client, connect(targetPort, '127.0.0.1'));
    });
  }

  /** Listens on a free port, in front of `targetPort`. */
  static async listen(targetPort: number): Promise<FaultProxy> {
    const proxy = new FaultProxy(targetPort);
    await new Promise<void>((resolve) => proxy.#server.listen(0, '127.0.0.1', resolve));
    return proxy;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** Resets every connection, and loses data in flight; new connections work. */
  cut(): void {
    Object.assign(this.#bytesUntilCut, noCuts());
    for (const pair of this.#pairs) reset(pair);
  }

  /** Resets every connection, and refuses new ones for `ms`. */
  down(ms: number): void {
    this.#downUntilMs = performance.now() + ms;
    this.cut();
  }

  /** Resets every connection after `bytes` more bytes in a direction, even within a message. */
  cutAfter(bytes: number, direction: Direction = 'down'): void {
    this.#bytesUntilCut[direction] = bytes;
  }

  /** Drops all data of the current connections in both directions, and resets them after `ms`. */
  silence(ms: number): void {
    for (const pair of this.#pairs) {
      pair.isSilent = true;
      this.#after(ms, () => reset(pair));
    }
  }

  /** Holds all data that arrives within `ms`, until that time has passed. */
  hold(ms: number): void {
    this.#held ??= new Promise<void>((resolve) => {
      this.#after(ms, () => {
        this.#held = null;
        resolve();
      });
    });
  }

  /** Holds all data once the gateway sends `text`; then resolves with a function that releases it. */
  holdAt(text: string): Promise<() => void> {
    return new Promise((reached) => {
      this.#holdAt = { text, reached };
    });
  }

  /** Delivers the next `bytes` of a direction one by one. */
  dribble(bytes: number, direction: Direction): void {
    this.#singleBytes[direction] = bytes;
  }

  /** Cancels planned cuts, refusals and single bytes; silent connections stay silent, and held data stays held. */
  heal(): void {
    Object.assign(this.#bytesUntilCut, noCuts());
    Object.assign(this.#singleBytes, { up: 0, down: 0 });
    this.#downUntilMs = 0;
  }

  async close(): Promise<void> {
    this.cut();
    for (const timer of this.#timers) clearTimeout(timer);
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }

  #join(client: Socket, gateway: Socket): void {
    const pair: Pair = { client, gateway, isSilent: false };
    this.#pairs.add(pair);
    for (const [socket, other] of [
      [client, gateway],
      [gateway, client],
    ] as const) {
      socket.setNoDelay(true);
      // An error needs no handling, because a close follows it.
      socket.on('error', () => undefined);
      socket.on('close', () => {
        if (!pair.isSilent) other.destroy();
        if (other.destroyed) this.#pairs.delete(pair);
      });
    }
    void this.#carry(pair, 'up');
    void this.#carry(pair, 'down');
  }

  async #carry(pair: Pair, direction: Direction): Promise<void> {
    const [from, to] = direction === 'up' ? [pair.client, pair.gateway] : [pair.gateway, pair.client];
    try {
      for await (const chunk of from) {
        if (direction === 'down') this.#holdIfSent(chunk as Buffer);
        if (this.#held) await this.#held;
        await this.#pass(pair, chunk as Buffer, direction);
      }
      if (!pair.isSilent) to.end();
    } catch {
      // The other end is closed when this socket is.
    }
  }

  #holdIfSent(chunk: Buffer): void {
    const waiting = this.#holdAt;
    if (!waiting || !chunk.includes(waiting.text)) return;
    this.#holdAt = null;
    this.#held = new Promise<void>((resolve) => {
      waiting.reached(() => {
        this.#held = null;
        resolve();
      });
    });
  }

  async #pass(pair: Pair, chunk: Buffer, direction: Direction): Promise<void> {
    const to = direction === 'up' ? pair.gateway : pair.client;
    const single = Math.min(chunk.length, this.#singleBytes[direction]);
    this.#singleBytes[direction] -= single;
    const parts = [
      ...Array.from({ length: single }, (_, at) => chunk.subarray(at, at + 1)),
      chunk.subarray(single),
    ];
    for (const part of parts) {
      if (pair.isSilent || to.destroyed || part.length === 0) continue;
      const left = this.#bytesUntilCut[direction];
      this.#bytesUntilCut[direction] -= part.length;
      if (!to.write(part.subarray(0, left))) await Promise.race([once(to, 'drain'), once(to, 'close')]);
      if (part.length >= left) {
        // Leaves time to send the bytes before the cut, because a reset discards unsent data.
        await new Promise((resolve) => setImmediate(resolve));
        this.cut();
        return;
      }
      if (single > 0) await new Promise((resolve) => setImmediate(resolve));
    }
  }

  #after(ms: number, run: () => void): void {
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      run();
    }, ms);
    this.#timers.add(timer);
  }
}

const noCuts = (): { [direction in Direction]: number } => ({
  up: Number.POSITIVE_INFINITY,
  down: Number.POSITIVE_INFINITY,
});

function reset({ client, gateway }: Pair): void {
  for (const socket of [client, gateway]) if (!socket.destroyed) socket.resetAndDestroy();
}
