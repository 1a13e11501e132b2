// Requests of the gateway to a client, which travel on the answer of a call, and their replies, which are POSTs.
import type { Response } from './messages.ts';
import type { Reply } from './reply.ts';

export class Asks {
  #made = 0;
  readonly #waiting = new Map<string, (result: unknown) => void>();

  /**
   * Resolves with the result; with null when the client refuses, cannot be asked on this answer, or says nothing for
   * `withinMs` ms.
   */
  async ask(reply: Reply, method: string, params: object, withinMs: number): Promise<unknown> {
    if (!reply.isOpenForMore) return null;
    this.#made += 1;
    const id = `exec-console-${this.#made}`;
    let stop = (): void => {};
    const answered = new Promise<unknown>((resolve) => {
      const none = (): void => resolve(null);
      const timer = setTimeout(none, withinMs);
      reply.gone.addEventListener('abort', none, { once: true });
      this.#waiting.set(id, resolve);
      stop = () => {
        clearTimeout(timer);
        reply.gone.removeEventListener('abort', none);
        this.#waiting.delete(id);
      };
    });
    reply.send({ jsonrpc: '2.0', id, method, params });
    return answered.finally(stop);
  }

  /** A reply that nothing waits for is ignored: it may have come late. */
  answered({ id, result }: Response): void {
    this.#waiting.get(String(id))?.(result ?? null);
  }
}
