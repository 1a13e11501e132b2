// Matches replies to requests by id on one socket, and dispatches notifications.
import { parseMessage, type WireError } from '../protocol/jsonrpc.ts';
import type { RequestMethod, Requests } from '../protocol/methods.ts';
import type { SocketLike } from './socket-like.ts';

/**
 * Result of a request. `lost`: the socket was closed first, so it is unknown whether the request took effect.
 */
export type Reply =
  | { readonly kind: 'result'; readonly result: unknown }
  | { readonly kind: 'error'; readonly error: WireError }
  | { readonly kind: 'lost' };

export interface RpcClientOptions {
  readonly socket: Pick<SocketLike, 'send' | 'addEventListener'>;
  /** Returns true when the notification was recognized. */
  readonly follower: { notification(method: string, params: unknown): boolean };
  /** Called with each notification that the follower did not recognize. */
  readonly reported: (method: string, params: unknown) => void;
}

export class RpcClient {
  readonly #options: RpcClientOptions;
  readonly #waiting = new Map<number, (reply: Reply) => void>();
  #nextId = 1;
  #isLost = false;
  /** Number of messages that were neither a notification nor a reply to a pending request. */
  ignored = 0;

  constructor(options: RpcClientOptions) {
    this.#options = options;
    options.socket.addEventListener('message', ({ data }) => {
      if (typeof data === 'string') this.#receive(data);
      else this.ignored += 1;
    });
  }

  /**
   * Sends immediately. `settle` is called exactly once, in the event-loop turn in which the reply arrives, so
   * that it takes effect before later messages of that turn are handled; a promise would resolve too late.
   */
  request<M extends RequestMethod>(
    method: M,
    params: Requests[M]['params'],
    settle: (reply: Reply) => void,
  ): void {
    if (this.#isLost) {
      settle({ kind: 'lost' });
      return;
    }
    const id = this.#nextId;
    this.#nextId += 1;
    this.#waiting.set(id, settle);
    this.#options.socket.send(JSON.stringify({ id, method, params }));
  }

  notify(method: 'initialized'): void {
    if (!this.#isLost) this.#options.socket.send(JSON.stringify({ method }));
  }

  /** Settles all pending requests as `lost`, in order: the socket is closed. */
  lose(): void {
    this.#isLost = true;
    const waiting = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const settle of waiting) settle({ kind: 'lost' });
  }

  #receive(text: string): void {
    if (this.#isLost) return;
    const message = parseMessage(text);
    switch (message.kind) {
      case 'notification':
        if (!this.#options.follower.notification(message.method, message.params))
          this.#options.reported(message.method, message.params);
        return;
      case 'result':
      case 'error':
        this.#settle(message.id, message);
        return;
      case 'request':
      case 'malformed':
        this.ignored += 1;
    }
  }

  #settle(id: string | number, reply: Reply): void {
    const settle = typeof id === 'number' ? this.#waiting.get(id) : undefined;
    if (typeof id !== 'number' || !settle) {
      this.ignored += 1;
      return;
    }
    this.#waiting.delete(id);
    settle(reply);
  }
}
