// Requests of the gateway to a client, which travel on the answer of a call, and their replies, which are POSTs.
import type { Response } from './messages.ts';
import type { Reply } from './reply.ts';

export class Asks {
  #made = 0;
  readonly #waiting = new Map<string, (result: unknown) => void>();

  /**
   * Resolves with the result; with null when the client refuses, cannot be asked on this answer, or has said nothing
   * when `over` is aborted.
   */
  async ask(reply: Reply, method: string, params: object, over: AbortSignal): Promise<unknown> {
    if (!reply.isOpenForMore) return null;
    this.#made += 1;
    const id = `exec-console-${this.#made}`;
    let stop = (): void => {};
    const answered = new Promise<unknown>((resolve) => {
      const none = (): void => resolve(null);
      // Its person is not asked any longer than the answer counts.
      const forgo = (): void => {
        if (reply.isOpenForMore)
          reply.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: id } });
        none();
      };
      over.addEventListener('abort', forgo, { once: true });
      reply.gone.addEventListener('abort', none, { once: true });
      this.#waiting.set(id, resolve);
      stop = () => {
        over.removeEventListener('abort', forgo);
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
