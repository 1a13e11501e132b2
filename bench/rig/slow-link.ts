// A proxy with the bandwidth of a slow network: meters the bytes to the client, and buffers almost nothing.
import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';

/** Bytes forwarded at once: under a millisecond at 12 MB/s, so that a packet adds no noticeable delay. */
const PACKET_BYTES = 8 * 1024;
/** Resolution of timers; a shorter delay is added to that of the next packet. */
const TIMER_MS = 1;

export class SlowLink {
  readonly url: string;
  readonly #server: Server;

  private constructor(server: Server, url: string) {
    this.#server = server;
    this.url = url;
  }

  static async before(target: string, bytesPerSecond: number): Promise<SlowLink> {
    const url = new URL(target);
    const port = Number(url.port);
    const server = createServer((socket) => join(socket, port, bytesPerSecond));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    if (typeof address !== 'object' || !address) throw new Error('invariant violation: no port');
    url.port = String(address.port);
    return new SlowLink(server, url.href);
  }

  close(): void {
    this.#server.close();
  }
}

function join(client: Socket, port: number, bytesPerSecond: number): void {
  let freeAtMs = 0;
  const upstream = connect({
    port,
    host: '127.0.0.1',
    onread: {
      buffer: Buffer.alloc(PACKET_BYTES),
      callback(count, buffer) {
        client.write(Buffer.from(buffer.subarray(0, count)));
        const now = performance.now();
        freeAtMs = Math.max(now, freeAtMs) + (count / bytesPerSecond) * 1000;
        const waitMs = freeAtMs - now;
        if (waitMs > TIMER_MS) setTimeout(() => upstream.resume(), waitMs);
        return waitMs <= TIMER_MS;
      },
    },
  });
  for (const socket of [client, upstream]) {
    socket.setNoDelay(true);
    socket.on('error', () => {});
  }
  client.pipe(upstream);
  client.on('close', () => upstream.destroy());
  upstream.on('close', () => client.destroy());
}
