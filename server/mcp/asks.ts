// Requests from the gateway to a client, sent on the response stream of a call; the client's replies are POSTs.
import type { Response } from './messages.ts';
import type { Reply } from './reply.ts';

export class Asks {
  #made = 0;
  readonly #waiting = new Map<string, (result: unknown) => void>();

  /**
   * Sends a request, and resolves with the result; null when the client refuses, when the stream is closed or carries
   * no requests, or when `over` is or becomes aborted before a reply.
   */
  async ask(reply: Reply, method: string, params: object, over: AbortSignal): Promise<unknown> {
    if (!reply.isOpenForMore || over.aborted) return null;
    this.#made += 1;
    const id = `exec-console-${this.#made}`;
    let stop = (): void => {};
    const answered = new Promise<unknown>((resolve) => {
      const none = (): void => resolve(null);
      // The client's prompt is cancelled when its answer no longer counts.
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

  /** Resolves the request that a reply belongs to; a late reply is ignored. */
  answered({ id, result }: Response): void {
    this.#waiting.get(String(id))?.(result ?? null);
  }
}
