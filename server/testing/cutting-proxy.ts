// A TCP proxy that a test cuts: what is on its way is lost, in both directions, as with a broken network.
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

export class CuttingProxy {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #bytesUntilCut = Number.POSITIVE_INFINITY;
  #downUntilMs = 0;

  private constructor(targetPort: number) {
    this.#server = createServer((client) => {
      if (performance.now() < this.#downUntilMs) {
        client.resetAndDestroy();
        return;
      }
      const gateway = connect(targetPort, '127.0.0.1');
      for (const socket of [client, gateway]) {
        this.#sockets.add(socket);
        // The cut itself; the close that follows is handled.
        socket.on('error', () => undefined);
        socket.on('close', () => {
          this.#sockets.delete(socket);
          client.destroy();
          gateway.destroy();
        });
      }
      client.pipe(gateway);
      gateway.pipe(client);
      gateway.on('data', ({ length }) => {
        this.#bytesUntilCut -= length;
        if (this.#bytesUntilCut <= 0) this.cut();
      });
    });
  }

  /** Listens on a port of its own, in front of `targetPort`. */
  static async listen(targetPort: number): Promise<CuttingProxy> {
    const proxy = new CuttingProxy(targetPort);
    await new Promise<void>((resolve) => proxy.#server.listen(0, '127.0.0.1', resolve));
    return proxy;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** Resets every connection now; new ones get through. */
  cut(): void {
    this.#bytesUntilCut = Number.POSITIVE_INFINITY;
    for (const socket of this.#sockets) socket.resetAndDestroy();
  }

  /** Cuts, and lets nothing through for so long. */
  down(ms: number): void {
    this.#downUntilMs = performance.now() + ms;
    this.cut();
  }

  /** Cuts as soon as so many more bytes have come from the gateway. */
  cutAfter(bytes: number): void {
    this.#bytesUntilCut = bytes;
  }

  async close(): Promise<void> {
    this.cut();
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }
}
